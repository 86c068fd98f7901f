// A first match that teaches: the offer, and the way out. What the machine says comes from the server, see lesson.py.

import { word } from "./words.js";

const OFFERED = ["attract", "opening", "verdict"];
let bar, name, buttons, drawn;

/** Build the bar; ask(step) begins a lesson, ask(0) leaves it. */
export function build(ask) {
  bar = Object.assign(document.createElement("div"), { id: "lesson", hidden: true });
  name = bar.appendChild(document.createElement("span"));
  buttons = {};
  for (const [key, step] of [["offer", () => 1], ["again", (lesson) => lesson.step], ["next", (lesson) => lesson.step + 1], ["leave", () => 0]]) {
    buttons[key] = bar.appendChild(document.createElement("button"));
    buttons[key].addEventListener("click", () => ask(String(step(drawn))));
  }
  document.querySelector("main").append(bar);
}

export function show(state) {
  const lesson = state.lesson?.step ? state.lesson : undefined;
  drawn = lesson;
  bar.hidden = !state.control || !(lesson || OFFERED.includes(state.state));
  name.textContent = lesson ? word("lesson.name", lesson) : "";
  const on = {
    offer: !lesson,
    again: lesson?.over === "lost",
    next: lesson?.over === "won" && lesson.step < lesson.steps,
    leave: Boolean(lesson),
  };
  for (const [key, button] of Object.entries(buttons)) {
    button.hidden = !on[key];
    button.textContent = word(`lesson.${key}`);
  }
}
