// The page between matches, in the style of the fair: the story, today's figures, a demonstration, a night of beams.

import { listen, state } from "./connection.js";
import { bit, lamps, project } from "./machine.js";
import { clink } from "./sound.js";
import { idleMs, isReading, isStill } from "./visit.js";
import { say, word } from "./words.js";

const TALE_MS = 6000;
const STORY = ["page.story.1", "page.story.2", "page.story.3", "page.story.4", "page.story.5"];
const QUIET_MS = 6000; // without a touch before the demonstration begins
const REST_MS = 15_000; // of the machine's own show between two demonstrations
const AIM_MS = 1100, MOVE_MS = 1500; // of the demonstration: the hand points, the lamps go out

const $ = (id) => document.getElementById(id);
let told = 0, telling = 0, showing = 0, step = 0, won = 0, rested = -Infinity;

// ---------------------------------------------------------------------- the story, told in half a minute

function tales() {
  const today = state.today?.played ? [word("page.today", { played: state.today.played, count: state.today.played, won: state.today.won })] : [];
  return [...STORY.map((key) => word(key)), ...today];
}

/** Show the invitation and the next tale in turn. A still page keeps the invitation, and a page that is read keeps its text. */
function tell() {
  const all = tales().flatMap((tale) => ["", tale]);
  if (!showing) $("tale").textContent = isStill() || isReading() ? "" : all[told % all.length];
}

function idle() {
  if (!telling) {
    told = 0;
    telling = setInterval(() => (told++, tell()), TALE_MS);
  }
  tell(); // again in another language
}

function busy() {
  clearInterval(telling);
  telling = 0;
  stop();
  $("tale").textContent = "";
}

// ---------------------------------------------------------------------- the demonstration

/** A match drawn on the page alone. A page that mirrors a real Pico never draws one, because its lamps are the truth, nor does a page in use. */
function demonstrate() {
  const may = state.state === "attract" && state.demo?.length > 1 && !state.real && !isStill() && !isReading() && idleMs() > QUIET_MS && (showing || performance.now() - rested > REST_MS);
  if (!may) return stop();
  if (!showing) begin();
}

function begin() {
  step = 0;
  showing = 1;
  document.body.classList.add("demonstration");
  project(state.demo[0]);
  $("hand").removeAttribute("class"); // it points at nothing yet
  $("tale").textContent = word("page.demo.begin");
  showing = setTimeout(aim, MOVE_MS);
}

function stop() {
  if (!showing) return;
  clearTimeout(showing);
  showing = 0;
  lamps.forEach((lamp) => lamp.classList.remove("going"));
  document.body.classList.remove("demonstration");
  project(null);
}

function aim() {
  const [before, after] = [state.demo[step], state.demo[step + 1]];
  if (after === undefined) return pause();
  const first = lamps.findIndex((_, lamp) => bit(before & ~after, lamp));
  const box = lamps[Math.max(first, 0)].getBoundingClientRect(), board = $("board").getBoundingClientRect();
  $("hand").style.translate = `${box.left - board.left + box.width / 2}px ${box.top - board.top + box.height / 2}px`;
  $("hand").className = step % 2 ? "second" : "first";
  lamps.forEach((lamp, n) => lamp.classList.toggle("going", bit(before & ~after, n)));
  $("tale").textContent = word(step % 2 ? "page.demo.second" : "page.demo.first");
  showing = setTimeout(move, AIM_MS);
}

function move() {
  step++;
  lamps.forEach((lamp) => lamp.classList.remove("going"));
  project(state.demo[step]);
  showing = setTimeout(aim, MOVE_MS);
}

/** Explain the end, then let the machine's own show continue for a while. */
function pause() {
  $("tale").textContent = say(state.rule);
  showing = setTimeout(() => (stop(), (rested = performance.now())), 2 * MOVE_MS);
}

// ---------------------------------------------------------------------- the fair

function fair() {
  const windows = document.querySelectorAll("#windows rect");
  windows.forEach((pane, n) => pane.classList.toggle("on", n < (state.today?.won ?? 0)));
}

function celebrate() {
  document.body.classList.toggle("won", Boolean(state.won));
  if (state.tokens > won) setTimeout(clink, 2300); // when it lands in the cup
  won = state.tokens ?? 0;
}

function show(news) {
  if (news.state || news === state || news.cut) (state.state === "attract" && !news.cut ? idle : busy)();
  if (news.today) fair();
  if ("won" in news || "tokens" in news) celebrate();
}

export async function live() {
  listen(show);
  setInterval(demonstrate, 1000);
  addEventListener("pointerdown", stop, { capture: true });
  addEventListener("keydown", stop, { capture: true });
  const drawing = await fetch("fair.svg");
  const picture = new DOMParser().parseFromString(await drawing.text(), "image/svg+xml");
  $("fair").append(document.importNode(picture.documentElement, true));
  fair();
}
