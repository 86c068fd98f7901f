// The fields of the page. A changed field waits for "Save". "Undo" shows the machine's value again.

import { make, percent, unitName } from "./make.js";
import { maybe, word } from "../words.js";

const ABOVE = ["games", "level"]; // on the first screen
// The hardest first, for a visitor who finds half of the winning moves.
const LEVELS = ["perfect", "strong", "equalizer", "fair", "easy", "child"];
const NAMED = { game: "game", games: "game", level: "level", levels: "level" };
const UNITS = [["minute", 60000], ["second", 1000], ["millisecond", 1]];
const $ = (id) => document.getElementById(id);
const fields = new Map(); // name: { read, write, now, told }

/** Take in the machine's values. A field that the operator has changed keeps the change. */
export function know(values) {
  for (const [name, one] of fields) {
    if (!(name in values) || one.told === values[name]) continue;
    const typed = name in changed() ? one.read() : undefined;
    one.told = values[name];
    one.write(one.told);
    one.now = one.read(); // in the order of the page
    if (typed !== undefined) one.write(typed);
  }
}

/** The changed fields. */
export const changed = () => Object.fromEntries([...fields].filter(([, { read, now }]) => now !== undefined && read() !== now).map(([name, { read }]) => [name, read()]));

export function undo() {
  for (const { write, now } of fields.values()) if (now !== undefined) write(now);
}

/** A field with read(), the machine's text for it, and write(text). */
const field = (name, read, write) => fields.set(name, { read, write });

/** The fields that are always there. */
export function begin(languages) {
  $("tongue").append(...Object.entries(languages).map(([value, name]) => Object.assign(make("option", name), { value, lang: value })));
  field("language", () => $("tongue").value, (text) => { $("tongue").value = text; });
  field("mute", () => String(Number($("mute").checked)), (text) => { $("mute").checked = text === "1"; });
  field("volume", () => $("volume").value, (text) => {
    $("volume").value = text;
    loudness();
  });
  $("volume").addEventListener("input", loudness);
  const times = [$("begins"), $("ends")];
  const check = () => {
    for (const time of times) time.disabled = !$("hushes").checked;
    times[1].setCustomValidity(times[0].value === times[1].value ? word("desk.quiet.wrong") : "");
  };
  field("quiet", () => ($("hushes").checked ? times.map(({ value }) => value).join("-") : ""), (text) => {
    $("hushes").checked = Boolean(text);
    if (text) [times[0].value, times[1].value] = text.split("-");
    check();
  });
  for (const input of [$("hushes"), ...times]) input.addEventListener("input", check);
}

const loudness = () => { $("volume").ariaValueText = $("loud").textContent = percent($("volume").value / $("volume").max); };

/** Make the fields of the firmware's settings, again after a change of language. */
export function build(controls) {
  const kept = changed(), told = Object.fromEntries([...fields].map(([name, one]) => [name, one.told]).filter(([, text]) => text !== undefined));
  const rows = [];
  for (const control of controls) {
    if (ABOVE.includes(control.name)) $(control.name).replaceChildren(hint(word(control.about)), ...choices(control));
    else if (control.name !== "mute") rows.push(row(control));
  }
  rows.sort(alphabetical);
  $("settings").replaceChildren(...rows);
  loudness();
  know(told);
  for (const [name, text] of Object.entries(kept)) fields.get(name).write(text);
}

function row(control) {
  const [box, head, parts] = control.some_of ? ["fieldset", "legend", choices(control)] : ["label", "span", control.one_of ? choice(control) : amount(control)];
  const element = make(box, undefined, make(head, word(control.about)), ...parts);
  element.dataset.setting = control.name;
  return element;
}

const named = ({ name }, value) => maybe(`${NAMED[name]}.${value}`) ?? value;

const alphabetical = (one, other) => one.textContent.localeCompare(other.textContent, document.documentElement.lang);

const hint = (...texts) => make("small", texts.join(" "));

/** An input of the form with the two buttons. */
function owned(what, properties) {
  const input = Object.assign(make(what), properties);
  input.setAttribute("form", "changes");
  return input;
}

/** One or several values with a box each: levels from the easiest, games by name. Above several, a box for all of them. */
function choices(control) {
  const some = control.some_of;
  const boxes = (some ?? control.one_of).map((value) => owned("input", { type: some ? "checkbox" : "radio", name: control.name, value }));
  const labels = boxes.map((box) => make("label", undefined, box, named(control, box.value)));
  const level = (label) => LEVELS.indexOf(label.firstChild.value);
  labels.sort((one, other) => level(other) - level(one) || alphabetical(one, other));
  const all = owned("input", { type: "checkbox" }), count = make("span");
  const check = () => {
    const ticked = boxes.filter((box) => box.checked).length;
    all.setCustomValidity(ticked ? "" : word("desk.refused.none"));
    all.checked = ticked === boxes.length;
    all.indeterminate = ticked > 0 && !all.checked;
    count.textContent = word("desk.ticked", { count: ticked, all: boxes.length });
  };
  for (const box of boxes) box.addEventListener("input", check);
  all.addEventListener("input", () => {
    for (const box of boxes) box.checked = all.checked;
    check();
  });
  field(control.name, () => boxes.filter((box) => box.checked).map(({ value }) => value).join(","), (text) => {
    for (const box of boxes) box.checked = text.split(",").includes(box.value);
    check();
  });
  return some ? [make("label", undefined, all, count), make("div", undefined, ...labels)] : labels;
}

function choice(control) {
  const list = owned("select");
  list.append(...control.one_of.map((value) => Object.assign(make("option", named(control, value)), { value })));
  field(control.name, () => list.value, (text) => {
    if (!control.one_of.includes(text)) list.append(Object.assign(make("option", text), { value: text })); // of another firmware
    list.value = text;
  });
  return [list, hint(word("desk.default.is", { value: named(control, control.default) }))];
}

/** A number, in the largest unit in which its limits are whole. */
function amount(control) {
  const { name, unit } = control;
  const [shown, per] = unit === "millisecond" ? UNITS.find(([, each]) => control.min % each === 0 && control.max % each === 0) : [unit, 1];
  const limits = { min: control.min / per, max: control.max / per };
  const input = owned("input", { type: "number", required: true, step: per === 1 ? 1 : "any", ...limits });
  const check = () => {
    input.setCustomValidity("");
    if (!input.validity.valid) input.setCustomValidity(word("desk.refused.out-of-range", limits));
  };
  input.addEventListener("input", check);
  field(name, () => (input.value === "" ? "" : String(Math.round(input.value * per))), (text) => {
    input.value = text === "" ? "" : text / per;
    check();
  });
  return [input, ` ${shown ? unitName(shown) : ""} `, hint(word("desk.range", limits), word("desk.default.is", { value: control.default / per }))];
}
