// The lesson: the offer, the way forward, which is in the caption, and the way out. The machine's lines come from the server, see lesson.py.

import { listen, send, state } from "./connection.js";
import { keep } from "./machine.js";
import { word } from "./words.js";

const CONCERNS = ["lesson", "state", "control"];
const $ = (id) => document.getElementById(id);
const buttons = {};
let drawn; // the lesson on the page
let keeps = false; // True while the caption is that of `ending`
let ending = null; // the end of the last lesson, and its comment, until the next match

/** True while a lesson's end is shown, although the machine is in its show again. */
export const isKept = () => Boolean(ending) && state.state === "attract";

/** Remove the end of the lesson. */
export function forget() {
  if (!ending) return;
  ending = null;
  show(state);
}

/** Build the buttons, and follow the machine. */
export function teach() {
  for (const [key, further] of [["again", 0], ["next", 1]]) {
    buttons[key] = $("caption").appendChild(Object.assign(document.createElement("button"), { hidden: true }));
    buttons[key].addEventListener("click", () => send("lesson", drawn.step + further));
  }
  $("learn").addEventListener("click", () => (isKept() ? forget() : send("lesson", drawn ? 0 : 1)));
  listen(show);
}

/** Let the new line appear. */
function appear() {
  $("doing").classList.remove("said");
  void $("doing").offsetWidth; // so that the animation begins again
  $("doing").classList.add("said");
}

function show(news) {
  const present = state.lesson?.step ? state.lesson : undefined;
  if (present && news.advice) appear();
  if (present?.over) ending = { lesson: present, doing: state.doing, advice: state.advice };
  else if (state.state !== "attract") ending = null;
  if (keeps !== isKept()) keep((keeps = isKept()) ? ending : null);
  if (news !== state && !CONCERNS.some((key) => key in news)) return;
  drawn = present ?? (isKept() ? ending.lesson : undefined);
  document.body.classList.toggle("learning", Boolean(drawn));
  $("learn").hidden = !state.control || !(drawn || state.lesson?.steps);
  $("learn").querySelector("span").textContent = word(drawn ? "lesson.leave" : "lesson.offer");
  buttons.again.hidden = !state.control || drawn?.over !== "lost";
  buttons.next.hidden = !state.control || drawn?.over !== "won" || drawn.step >= drawn.steps;
  for (const [key, button] of Object.entries(buttons)) button.textContent = word(`lesson.${key}`);
}
