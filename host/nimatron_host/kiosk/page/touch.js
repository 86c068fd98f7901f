// Fingers, mice and keys: on the six buttons, and on the lamps themselves.

import { LAMPS, ROWS } from "./board.js";
import { connected, send, state } from "./connection.js";
import { announce, buttons, hold, lamps, mayPress, point, refused, remark, remarked, shake } from "./machine.js";
import { find } from "./rewind.js";
import { thud, wake } from "./sound.js";

const TAP_MS = 80; // for clicks without a duration
const BEGINNING = ["attract", "verdict"]; // where any touch begins a match
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -LAMPS, ArrowDown: LAMPS };
const KEYS = { Enter: "go", " ": "go", n: "new", N: "new" };
for (let row = 1; row <= ROWS; row++) KEYS[row] = `row${row}`;

const $ = (id) => document.getElementById(id);
const held = new Set();
const fingers = new Map(); // and mice: the button that each of them holds

// ---------------------------------------------------------------------- the six buttons

function press(name) {
  if (held.has(name) || !mayPress() || !connected() || (name === "new" && !sure())) return void wake();
  held.add(name);
  send("press", name); // first, because audio takes its time to begin
  remark();
  hold(name, true);
  wake();
  thud();
}

function release(name) {
  if (!held.delete(name)) return;
  send("release", name);
  hold(name, false);
}

const releaseAll = () => [...held].forEach(release);

export function tap(name) {
  press(name);
  setTimeout(release, TAP_MS, name);
}

/** True in the middle of a match. */
export const underWay = () => ["player", "thinking", "machine"].includes(state.state);

/** NEW is next to GO, and must not end a match by mistake: it asks, and works when it is pressed again. */
function sure() {
  if (!underWay() || remarked() === "page.new") return true;
  remark("page.new");
  return false;
}

/** Note that a finger or a mouse is up, wherever it is by then. To capture it would be shorter, but the browser then draws a frame before it has the machine's answer. */
function lift({ pointerId }) {
  release(fingers.get(pointerId));
  fingers.delete(pointerId);
}

function followButton(button) {
  const name = button.dataset.button;
  let handled = -Infinity;
  button.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    handled = event.timeStamp;
    lift(event);
    fingers.set(event.pointerId, name);
    press(name);
  });
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("click", (event) => {
    // A click from a screen reader, made by no finger and no key.
    if (!event.detail && event.timeStamp - handled > 1000) tap(name);
  });
}

// ---------------------------------------------------------------------- the lamps

/** Pick this lamp, or give it back. Between matches, a touch begins the match, or goes on from the rewound position. */
function touch(lamp) {
  if (find(lamp)) return;
  const means = state.touch?.[lamp] != null || BEGINNING.includes(state.state);
  if (means && state.control) send("touch", lamp);
  wake();
  if (!state.control) return;
  if (refused(lamp)) remark("page.refused", state.rule.slice(0, 1)); // which is the game's sentence
  if (!means) {
    announce(lamps[lamp].ariaLabel);
    return void shake(lamps[lamp]);
  }
  remark();
  thud();
}

function lampAt({ clientX, clientY }) {
  const box = $("lamps").getBoundingClientRect();
  const column = Math.floor(((clientX - box.left) / box.width) * LAMPS), row = Math.floor(((clientY - box.top) / box.height) * ROWS);
  return column >= 0 && column < LAMPS && row >= 0 && row < ROWS ? row * LAMPS + column : null;
}

/** A finger or the mouse previews while it moves, and picks the lamp where it lifts. */
function followLamps() {
  const board = $("lamps");
  let down = false, handled = -Infinity;
  board.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    wake();
    down = true;
    handled = event.timeStamp;
    board.setPointerCapture(event.pointerId);
    point(lampAt(event));
  });
  board.addEventListener("pointermove", (event) => (down || event.pointerType === "mouse") && point(lampAt(event)));
  board.addEventListener("pointerup", (event) => {
    const lamp = lampAt(event);
    handled = event.timeStamp;
    if (down && lamp !== null) touch(lamp);
    down = false;
    point(event.pointerType === "mouse" ? lamp : null);
  });
  for (const end of ["pointercancel", "pointerleave"]) board.addEventListener(end, () => point((down = false) || null));
  board.addEventListener("contextmenu", (event) => event.preventDefault());
  board.addEventListener("click", (event) => {
    const lamp = lamps.indexOf(event.target); // for a screen reader, as above
    if (lamp >= 0 && !event.detail && event.timeStamp - handled > 1000) touch(lamp);
  });
  board.addEventListener("focusin", (event) => {
    if (!event.target.matches(":focus-visible")) return;
    point(lamps.indexOf(event.target));
    if (!board.contains(event.relatedTarget) && state.state === "opening") remark("page.keys.lamps");
  });
  board.addEventListener("focusout", () => point(null));
}

/** The arrow keys move through the lamps, which are one stop of the Tab key. Space picks. */
function steer(event) {
  const now = lamps.indexOf(event.target);
  if (now < 0 || event.ctrlKey || event.altKey || event.metaKey) return false;
  if (event.key === " ") {
    if (!event.repeat && !find()) touch(now); // which picks no lamp: the focus may be on any
    return true;
  }
  const row = now - (now % LAMPS);
  const next = { Home: row, End: row + LAMPS - 1 }[event.key] ?? now + STEPS[event.key];
  if (Number.isNaN(next)) return false;
  const sideways = Math.abs(STEPS[event.key]) === 1;
  if (lamps[next] && (!sideways || next - (next % LAMPS) === row)) {
    lamps[now].tabIndex = -1;
    lamps[next].tabIndex = 0;
    lamps[next].focus();
  }
  return true;
}

// ---------------------------------------------------------------------- keys

/** The button of a key: the focused button, or the key's own. Outside the machine, keys have no button. */
function meant(event) {
  const target = event.target;
  if (event.ctrlKey || event.altKey || event.metaKey || target.closest("aside, dialog, [popover], select, input")) return undefined;
  if (["Enter", " "].includes(event.key)) {
    if (target.dataset.button) return target.dataset.button;
    if (target.matches("button, summary, a")) return undefined;
  }
  return KEYS[event.key];
}

export function follow() {
  for (const button of buttons()) followButton(button);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, lift);
  followLamps();
  document.addEventListener("keydown", (event) => {
    const name = steer(event) ? null : meant(event);
    if (name === undefined) return;
    event.preventDefault();
    if (name === "go" && event.key === " " && !event.repeat && find()) return;
    if (name?.startsWith("row")) document.body.classList.add("keyed"); // whoever uses their keys sees the rows' buttons
    if (name && !event.repeat) press(name);
  });
  document.addEventListener("keyup", (event) => {
    const name = meant(event);
    if (name || lamps.includes(event.target)) event.preventDefault(); // otherwise the browser turns it into a click
    if (name ?? KEYS[event.key]) release(name ?? KEYS[event.key]);
  });
  addEventListener("blur", releaseAll);
  document.addEventListener("visibilitychange", releaseAll);
}
