// The settings: a control for each, with its effect, its range and its default, and the machine's answer next to it.

import { format, make, measure, plainly } from "./make.js";
import { maybe, word } from "../words.js";

const NAMED = { game: "game", games: "game", level: "level", levels: "level" };
const WORD = /^[!-~]{1,300}$/; // the console takes no other for a value
const DIGITS = /^\d+$/; // it takes no other for a number
const forms = new Map();

/** One form for each of `controls`, made again in the language of the page. send(line) types a line. */
export function build(controls, send) {
  forms.clear();
  for (const control of controls) forms.set(control.name, form(control, send));
  return [...forms.values()].map(({ element }) => element);
}

/** Show the present values, except where the operator is typing. */
export function fill(settings) {
  for (const [name, { element, put, answer }] of forms) {
    if (!(name in settings)) continue;
    const kept = element.contains(document.activeElement) || answer.classList.contains("bad");
    element.dataset.now = settings[name];
    if (!kept) put(settings[name]);
  }
}

/** Show an answer next to its control. False if it has no control. */
export function hear(line, kind, values) {
  const [verb, name] = line.split(" ");
  const known = verb === "set" ? forms.get(name) : undefined;
  if (!known) return false;
  if (kind === "ok") {
    known.element.dataset.now = values[name];
    known.put(values[name]);
  }
  told(known.answer, kind, values, known.control);
  return true;
}

/** Show the machine's answer in an element. */
export function told(element, kind, values, control) {
  element.classList.toggle("bad", kind !== "ok");
  element.lang = document.documentElement.lang;
  if (kind === "ok") element.textContent = word(values.saved === "0" ? "desk.unsaved" : values.saved === "1" ? "desk.saved" : "desk.done");
  else if (values.reason === "not-a-number" && control) element.textContent = word("desk.refused.out-of-range", { ...control, got: values.got });
  else if (maybe(`desk.refused.${values.reason}`)) element.textContent = word(`desk.refused.${values.reason}`, values);
  else Object.assign(element, { textContent: values.text ?? values.reason, lang: "en" });
}

function form(control, send) {
  const { name } = control;
  const field = control.some_of ? several(control) : control.one_of ? choice(control) : control.max === 1 ? flag(control) : amount(control);
  const element = make("form", undefined, head(control), field.element);
  element.className = "setting";
  element.noValidate = true;
  element.dataset.setting = name;
  const set = make("button", word("desk.set"));
  const standard = Object.assign(make("button", word("desk.default")), { type: "button" });
  standard.className = "quiet";
  for (const button of [set, standard]) button.setAttribute("aria-describedby", `setting-${name}`);
  const answer = make("p");
  answer.className = "answer";
  answer.setAttribute("role", "status");
  const put = (value) => {
    element.dataset.now = value;
    field.put(value);
    answer.classList.remove("bad");
  };
  const ask = (value) => {
    answer.textContent = "";
    if (WORD.test(value)) return send(`set ${name} ${value}`, answer);
    if (value) return told(answer, "error", { reason: "not-a-number", got: value }, control); // only numbers are typed
    told(answer, "error", { reason: control.some_of ? "none" : "empty" });
  };
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(field.value());
  });
  standard.addEventListener("click", () => {
    put(control.default);
    ask(control.default);
  });
  field.element.append(answer);
  element.append(make("div", undefined, set, standard));
  return { element, put, answer, control };
}

/** Its name, as on the console, and its effect. */
function head({ name, about }) {
  const code = Object.assign(make("code", name), { translate: false });
  const does = Object.assign(make("span", word(about)), maybe(about) ? {} : { lang: "en" });
  const head = make("p", undefined, code, " ", does);
  head.id = `setting-${name}`;
  return head;
}

const said = (control, value) => maybe(`${NAMED[control.name]}.${value}`);

/** A word as it is typed, and its meaning. */
const option = (control, value) => (said(control, value) ? `${value}: ${said(control, value)}` : value);

const labelled = (element, { name }) => {
  element.setAttribute("aria-labelledby", `setting-${name}`);
  return element;
};

const standing = (control, text) => make("small", word("desk.default.is", { value: text }));

function choice(control) {
  const list = labelled(make("select", undefined, ...control.one_of.map((value) => Object.assign(make("option", option(control, value)), { value }))), control);
  return {
    element: make("div", undefined, list, standing(control, control.default)),
    value: () => list.value,
    put(value) {
      if (![...list.options].some((known) => known.value === value)) list.append(Object.assign(make("option", value), { value })); // of another firmware
      list.value = value;
    },
  };
}

function several(control) {
  const boxes = control.some_of.map((value) => Object.assign(make("input"), { type: "checkbox", value }));
  const labels = boxes.map((box) => make("label", undefined, box, option(control, box.value)));
  const group = labelled(make("div", undefined, ...labels), control);
  group.setAttribute("role", "group");
  group.className = "several";
  const all = control.default.split(",").length === control.some_of.length;
  return {
    element: make("div", undefined, group, standing(control, all ? word("desk.all") : control.default)),
    value: () => boxes.filter((box) => box.checked).map((box) => box.value).join(","),
    put(value) {
      const chosen = value.split(",");
      for (const box of boxes) box.checked = chosen.includes(box.value);
    },
  };
}

function flag(control) {
  const box = labelled(Object.assign(make("input"), { type: "checkbox" }), control);
  const yes = (value) => word(value === "1" ? "desk.yes" : "desk.no");
  return {
    element: make("div", undefined, make("label", undefined, box, word("desk.yes")), standing(control, yes(control.default))),
    value: () => (box.checked ? "1" : "0"),
    put: (value) => { box.checked = value === "1"; },
  };
}

function amount(control) {
  const { min, max, unit } = control;
  const field = labelled(Object.assign(make("input"), { inputMode: "numeric", autocomplete: "off", size: 7 }), control);
  const plain = (value) => (unit === "millisecond" ? plainly(value) : "");
  const full = (value) => (plain(value) ? `${measure(value, unit)} (${plain(value)})` : measure(value, unit));
  const sign = unit && format(unit).formatToParts(1).find(({ type }) => !["integer", "literal"].includes(type)).value;
  const limits = make("small", `${word("desk.range", { min: full(min), max: full(max) })} ${word("desk.default.is", { value: full(Number(control.default)) })}`);
  limits.id = `limits-${control.name}`;
  field.setAttribute("aria-describedby", limits.id);
  const meaning = make("output");
  const typed = () => { // as the limits are written, with the unit or without
    const text = field.value.trim();
    return sign && text.endsWith(sign) ? text.slice(0, -sign.length).trim() : text;
  };
  const explain = () => {
    const plainer = DIGITS.test(typed()) && plain(Number(typed()));
    meaning.textContent = plainer ? `= ${plainer}` : "";
  };
  field.addEventListener("input", explain);
  return {
    element: make("div", undefined, make("span", undefined, field, unit ? ` ${sign} ` : " ", meaning), limits),
    value: typed,
    put(value) {
      field.value = value;
      explain();
    },
  };
}
