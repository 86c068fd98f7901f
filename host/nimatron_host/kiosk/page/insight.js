// Draws why a position is won or lost: each row in groups of 4, 2 and 1, lines between partners. See `insight` in explain.py.

import { LAMPS, ROWS } from "./board.js";
import { word } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const RADIUS = 0.26; // of a lamp on a small board, whose lamps are 1 apart
const BADGE = 0.15;

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

/** The picture of groups over lamps of this radius. Cells are `wide` wide and 1 high. `old`: the lines of the picture before. */
export function drawing({ kind, groups }, radius = RADIUS, wide = 1, old = new Set()) {
  const around = Math.min(radius + 0.09, 0.49);
  const boxes = groups.map(([mask]) => {
    const { row, first, last } = place(mask);
    const x = (first + 0.5) * wide - around, right = (last + 0.5) * wide + around;
    return { x, y: row + 0.5 - around, width: right - x, height: 2 * around, middle: (x + right) / 2 };
  });
  const ties = [], shapes = [], badges = [];
  let singles = 0;
  groups.forEach(([mask, weight, partner], index) => {
    const { x, y, width, height, middle } = boxes[index];
    const alone = kind === "pairs" ? partner === null : kind === "turn" && weight === 0;
    const style = `${kind === "pairs" ? `w${weight}` : "single"}${alone ? " alone" : ""}`;
    shapes.push(make("rect", { class: `group ${style}`, x, y, width, height, rx: around }));
    const [left, top] = [x + around * 0.3, y + around * 0.3];
    if (kind === "pairs") badges.push(badge(weight, weight, left, top, style));
    else if (!alone) badges.push(badge(1, ++singles, left, top, style)); // single lamps are counted
    if (kind === "pairs" && partner > index) {
      const to = boxes[partner];
      const begin = y + height, bend = Math.max((to.y - begin) / 2, 0.1);
      const path = `M${middle} ${begin}C${middle} ${begin + bend} ${to.middle} ${to.y - bend} ${to.middle} ${to.y}`;
      const fresh = old.has(`${mask} ${groups[partner][0]}`) ? "" : " fresh";
      ties.push(make("path", { class: `tie w${weight}${fresh}`, d: path, pathLength: 1 }));
    }
  });
  return [...ties, ...shapes, ...badges];
}

/** The names of the lines, for `old`. */
export const tied = ({ groups }) => new Set(groups.filter(([, , partner], index) => partner > index).map(([mask, , partner]) => `${mask} ${groups[partner][0]}`));

/** A number in its own shape, for people who do not see colours: 4 a square, 2 a diamond, 1 a circle. */
function badge(shape, text, x, y, style) {
  const size = BADGE * 2;
  const back = {
    4: () => make("rect", { x: x - BADGE, y: y - BADGE, width: size, height: size }),
    2: () => make("rect", { x: x - BADGE, y: y - BADGE, width: size, height: size, transform: `rotate(45 ${x} ${y})` }),
  }[shape]?.() ?? make("circle", { cx: x, cy: y, r: BADGE * 1.15 });
  const label = make("text", { x, y, "font-size": size * 0.95, "text-anchor": "middle", dy: "0.36em" }, String(text));
  return make("g", { class: `badge ${style}` }, back, label);
}

const counts = (mask) => [...Array(ROWS).keys()].map((row) => [...Array(LAMPS).keys()].filter((lamp) => bit(mask, row * LAMPS + lamp)).length);

/** A small picture of the board. gone: lamps just put out. come: lamps just lit. groups: see explain.py. */
export function board(lit, { gone = 0, come = 0, seen } = {}) {
  const svg = make("svg", { class: "small-board", viewBox: `0 0 ${LAMPS} ${ROWS}`, role: "img", "aria-label": word("review.board", { rows: counts(lit).join(", ") }) });
  for (let lamp = 0; lamp < ROWS * LAMPS; lamp++) {
    const x = (lamp % LAMPS) + 0.5, y = Math.floor(lamp / LAMPS) + 0.5;
    const kind = bit(lit, lamp) ? (bit(come, lamp) ? "lit come" : "lit") : bit(gone, lamp) ? "gone" : "dark";
    svg.append(make("circle", { class: kind, cx: x, cy: y, r: kind === "dark" ? 0.09 : RADIUS }));
    if (kind === "gone") svg.append(make("path", { class: "cross", d: `M${x - 0.16} ${y - 0.16}l.32 .32m0 -.32l-.32 .32` }));
  }
  if (seen) svg.append(...drawing(seen));
  return svg;
}
