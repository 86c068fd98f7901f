// The opened back: the relays of nimatron_relays in motion. The server sends each motion as a film, and the page shows it slowly.

import { LANGUAGES } from "../languages.js";
import { speak, word } from "../words.js";

const RAISED = 1; // as in film.py
const ROWS = [1, 2, 3, 4], COLUMNS = [4, 2, 1];
const GROUPS = { "back.parity": ["SUM4", "SUM2", "SUM1", "BIG"], "back.taking": ["PULSE", "PAUSE", "TAKEN"], "back.turns": ["TURN", "WAIT", "LOST", "EMPTY", "MINE", "YOURS"] };
const THOUGHT_MS = 2000, PRESS_MS = 500; // how long a film takes on the page
const IDLE_MS = 120_000; // the back closes when the visitor has left
const SVG = "http://www.w3.org/2000/svg";

const find = (id) => document.getElementById(id);
const asked = new URLSearchParams(location.search);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const states = {};
const pulled = new Set();
const buttons = {}; // by relay
let parts = {};
let chosen = "";
let busy = false;

function make(tag, parent, attributes = {}) {
  const element = tag === "svg" || parent.namespaceURI === SVG ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return parent.appendChild(element);
}

/** A relay: its coil, its armature, and a column of springs for each contact. */
function relay(name, list) {
  const button = make("button", make("li", list), { "data-relay": name, "aria-pressed": "false" });
  const { contacts } = parts[name];
  const width = 30 + 8 * Math.max(...Object.values(parts).map((part) => part.contacts.length));
  const drawing = make("svg", button, { viewBox: `0 0 ${width} 58`, "aria-hidden": "true" });
  make("rect", drawing, { class: "coil", x: 2, y: 27, width: 20, height: 28, rx: 3 });
  for (const y of [32, 38, 44, 50]) make("path", drawing, { class: "winding", d: `M2 ${y}h20` });
  const armature = make("g", drawing, { class: "armature" });
  make("path", armature, { class: "iron", d: `M2 19H${26 + 8 * contacts.length}` });
  contacts.forEach((kind, index) => {
    const x = 30 + 8 * index;
    make("path", armature, { class: "spring", d: `M${x} 19V35` });
    if (kind !== "break") make("circle", drawing, { class: "front", cx: x, cy: 25, r: 3 });
    if (kind !== "make") make("circle", drawing, { class: "back", cx: x, cy: 47, r: 3 });
  });
  make("span", button, { "aria-hidden": "true" }).textContent = name;
  button.onclick = () => touch(name);
  buttons[name] = button;
}

function build() {
  for (const row of ROWS) {
    const strip = make("div", find("rows"), { class: "row", role: "group", "data-label": "back.row", "data-row": row });
    make("button", strip, { class: "key", "data-key": `KEY${row}`, "data-label": "back.take", "data-row": row }).textContent = row;
    const lamps = make("p", strip, { class: "lamps", role: "img", id: `lamps${row}` });
    for (let lamp = 1; lamp <= 7; lamp++) make("i", lamps, { "data-lamp": `${row}.${lamp}` });
    const list = make("ul", strip);
    for (const column of COLUMNS) for (const kind of "BN") relay(`${kind}${row}${column}`, list);
    for (const kind of ["STEP", "LIT", "ROW"]) relay(kind + row, list);
  }
  for (const [label, names] of Object.entries(GROUPS)) {
    const group = make("div", find("others"), { role: "group", "data-label": label });
    make("h2", group, { "data-say": label });
    const list = make("ul", group);
    list.style.setProperty("--relays", names.length);
    for (const name of names) relay(name, list);
  }
}

/** The name of a relay's duty in the tables, with the values for its text. */
function duty(name) {
  const [, kind, row = "", column = ""] = name.match(/^([A-Z]+)(\d?)(\d?)$/);
  return kind === "SUM" ? [kind, { column: row }] : [kind, { row, column }];
}

function about(name) {
  const [kind, gaps] = duty(name);
  const { contacts, moves } = parts[name];
  const others = moves.filter((other) => other !== name);
  return `${name}: ${word(`back.${kind}`, gaps)} ${word("back.parts", { contacts: contacts.length, others: others.length })}`;
}

function touch(name) {
  chosen = name;
  for (const [other, button] of Object.entries(buttons)) {
    button.setAttribute("aria-pressed", other === name);
    button.classList.toggle("moved", other !== name && parts[name].moves.includes(other));
  }
  find("about").textContent = about(name);
  find("pull").hidden = false;
  find("pull").textContent = word(pulled.has(name) ? "back.put" : "back.pull");
}

function show(changes) {
  Object.assign(states, changes);
  for (const [name, state] of Object.entries(changes)) {
    if (buttons[name]) {
      const [where, current] = state;
      buttons[name].dataset.armature = where;
      buttons[name].classList.toggle("live", Boolean(current));
    } else document.querySelector(`[data-lamp="${name}"]`)?.classList.toggle("lit", Boolean(state));
  }
}

const counts = () => ROWS.map((row) => [1, 2, 3, 4, 5, 6, 7].filter((lamp) => states[`${row}.${lamp}`]).length);

/** Show the end in words, which nothing needs while relays move. */
function tell() {
  for (const [name, button] of Object.entries(buttons)) button.setAttribute("aria-label", `${name}: ${word(`back.state.${states[name][0]}`)}`);
  counts().forEach((count, index) => find(`lamps${index + 1}`).setAttribute("aria-label", word("back.lamps", { count })));
  const sign = ["you-win", "i-win", "thinking", "your-move"].find((lamp) => states[lamp]) ?? "none";
  find("doing").textContent = `${word(`back.sign.${sign}`)} ${word("page.left", { rows: counts().join(", ") })}`;
}

/** Press a key, or let the machine settle after a relay was pulled out. */
async function press(key) {
  if (busy) return;
  busy = true;
  document.body.classList.add("busy");
  const up = Object.keys(buttons).filter((name) => states[name]?.[0] === RAISED);
  try {
    const answer = await fetch("film", { method: "POST", body: JSON.stringify({ up, pulled: [...pulled], misere: find("misere").checked, press: key }) });
    if (!answer.ok) throw new Error(await answer.text());
    const frames = await answer.json();
    if (key === "GO") find("doing").textContent = word("back.sign.thinking");
    await play(frames, key === "GO" ? THOUGHT_MS : PRESS_MS);
    tell();
  } catch {
    find("doing").textContent = word("ui.lost");
  }
  busy = false;
  document.body.classList.remove("busy");
}

function play(frames, ms) {
  const end = frames.at(-1)[0];
  const slower = still.matches || asked.has("still") || !end ? 0 : Math.max(1, ms / end);
  const began = performance.now();
  return new Promise((done) => {
    const draw = () => {
      const now = performance.now() - began;
      while (frames.length && frames[0][0] * slower <= now) show(frames.shift()[1]);
      if (frames.length) requestAnimationFrame(draw);
      else done();
    };
    draw();
  });
}

let idle;
function stay() {
  clearTimeout(idle);
  idle = setTimeout(() => location.assign(find("close").href), IDLE_MS);
}

find("close").href = "../";
find("misere").onchange = () => press("");
find("pull").onclick = () => {
  if (busy) return;
  if (!pulled.delete(chosen)) pulled.add(chosen);
  touch(chosen);
  press("");
};
for (const what of ["pointerdown", "keydown"]) addEventListener(what, stay);
stay();
parts = await (await fetch("parts.json")).json();
build();
for (const button of document.querySelectorAll("[data-key]")) button.addEventListener("click", () => press(button.dataset.key));
const languages = [asked.get("language"), ...navigator.languages.map((code) => code.slice(0, 2)), "en"];
await speak(languages.find((code) => code in LANGUAGES));
document.querySelector("main").hidden = false;
await press("NEW");
