// Pictures of the matches: bars, each with a table of the same numbers.

import { device, lasting, reason } from "./machine.js";
import { make, percent } from "./make.js";
import { maybe, word } from "../words.js";

const SVG = "http://www.w3.org/2000/svg";
const WON = ["people", "machine", "together", "abandoned"];
const WIDTH = 480, HEIGHT = 170, FOOT = 22, HEAD = 16, ROW = 22, LABEL = 130, LETTER = 7.2;

function shape(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

const total = (row) => WON.reduce((sum, who) => sum + row[who], 0);

/** Everything about one span of time. */
export function charts(told, span) {
  const { people, machine, together, abandoned } = told.total;
  const all = people + machine; // that were played to the end against the machine
  const won = word("desk.won.share", { won: people, all, share: percent(people / all) });
  const tiles = make("dl");
  tiles.id = "tiles";
  for (const [key, value] of [
    ["desk.matches", total(told.total)],
    ["desk.won.people", all ? won : people],
    ["desk.won.machine", machine],
    ["desk.won.together", together],
    ["desk.won.abandoned", abandoned],
    ["desk.lasted", lasting(told.minutes)],
  ]) tiles.append(make("div", undefined, make("dt", word(key)), make("dd", value)));
  const box = make("div");
  box.id = "charts";
  if (total(told.total) === 0) return [tiles, make("p", word("desk.nothing"))];
  box.append(figure("hour", hours(told.hour), upright, (of) => `${of}:00`));
  if (span !== "today") box.append(figure("day", told.day, upright, (of) => of.slice(5)));
  box.append(figure("level", told.level, flat, (of) => maybe(`level.${of}`) ?? (of || word("desk.unknown"))), figure("game", told.game, flat, (of) => maybe(`game.${of}`) ?? of));
  const parts = [tiles, key(), box];
  if (told.events.length) parts.push(make("h3", word("desk.machine")), events(told.events));
  return parts;
}

/** Each hour from the first to the last with matches, including empty ones. */
function hours(rows) {
  const known = Object.fromEntries(rows.map((row) => [row.of, row]));
  const first = Math.min(...rows.map((row) => row.of)), last = Math.max(...rows.map((row) => row.of));
  return Array.from({ length: last - first + 1 }, (_, n) => known[first + n] ?? { of: first + n, people: 0, machine: 0, together: 0, abandoned: 0 });
}

function key() {
  const line = make("p");
  line.className = "key";
  for (const who of WON) line.append(Object.assign(make("i"), { className: who }), word(`desk.won.${who}`));
  return line;
}

function figure(by, rows, draw, name = (of) => of) {
  const title = word(`desk.by.${by}`);
  const picture = draw(rows, name);
  picture.setAttribute("aria-hidden", "true"); // the table has the same
  const details = make("details", undefined, make("summary", word("desk.table")), table(title, rows, name));
  details.dataset.by = by;
  return make("figure", undefined, make("h3", title), picture, details);
}

function table(title, rows, name) {
  const cells = (row) => [...WON.map((who) => row[who]), total(row)].map((n) => Object.assign(make("td", n), { className: "number" }));
  const header = (text, scope) => Object.assign(make("th", text), { scope });
  return make("table", undefined,
    make("caption", title),
    make("thead", undefined, make("tr", undefined, make("td"), ...WON.map((who) => header(word(`desk.won.${who}`), "col")), header(word("desk.all"), "col"))),
    make("tbody", undefined, ...rows.map((row) => make("tr", undefined, header(name(row.of), "row"), ...cells(row)))));
}

/** Columns, for values with an order. */
function upright(rows, name) {
  const svg = shape("svg", { viewBox: `-12 0 ${WIDTH + 24} ${HEIGHT}` });
  const most = Math.max(1, ...rows.map(total)), step = WIDTH / rows.length;
  const scale = (HEIGHT - FOOT - HEAD) / most;
  const every = Math.ceil(rows.length / 12); // labels, so that they do not overlap
  rows.forEach((row, n) => {
    let y = HEIGHT - FOOT;
    for (const who of WON) {
      const height = row[who] * scale;
      y -= height;
      if (height) svg.append(shape("rect", { class: who, x: n * step + step * 0.1, y, width: step * 0.8, height }));
    }
    const middle = { x: n * step + step / 2, "text-anchor": "middle" };
    if (total(row) && step > 18) svg.append(shape("text", { ...middle, y: y - 4 }, total(row)));
    if (n % every === 0 && step * every > 34) svg.append(shape("text", { ...middle, y: HEIGHT - 6 }, name(row.of)));
  });
  svg.append(shape("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT - FOOT, y2: HEIGHT - FOOT }));
  return svg;
}

/** Bars with names, for values without an order. */
function flat(rows, name) {
  const sorted = [...rows].sort((one, other) => total(other) - total(one));
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${Math.max(1, sorted.length) * ROW}` });
  const label = Math.max(LABEL, ...rows.map((row) => LETTER * name(row.of).length));
  const scale = (WIDTH - label - 40) / Math.max(1, ...rows.map(total));
  sorted.forEach((row, n) => {
    const middle = n * ROW + ROW / 2;
    svg.append(shape("text", { x: label - 6, y: middle + 4, "text-anchor": "end" }, name(row.of)));
    let x = label;
    for (const who of WON) {
      const width = row[who] * scale;
      if (width) svg.append(shape("rect", { class: who, x, y: n * ROW + 3, width, height: ROW - 6 }));
      x += width;
    }
    svg.append(shape("text", { x: x + 5, y: middle + 4 }, total(row)));
  });
  return svg;
}

const EVENTS = { reset: reason, failed: device };

function events(list) {
  return make("ul", undefined, ...list.map(({ what, detail, count }) =>
    make("li", word("desk.times", { count, text: word(`desk.event.${what}`, { detail: EVENTS[what]?.(detail) || word("desk.unknown") }) }))));
}
