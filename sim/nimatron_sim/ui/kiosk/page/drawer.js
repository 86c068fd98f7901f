// The drawer for the curious, modelled on Nimrod's panel: what the position is worth, and why.

import { say, word } from "./words.js";

const make = (name, text, ...children) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
};

/** The contents of `working` (see explain.py), as elements. */
export function explain(working, rule) {
  const parts = [make("p", `${say(rule)} ${say(working.how)}`)];
  if (working.safe === undefined) parts.push(make("p", word("ui.nothing")));
  else parts.push(...position(working));
  if (working.steps?.length) {
    parts.push(make("h3", word("ui.last")), list("ol", working.steps));
  }
  const theory = say(working.theory);
  if (theory) parts.push(make("h3", word("ui.theory")), make("p", theory));
  return parts;
}

function position(working) {
  const parts = [make("h3", word("ui.position"))];
  if (working.binary) parts.push(table(working.binary));
  if (working.value !== null && !working.binary) parts.push(make("p", word("ui.value", { value: working.value })));
  const verdict = make("p", word(working.safe ? "ui.safe" : "ui.unsafe"));
  verdict.className = working.safe ? "safe" : "unsafe";
  parts.push(verdict, make("h3", word("ui.winning")));
  if (working.winning.length) parts.push(list("ul", working.winning));
  else parts.push(make("p", word("ui.none")));
  if (working.more) parts.push(make("p", word("ui.more", { count: working.more })));
  return parts;
}

const list = (kind, steps) => make(kind, undefined, ...steps.map((step) => make("li", say(step))));

/** The rows in binary, one lamp per digit; then the columns' ones and the nim-sum. */
function table({ rows, ones, sum }) {
  const row = (name, cells) => make("tr", undefined, header(name), ...cells);
  const header = (name) => Object.assign(make("th", name), { scope: "row" });
  const digits = (text) => [...text].map((digit) => Object.assign(make("td", digit), { className: `digit-${digit}` }));
  const weights = [...sum].map((_, place) => Object.assign(make("th", 2 ** (sum.length - 1 - place)), { scope: "col" }));
  return make(
    "table",
    undefined,
    make("thead", undefined, make("tr", undefined, make("td"), ...weights)),
    make(
      "tbody",
      undefined,
      ...rows.map((digit, index) => row(word("ui.row.name", { row: index + 1 }), digits(digit))),
      row(word("ui.ones"), ones.map((n) => make("td", `${n} ${word(n % 2 ? "ui.odd" : "ui.even")}`))),
      row(word("ui.sum"), digits(sum)),
    ),
  );
}
