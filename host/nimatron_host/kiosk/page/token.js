// The token to take home: after a win, a picture of it with the match, which is shared or saved.

import { LAMPS, ROWS } from "./board.js";
import { listen, state } from "./connection.js";
import { announce, bit, gameName, PLAYING } from "./machine.js";
import { word } from "./words.js";

const SIZE = 1080; // px
const EDGE = 60; // px that stay free at the sides
const BOARDS = { top: 560, height: 370 }; // px: the room for the moves
const LAMP = 58; // px: the largest lamp
const MIDDLE = SIZE / 2;
const SAVED_MS = 2000; // on the button
const LIT = "#ffb53c", MINE = "#7fd0ff", ITS = "#ff7a5c", IVORY = "#f8ecd0";

const button = Object.assign(document.createElement("button"), { id: "keepsake", hidden: true });
let match; // the match that was won here

/** Forget the match: the next visitor has not won it. */
export function forget() {
  match = undefined;
  hide(true);
}

function hide(hidden) {
  if (button.hidden !== hidden) button.hidden = hidden; // else the browser draws for nothing
}

function offer() {
  if (PLAYING.includes(state.state) || state.lesson?.step) return forget();
  if (state.match?.path) match = state.match;
  // A wall has no place for a file.
  hide(!match || !state.tokens || Boolean(state.real) || matchMedia("(display-mode: fullscreen)").matches);
}

// ---------------------------------------------------------------------- the picture

/** Write one line in the middle, smaller if it is long. */
function write(pen, text, y, size, colour, weight = 700, most = SIZE - 2 * EDGE) {
  do pen.font = `${weight} ${size--}px Jost, system-ui, sans-serif`;
  while (pen.measureText(text).width > most);
  pen.fillStyle = colour;
  pen.fillText(text, MIDDLE, y);
}

function disc(pen, x, y, radius, fill) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
}

function ring(pen, x, y, radius, colour, width) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  Object.assign(pen, { strokeStyle: colour, lineWidth: width });
  pen.stroke();
}

/** The night, with rays behind the token, in a frame of brass. */
function background(pen) {
  pen.fillStyle = "#0a1024";
  pen.fillRect(0, 0, SIZE, SIZE);
  pen.fillStyle = "#1b2749";
  for (let ray = 0; ray < 18; ray++) {
    const [from, to] = [ray, ray + 0.5].map((part) => (part * Math.PI) / 9);
    pen.beginPath();
    pen.moveTo(MIDDLE, 235);
    pen.arc(MIDDLE, 235, 2 * SIZE, from, to);
    pen.fill();
  }
  Object.assign(pen, { strokeStyle: "#d9ad5f", lineWidth: 14 });
  pen.strokeRect(18, 18, SIZE - 36, SIZE - 36);
}

function token(pen) {
  const gold = pen.createRadialGradient(MIDDLE - 50, 170, 10, MIDDLE, 235, 190);
  for (const [at, colour] of [[0, "#fffbe0"], [0.45, "#f0c75c"], [1, "#a9741f"]]) gold.addColorStop(at, colour);
  disc(pen, MIDDLE, 235, 165, gold);
  ring(pen, MIDDLE, 235, 148, "#8d5f16", 6);
  write(pen, "NIM", 232, 92, "#4a2d05", 700, 200);
  write(pen, "CHAMP", 300, 62, "#4a2d05", 700, 220);
}

/** The board before each move. A ring is a lamp that the move switched off, and a disc one that it lit. */
function moves(pen) {
  const { path, first } = match, count = path.length - 1;
  const used = path.reduce((all, mask) => all | mask);
  const lamps = Array.from({ length: ROWS * LAMPS }, (_, lamp) => lamp).filter((lamp) => bit(used, lamp));
  const wide = 1 + Math.max(...lamps.map((lamp) => lamp % LAMPS)), high = 1 + Math.max(...lamps.map((lamp) => Math.floor(lamp / LAMPS)));
  const fits = (across) => Math.min((SIZE - 2 * EDGE) / across / (wide + 1), BOARDS.height / Math.ceil(count / across) / (high + 1), LAMP);
  let across = 1; // boards in a line
  for (let more = 2; more <= count; more++) if (fits(more) > fits(across)) across = more;
  const size = fits(across), width = size * (wide + 1), lines = Math.ceil(count / across);
  const top = BOARDS.top + (BOARDS.height - lines * size * (high + 1)) / 2;
  for (let move = 0; move < count; move++) {
    const line = Math.floor(move / across), inLine = Math.min(across, count - line * across);
    const left = MIDDLE - (inLine * width) / 2 + (move % across) * width;
    const colour = (move % 2 === 0) === (first === "player") ? MINE : ITS;
    for (const lamp of lamps) {
      const before = bit(path[move], lamp), after = bit(path[move + 1], lamp);
      const x = left + size * (1 + (lamp % LAMPS)), y = top + size * (1 + line * (high + 1) + Math.floor(lamp / LAMPS));
      if (after) disc(pen, x, y, 0.4 * size, before ? LIT : colour);
      else if (before) ring(pen, x, y, 0.33 * size, colour, 0.14 * size);
      else disc(pen, x, y, 0.1 * size, "#57503d");
    }
  }
}

/** Draw the token with the match, as a PNG. */
async function picture() {
  await document.fonts.load("700 80px Jost").catch(() => {}); // otherwise in another font
  const canvas = Object.assign(document.createElement("canvas"), { width: SIZE, height: SIZE });
  const pen = canvas.getContext("2d");
  pen.textAlign = "center";
  background(pen);
  token(pen);
  write(pen, word("keepsake.beat"), 488, 88, IVORY);
  const date = new Date().toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });
  const rows = Array.from({ length: ROWS }, (_, row) => [...((match.path[0] >> (row * LAMPS)) & (2 ** LAMPS - 1)).toString(2)].filter((digit) => digit === "1").length);
  write(pen, `${gameName(match.game)}: ${rows.filter(Boolean).join(", ")} · ${date}`, 545, 40, "#f7dd9c", 500);
  moves(pen);
  write(pen, word("keepsake.mine"), 985, 34, MINE, 600);
  write(pen, word("keepsake.its"), 1030, 34, ITS, 600);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function save(file) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function take() {
  const file = new File([await picture()], "nimatron-token.png", { type: "image/png" });
  try {
    if (navigator.canShare?.({ files: [file] })) return await navigator.share({ files: [file], title: word("keepsake.beat") });
  } catch (why) {
    if (why.name === "AbortError") return;
  }
  save(file);
  button.textContent = word("keepsake.saved");
  announce(button.textContent);
  setTimeout(() => (button.textContent = word("keepsake.take")), SAVED_MS);
}

export function takeHome() {
  button.dataset.say = "keepsake.take";
  button.addEventListener("click", take);
  document.getElementById("caption").append(button);
  listen(offer);
}
