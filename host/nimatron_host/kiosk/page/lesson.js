// The lesson: the offer, the way forward, which is in the caption, and the way out. The machine's comments come from the server, see lesson.py.

import { listen, send, state } from "./connection.js";
import { keep } from "./machine.js";
import { word } from "./words.js";

const OFFERED = ["attract", "opening", "verdict"];
const CONCERNS = ["lesson", "state", "control"];
const $ = (id) => document.getElementById(id);
let bar, name, buttons, drawn;
let keeps = false;
let ending = null; // the end of the last lesson, and its comment, until the next match

/** True while a lesson's end is shown, although the machine is in its show again. */
export const isKept = () => Boolean(ending) && state.state === "attract";

/** Remove the end of the lesson. */
export function forget() {
  if (!ending) return;
  ending = null;
  show(state);
}

/** Build the bar, and follow the machine. */
export function teach() {
  bar = Object.assign(document.createElement("div"), { id: "lesson", hidden: true });
  name = bar.appendChild(document.createElement("span"));
  buttons = {};
  for (const [key, step] of [["offer", () => 1], ["again", (lesson) => lesson.step], ["next", (lesson) => lesson.step + 1], ["leave", () => 0]]) {
    const place = ["again", "next"].includes(key) ? $("caption") : bar;
    buttons[key] = place.appendChild(document.createElement("button"));
    buttons[key].addEventListener("click", () => (key === "leave" && isKept() ? forget() : send("lesson", step(drawn))));
  }
  document.querySelector("main").append(bar);
  listen(show);
}

function show(news) {
  const present = state.lesson?.step ? state.lesson : undefined;
  if (present?.over) ending = { lesson: present, doing: state.doing, advice: state.advice };
  else if (state.state !== "attract") ending = null;
  if (keeps !== isKept()) keep((keeps = isKept()) ? ending : null);
  if (news !== state && !CONCERNS.some((key) => key in news)) return;
  const lesson = present ?? (isKept() ? ending.lesson : undefined);
  drawn = lesson;
  bar.hidden = !state.control || !(lesson || (state.lesson?.steps && OFFERED.includes(state.state)));
  name.textContent = lesson ? word("lesson.name", lesson) : "";
  const on = {
    offer: !lesson,
    again: lesson?.over === "lost",
    next: lesson?.over === "won" && lesson.step < lesson.steps,
    leave: Boolean(lesson),
  };
  for (const [key, button] of Object.entries(buttons)) {
    button.hidden = !state.control || !on[key];
    button.textContent = key === "leave" ? "✕" : word(`lesson.${key}`);
    button.setAttribute("aria-label", word(`lesson.${key}`));
  }
}
