// Draws why a position is won or lost: each row in groups of 4, 2 and 1, lines between partners. See `insight` in explain.py.

import { LAMPS, ROWS } from "./board.js";
import { word } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const RADIUS = 0.26; // of a lamp on a small board, whose lamps are 1 apart
const EDGE = 0.04; // the part of the widest frame that is outside it, so that it stays on the board
const SHIFTS = { 4: 0.08, 2: 0.04, 1: 0 }; // lines of different groups lie side by side

export const bit = (mask, lamp) => Boolean(mask >> lamp & 1);

function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The place of a group, in cells: its row, and its first and last column. */
function place(mask) {
  const lamps = [...Array(ROWS * LAMPS).keys()].filter((lamp) => bit(mask, lamp));
  return { row: Math.floor(lamps[0] / LAMPS), first: lamps[0] % LAMPS, last: lamps.at(-1) % LAMPS };
}

/** The picture of groups over lamps of this radius. Cells are `wide` wide and 1 high. `before`: the insight that was drawn before, in which a group had another place, or was part of a larger group. */
export function drawing({ kind, groups, goes }, radius, wide, before) {
  const around = Math.min(radius + 0.09, 0.49, wide / 2 - EDGE);
  const boxes = groups.map(([mask]) => box(mask, around, wide)), old = named(before), names = [...named({ groups }).keys()];
  const ties = [], shapes = [];
  groups.forEach(([mask, weight, partner], index) => {
    const { x, y, right } = boxes[index];
    const alone = kind === "pairs" ? partner === null : kind === "turn" && weight === 0;
    const style = `${kind === "pairs" ? `w${weight}` : "single"}${alone ? " alone" : ""}`;
    const was = old.get(names[index]), from = was?.[0] ?? before?.groups.find(([whole]) => (whole & mask) === mask)?.[0] ?? mask;
    const shape = make("rect", { class: `group ${style}${from === mask ? "" : " moved"}`, x, y, width: right - x, height: 2 * around, rx: around });
    const there = box(from, around, wide);
    shape.style.setProperty("--x", `${there.x}px`);
    shape.style.setProperty("--width", `${there.right - there.x}px`);
    shapes.push(shape);
    if (partner > index) {
      const fresh = was?.[1] === names[partner] ? "" : " fresh";
      ties.push(make("path", { class: `tie w${weight}${fresh}`, d: way(boxes, index, partner, weight, wide), pathLength: 1 }));
    }
  });
  return [...ties, ...shapes, ...brackets(goes ?? 0, around, wide)];
}

/** The frame of lamps in one row. */
function box(mask, around, wide) {
  const { row, first, last } = place(mask);
  const x = (first + 0.5) * wide - around, right = (last + 0.5) * wide + around;
  return { row, x, right, y: row + 0.5 - around, end: row + 0.5 + around, middle: (x + right) / 2 };
}

/** The groups by name, with their lamps and their partner's name. A group that moves keeps its name. */
function named(insight) {
  const names = (insight?.groups ?? []).map(([mask, weight]) => `${place(mask).row} ${weight}`);
  return new Map(names.map((name, index) => [name, [insight.groups[index][0], names[insight.groups[index][2]]]]));
}

/** The way of a line between two groups: through the rooms between rows and between columns, never over a lamp or another group. */
function way(boxes, index, partner, weight, wide) {
  const [from, to] = [boxes[index], boxes[partner]], shift = SHIFTS[weight];
  const above = from.row + 1 + shift, below = to.row + shift;
  if (to.row === from.row + 1) return `M${from.middle} ${from.end}V${above}H${to.middle}V${to.y}`;
  const between = boxes.filter(({ row }) => row > from.row && row < to.row), middle = (from.middle + to.middle) / 2;
  const rooms = [...Array(LAMPS + 1).keys()].map((column) => Math.min(column * wide + shift, LAMPS * wide - EDGE));
  const free = rooms.filter((x) => !between.some((other) => other.x < x && x < other.right));
  const x = free.reduce((best, room) => (Math.abs(room - middle) < Math.abs(best - middle) ? room : best));
  return `M${from.middle} ${from.end}V${above}H${x}V${below}H${to.middle}V${to.y}`;
}

/** Brackets under lamps, one for each row. */
function brackets(mask, around, wide) {
  const inRow = (row) => mask & ((1 << LAMPS) - 1) << row * LAMPS;
  return [...Array(ROWS).keys()].filter(inRow).map((row) => {
    const { x, right, end } = box(inRow(row), around, wide);
    return make("path", { class: "bracket", d: `M${x} ${end - 0.06}V${end + 0.04}H${right}V${end - 0.06}` });
  });
}

const counts = (mask) => [...Array(ROWS).keys()].map((row) => [...Array(LAMPS).keys()].filter((lamp) => bit(mask, row * LAMPS + lamp)).length);

/** A small picture of the board. gone: lamps just switched off. come: lamps just lit. */
export function board(lit, { gone = 0, come = 0 } = {}) {
  const svg = make("svg", { class: "small-board", viewBox: `0 0 ${LAMPS} ${ROWS}`, role: "img", "aria-label": word("why.board", { rows: counts(lit).join(", ") }) });
  for (let lamp = 0; lamp < ROWS * LAMPS; lamp++) {
    const x = (lamp % LAMPS) + 0.5, y = Math.floor(lamp / LAMPS) + 0.5;
    const kind = bit(lit, lamp) ? (bit(come, lamp) ? "lit come" : "lit") : bit(gone, lamp) ? "gone" : "dark";
    svg.append(make("circle", { class: kind, cx: x, cy: y, r: kind === "dark" ? 0.09 : RADIUS }));
    if (kind === "gone") svg.append(make("path", { class: "cross", d: `M${x - 0.16} ${y - 0.16}l.32 .32m0 -.32l-.32 .32` }));
  }
  return svg;
}
