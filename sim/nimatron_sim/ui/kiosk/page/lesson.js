// A first match that teaches: the offer, the way on, which is in the caption, and the way out. What the machine says comes from the server, see lesson.py.

import { listen, send, state } from "./line.js";
import { word } from "./words.js";

const OFFERED = ["attract", "opening", "verdict"];
const CONCERNS = ["lesson", "state", "control"];
const $ = (id) => document.getElementById(id);
let bar, name, buttons, drawn;

/** Build the bar, and follow the machine. */
export function teach() {
  bar = Object.assign(document.createElement("div"), { id: "lesson", hidden: true });
  name = bar.appendChild(document.createElement("span"));
  buttons = {};
  for (const [key, step] of [["offer", () => 1], ["again", (lesson) => lesson.step], ["next", (lesson) => lesson.step + 1], ["leave", () => 0]]) {
    const place = ["again", "next"].includes(key) ? $("caption") : bar;
    buttons[key] = place.appendChild(document.createElement("button"));
    buttons[key].addEventListener("click", () => send("lesson", step(drawn)));
  }
  document.querySelector("main").append(bar);
  listen(show);
}

function show(news) {
  if (news !== state && !CONCERNS.some((key) => key in news)) return;
  const lesson = state.lesson?.step ? state.lesson : undefined;
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
