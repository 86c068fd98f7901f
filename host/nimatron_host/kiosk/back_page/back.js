// The opened back: the relays of nimatron_relays in motion. Each action makes a film of their motions, and the page shows it slowly.

import { LANGUAGES } from "../languages.js";
import { adjust, click, wake } from "../sound.js";
import { speak, word } from "../words.js";
import { film } from "./film.js";
import { contacts, draw, feeds, light, mark, places, TERMINALS, WIDTH } from "./wires.js";

const REST = 0, RAISED = 1; // as in film.py
const ROWS = [1, 2, 3, 4], COLUMNS = [4, 2, 1], LAMPS = [1, 2, 3, 4, 5, 6, 7];
const GROUPS = { "back.parity": ["SUM4", "SUM2", "SUM1", "BIG"], "back.taking": ["PULSE", "PAUSE", "TAKEN"], "back.turns": ["TURN", "WAIT", "LOST", "EMPTY", "MINE", "YOURS"] };
const SPARE = /^(B\d|STEP|PAUSE)/; // relays with contacts whose loss a visitor would not notice
const THOUGHT_MS = 2000, LONGEST_MS = 8000, PRESS_MS = 500; // how long a film takes on the page
const SLOWER = 3; // a thought is this many times slower than the relays
const SLOW_MOTION = 8; // and this many times slower again, if the visitor wants it
const IDLE_MS = 120_000; // the back closes when the visitor has left
const SVG = "http://www.w3.org/2000/svg";

const find = (id) => document.getElementById(id);
const asked = new URLSearchParams(location.search);
const quiet = matchMedia("(prefers-reduced-motion: reduce)");
const states = {};
const pulled = new Set();
const buttons = {}; // by relay
let fault; // the puzzle, as in film.py
let chosen = "";
let begun, right; // of a move: the relays that were up before it, and how a healthy machine ends it
let small = false;
let busy = false;

const any = (list) => list[Math.floor(Math.random() * list.length)];

function make(tag, parent, attributes = {}) {
  const element = tag === "svg" || parent.namespaceURI === SVG ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return parent.appendChild(element);
}

/** A relay: its coil, its armature, and a column of springs for each contact. */
function relay(name, list) {
  const button = make("button", make("li", list), { "data-relay": name, "aria-pressed": "false" });
  const { coil, xs } = places(name);
  const drawing = make("svg", button, { viewBox: `0 0 ${WIDTH} 58`, "aria-hidden": "true" });
  make("rect", drawing, { class: "coil", x: 2, y: 27, width: coil, height: 28, rx: 3 });
  for (const y of [32, 38, 44, 50]) make("path", drawing, { class: "winding", d: `M2 ${y}h${coil}` });
  const armature = make("g", drawing, { class: "armature" });
  make("path", armature, { class: "iron", d: `M2 19H${xs.at(-1) + 4}` });
  contacts(name).forEach(([, , front, back], index) => {
    const x = xs[index];
    make("path", armature, { class: "spring", d: `M${x} 19V35` });
    if (front) make("circle", drawing, { class: "front", cx: x, cy: TERMINALS.front, r: 3 });
    if (back) make("circle", drawing, { class: "back", cx: x, cy: TERMINALS.back, r: 3 });
  });
  make("span", button, { "aria-hidden": "true" }).textContent = name;
  button.onclick = () => name in states && touch(name); // not before the first film
  buttons[name] = button;
}

function build() {
  for (const row of ROWS) {
    const strip = make("div", find("rows"), { class: "row", role: "group", "data-label": "back.row", "data-row": row });
    make("button", strip, { class: "key", "data-key": `KEY${row}`, "data-label": "back.take", "data-row": row }).textContent = row;
    const lamps = make("p", strip, { class: "lamps", role: "img", id: `lamps${row}` });
    for (const lamp of LAMPS) make("i", lamps, { "data-lamp": `${row}.${lamp}` });
    const list = make("ul", strip);
    for (const column of COLUMNS) for (const kind of "BN") relay(`${kind}${row}${column}`, list);
    for (const kind of ["STEP", "LIT", "ROW"]) relay(kind + row, list);
  }
  for (const [label, names] of Object.entries(GROUPS)) {
    const group = make("div", find("others"), { role: "group", "data-label": label });
    make("h2", group, { "data-say": label });
    const list = make("ul", group);
    list.style.setProperty("--relays", names.length);
    for (const name of names) relay(name, list);
  }
}

// ---------------------------------------------------------------------- about a relay

/** A text about a relay's kind, with its row and its column. */
function about(name, text) {
  const [, kind, row = "", column = ""] = name.match(/^([A-Z]+)(\d?)(\d?)$/);
  return word(`back.${text}${kind}`, kind === "SUM" ? { column: row } : { row, column });
}

/** What the relay's contacts do now: the relays and the lamps that have current through them only. */
function now(name) {
  const fed = feeds(name, states, find("misere").checked);
  const lamps = fed.filter((other) => other.includes(".")).length;
  const what = fed.filter((other) => other in buttons);
  if (lamps) what.push(word("back.lamps", { count: lamps }));
  return what.length ? word("back.feeds", { what: what.join(", ") }) : word(states[name][0] === RAISED ? "back.feeds.up" : "back.feeds.none");
}

/** Choose a relay, or none, and mark it, its wires and the relays that it feeds. */
function choose(name) {
  chosen = name;
  const fed = name && !pulled.has(name) ? feeds(name, states, find("misere").checked) : [];
  for (const [other, button] of Object.entries(buttons)) {
    button.setAttribute("aria-pressed", other === name);
    button.classList.toggle("fed", fed.includes(other));
  }
  mark(name);
}

function touch(name) {
  choose(name);
  const out = pulled.has(name);
  find("about").textContent = `${name}: ${about(name, "")} ${out ? about(name, "without.") : now(name)}`;
  find("pull").hidden = false;
  find("pull").textContent = word(out ? "back.put" : "back.pull");
  find("guess").hidden = !fault;
}

// ---------------------------------------------------------------------- the relays' states

/** Show a frame. The first one of a film has everything. */
function show([, changes, wires], first = false) {
  for (const [name, state] of Object.entries(changes)) {
    const [where, current] = buttons[name] ? state : [];
    if (buttons[name]) {
      const before = states[name]?.[0];
      if (before !== undefined && before !== where && (where === REST || where === RAISED)) strike(buttons[name]);
      buttons[name].dataset.armature = where;
      buttons[name].classList.toggle("live", Boolean(current));
    } else document.querySelector(`[data-lamp="${name}"]`)?.classList.toggle("lit", Boolean(state));
  }
  Object.assign(states, changes);
  light(wires, first);
}

/** An armature clicks where it is. */
const strike = (button) => click((2 * button.offsetLeft) / document.body.clientWidth - 1);

const counts = (of = states) => ROWS.map((row) => LAMPS.filter((lamp) => of[`${row}.${lamp}`]).length);
const sign = (of = states) => ["you-win", "i-win", "thinking", "your-move"].find((lamp) => of[lamp]) ?? "none";

/** Show the end in words, which nothing needs while relays move. */
function tell(more = "") {
  for (const [name, button] of Object.entries(buttons)) button.setAttribute("aria-label", `${name}: ${word(`back.state.${states[name][0]}`)}`);
  counts().forEach((count, index) => find(`lamps${index + 1}`).setAttribute("aria-label", word("back.lamps", { count })));
  const told = stuck() ? "back.stuck" : `back.sign.${sign()}`;
  find("doing").textContent = [word(told), word("page.left", { rows: counts().join(", ") }), more].join(" ").trim();
  if (chosen) touch(chosen);
}

/** The last state of everything in a film. */
const end = (frames) => Object.assign({}, ...frames.map(([, changes]) => changes));

/** When nothing moves any more, the machine must have decided. */
const stuck = () => sign() === "thinking";

const raised = (name) => states[name]?.[0] === RAISED;

/** Press a key, or let the machine settle after something changed. A move that was stuck then begins again. rows: the lamps that a hand sets. */
async function press(key, rows) {
  if (busy) return;
  if (key === "GO" && sign() === "your-move" && !ROWS.some((row) => raised(`ROW${row}`))) return tell(word("back.first"));
  busy = true;
  document.body.classList.add("busy");
  if (!stuck() || rows || key === "NEW") begun = right = undefined;
  if (begun && !key) key = "GO";
  const up = (key === "GO" && begun) || Object.keys(buttons).filter(raised);
  if (key === "GO") begun = up;
  const question = { ...(rows ? { rows } : { up }), misere: find("misere").checked, press: key };
  const faults = [...(fault ? [fault] : []), ...[...pulled].map((name) => ["out", name])];
  try {
    const frames = await film({ ...question, faults });
    if (key === "GO") right = faults.length ? end(await film({ ...question, faults: [] })) : undefined;
    if (key === "GO") find("doing").textContent = word("back.sign.thinking");
    await play(frames, key === "GO" ? Math.max(THOUGHT_MS, Math.min(SLOWER * frames.at(-1)[0], LONGEST_MS)) : PRESS_MS);
    const odd = right && (`${counts(right)}` !== `${counts()}` || sign(right) !== sign());
    tell(odd ? word("back.right", { rows: counts(right).join(", ") }) : "");
  } catch {
    find("doing").textContent = word("ui.lost");
  }
  busy = false;
  document.body.classList.remove("busy");
}

function play(frames, ms) {
  const last = frames.at(-1)[0];
  const slow = find("slow").checked ? SLOW_MOTION : Number(!find("still").checked);
  const slower = last && slow * Math.max(1, ms / last);
  const began = performance.now();
  show(frames.shift(), true);
  return new Promise((done) => {
    const next = () => {
      const passed = performance.now() - began;
      while (frames.length && frames[0][0] * slower <= passed) show(frames.shift());
      if (frames.length) requestAnimationFrame(next);
      else done();
    };
    next();
  });
}

// ---------------------------------------------------------------------- puzzles

/** A random position. Every second one is near the end of a match. */
function another() {
  const most = small ? 2 : LAMPS.length;
  small = !small;
  return ROWS.map(() => Math.ceil(Math.random() * most));
}

/** Break a relay, and ask which. If there is a broken one, show it. */
async function puzzle() {
  if (busy) return;
  if (fault) return reveal(word("back.was", { relay: fault[1] }));
  pulled.clear();
  const how = any(["up", "down", "cut", "burnt"]);
  const name = any(Object.keys(buttons).filter((other) => how !== "burnt" || !SPARE.test(other)));
  const number = Math.floor(Math.random() * contacts(name).length);
  const [, , front, back] = contacts(name)[number];
  fault = how === "burnt" ? [any([front && "front", back && "back"].filter(Boolean)), name, number] : [how, name];
  choose("");
  find("puzzle").textContent = word("back.show");
  find("about").textContent = word("back.find", { guess: "back.guess" });
  for (const id of ["guess", "pull"]) find(id).hidden = true;
  await press("", another());
}

async function guess() {
  if (busy) return;
  if (chosen === fault[1]) await reveal(word("back.yes", { relay: chosen }));
  else find("about").textContent = word("back.no", { relay: chosen });
}

/** Tell the fault, and mend it. */
async function reveal(told) {
  const verdict = `${told} ${word(`back.fault.${fault[0]}`)}`;
  chosen = fault[1];
  fault = undefined;
  find("puzzle").textContent = word("back.puzzle");
  await press("", counts());
  find("about").textContent = verdict;
}

// ---------------------------------------------------------------------- the visit

let idle;
function stay() {
  clearTimeout(idle);
  idle = setTimeout(() => location.assign(find("close").href), IDLE_MS);
}

/** Sound and movement as the visitor chose them, here or on the page before. */
function comfort() {
  adjust(Number(asked.get("volume")) || 0.6, find("mute").checked);
  document.body.classList.toggle("still", find("still").checked);
}

find("close").href = `../${location.search}`;
find("mute").checked = asked.get("volume") === "0";
find("still").checked = quiet.matches || asked.has("still");
comfort();
find("misere").onchange = () => press("");
find("mute").onchange = find("still").onchange = comfort;
find("other").onclick = () => press("", another());
find("puzzle").onclick = puzzle;
find("guess").onclick = guess;
find("pull").onclick = () => {
  if (busy) return;
  if (!pulled.delete(chosen)) pulled.add(chosen);
  press("");
};
for (const what of ["pointerdown", "keydown"]) addEventListener(what, () => (stay(), wake()));
build();
for (const button of document.querySelectorAll("[data-key]")) button.addEventListener("click", () => press(button.dataset.key));
const languages = [asked.get("language"), ...navigator.languages.map((code) => code.slice(0, 2)), "en"];
await speak(languages.find((code) => code in LANGUAGES), "back/words");
for (const part of document.querySelectorAll("main, #now")) part.hidden = false;
draw(find("wires"), buttons);
new ResizeObserver(() => draw(find("wires"), buttons)).observe(document.querySelector("main"));
await press("NEW");
stay();
