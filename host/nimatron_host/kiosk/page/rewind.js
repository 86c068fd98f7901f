// After a lost match, the board goes back to the last position that could be won, and the visitor plays on from there.
// See rewind.py for the server's part. The lamps of the machine's own show stop here if nothing may move.

import { LAMPS, ROWS } from "./board.js";
import { listen, send, state, tell } from "./connection.js";
import { bit, keep, project } from "./machine.js";
import { tone } from "./sound.js";
import { tap } from "./touch.js";
import { isStill } from "./visit.js";
import { word } from "./words.js";

const READ_MS = 1200; // the verdict, before the board goes back
const CHASE_MS = 3000; // the verdict's moving lamps
const LAMP_MS = 80; // between two lamps
const RELAY_HZ = 100;
const ALL = 2 ** (ROWS * LAMPS) - 1;

const box = Object.assign(document.createElement("div"), { id: "rewind", hidden: true });
let over = 0; // when the match was over
let match; // the match that goes back
let films = false; // the page draws lamps of its own
let there, timer;

/** True if the board has gone back. */
export const isRewound = () => Boolean(there);

/** The picture of groups over the lamps: the rewound position's, or what helps to find a move. */
export function picture(curious) {
  if (there) return there.insight;
  const { practice, marks } = state.rewind ?? {}, { insight } = state;
  return practice || curious ? { ...insight, goes: curious ? insight?.goes : marks } : undefined;
}

/** Play on from the rewound position, and pick this lamp. False if there is none. */
export function find(lamp = "") {
  return Boolean(there && state.control && state.rewind?.line) && send("find", lamp);
}

/** Show the machine's own lamps again. */
export function forget() {
  if (!over && !films) return;
  clearTimeout(timer);
  if (films) film(null);
  if (there) keep(null);
  match = there = undefined;
  over = 0;
  offer();
}

/** Between two matches, let the lamps go back, or stand still. */
export function settle() {
  const verdict = state.state === "verdict";
  if (!verdict && state.state !== "attract") return forget();
  if (match) return offer();
  if (verdict) over ||= performance.now();
  const passed = performance.now() - over, { path } = state.rewind ?? {}, end = verdict && !state.won ? 0 : ALL;
  clearTimeout(timer);
  if (verdict && path && passed >= READ_MS) return back(state.rewind);
  if (isStill() || (verdict && (passed >= CHASE_MS || (!end && state.people === 1)))) film((verdict ? path?.[0] : null) ?? end);
  else if (films) film(null);
  if (verdict && passed < CHASE_MS) timer = setTimeout(settle, (passed < READ_MS ? READ_MS : CHASE_MS) - passed);
}

function film(mask) {
  films = mask !== null;
  project(mask);
}

/** Change one lamp after the other, move by move. */
function back(lost) {
  match = { ...lost, legends: state.legends };
  const masks = [lost.path[0]];
  for (const to of lost.path) {
    for (let lamp = 0; lamp < ROWS * LAMPS; lamp++) if (bit(masks.at(-1) ^ to, lamp)) masks.push(masks.at(-1) ^ (1 << lamp));
  }
  if (isStill()) masks.splice(0, masks.length - 1);
  const step = () => {
    film(masks.shift());
    if (!masks.length) return arrive();
    tone(RELAY_HZ);
    timer = setTimeout(step, LAMP_MS);
  };
  step();
}

function arrive() {
  there = match;
  const keys = [["page.left.keys", { find: action(), new: "rewind.new" }]];
  const groups = there.insight.kind === "pairs" ? there.insight.groups : [];
  keep({ doing: there.said, advice: [], groups, why: there.why, legends: there.legends, keys: state.rewind?.line ? keys : [] });
  offer();
  tell({}); // the groups are drawn now
}

const action = () => (there.lost ? "rewind.second" : "rewind.find");

function offer() {
  const [on, other] = box.children;
  box.hidden = !there || !state.control;
  document.body.classList.toggle("rewound", !box.hidden);
  if (box.hidden) return;
  on.hidden = !state.rewind?.line;
  on.textContent = word(action());
  other.textContent = word("rewind.new");
}

export function rewind() {
  box.append(document.createElement("button"), document.createElement("button"));
  box.firstChild.addEventListener("click", () => find());
  box.lastChild.addEventListener("click", () => tap("new"));
  document.getElementById("side").append(box);
  listen(settle);
}
