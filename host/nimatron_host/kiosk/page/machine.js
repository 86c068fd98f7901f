// Draws the machine from the server's state: lamps, signs, buttons, cup and captions. It has no rules of games.

import { LAMPS, ROWS } from "./board.js";
import { connected, listen, state } from "./connection.js";
import { tone } from "./sound.js";
import { maybe, say, sayHere, word } from "./words.js";

const SIGNS = ["your-move", "machine-move", "you-win", "machine-wins"];
const KEYS = { attract: [["page.keys.lamps", {}]] };
const CLOSED = ["maintenance", "crashed"]; // where presses are refused
export const PLAYING = ["opening", "player", "thinking", "machine"];
const STEADY_MS = 500; // MACHINE'S MOVE flickers at 4 Hz while it thinks, but more than 3 Hz is too fast for some people
const NOTICE_MS = 6000;
const ROW = 2 ** LAMPS - 1; // the lamps of the first row, as a mask
const ONCE = "equalizer"; // the level with at most one mistake
const CALL_MS = 3000; // after the last pick
const MISSED = /^(page\.)?refused|^rewind\.miss$/, BEATEN = /^rewind\.(here|lost)\.player$/; // messages with a red cross, or a sad face
const TOGETHER_MS = 20; // a button waits so long for its lamp: a separate frame would delay the lamp

const $ = (id) => document.getElementById(id);
export const lamps = []; // the elements, row by row
export const buttons = () => document.querySelectorAll("[data-button]");
export const bit = (mask, lamp) => Boolean((mask ?? 0) >> lamp & 1);

const held = new Set(); // by fingers and keys on this page
const rows = [];
let film = null; // the picture in place of the machine's lamps, as a mask
let aim = null; // the lamp that is pointed at
let notice = null; // a message from the page, for some seconds
let more = []; // more messages, from the server
let kept = null; // a caption that stays although the machine is in its show again
let first = false; // True in a match until the machine moves, but not in practice
let clicks = 0, fading = 0, noticed = 0, moving = 0, calling = 0;

export function build() {
  document.documentElement.style.setProperty("--rows", ROWS);
  document.documentElement.style.setProperty("--lamps", LAMPS);
  for (let row = 0; row < ROWS; row++) {
    const strip = $("lamps").appendChild(document.createElement("div"));
    strip.className = "lamps";
    strip.setAttribute("role", "row");
    rows.push(strip);
    for (let column = 0; column < LAMPS; column++) {
      const lamp = strip.appendChild(document.createElement("i"));
      lamp.setAttribute("role", "gridcell");
      lamp.tabIndex = row || column ? -1 : 0;
      lamp.dataset.lamp = lamps.length;
      lamps.push(lamp);
    }
    const button = $("rows").appendChild(document.createElement("button"));
    Object.assign(button.dataset, { button: `row${row + 1}`, label: "ui.press.row", row: row + 1 });
    button.append(Object.assign(document.createElement("span"), { textContent: row + 1 }));
  }
  for (const name of SIGNS) {
    const sign = $("signs").appendChild(document.createElement("li"));
    sign.id = name;
    sign.innerHTML = `<span data-say="sign.${name}"></span>`;
  }
  allow();
  listen(show);
}

function show(news) {
  if (news === state) caption(); // in another language
  if (news.cut) {
    held.clear();
    tone(0);
    pressed();
  }
  if (news.late) remark("page.late");
  if (news.state) first = state.state === "opening" || (first && ["player", "thinking"].includes(state.state));
  if (news.state || news.game) Object.assign(document.body.dataset, { state: state.state ?? "off", game: state.game ?? "" });
  if (news.lamps || news.touch || "picked" in news || news.state || "waits" in news || news.insight) light();
  if (news.lamps || news.tokens || news.insight) left();
  if (news.legends) signs();
  if (news.sound !== undefined && news !== state) sound(news.sound);
  if (news.lamps || (news.held && !moving)) pressed();
  if (news.rule || news.game) plate();
  if (news.doing || news.advice || news.state || news.level || "control" in news || "picked" in news || "waits" in news || "offer" in news || news.lesson) caption();
  if ("picked" in news || (news.insight && isHelped())) call();
  if ("tokens" in news || "coin" in news) cup();
  if ("control" in news || "waits" in news || news.state) allow();
  if (news.people) document.body.classList.toggle("people", state.people > 1);
  if ("real" in news) document.body.classList.toggle("real", Boolean(state.real));
}

// ---------------------------------------------------------------------- lamps

/** The lit lamps, as a mask. */
const litNow = () => state.lamps?.reduce((mask, brightness, lamp) => mask | (brightness > 0.1) << lamp, 0) ?? 0;

/** Draw `mask` in place of the machine's own lamps. With null, draw the machine's lamps again. */
export function project(mask) {
  if (mask === film) return;
  film = mask;
  light();
  left();
}

/** Preview a touch of this lamp. null ends the preview. */
export function point(lamp) {
  if (lamp === aim) return;
  aim = lamp;
  light();
}

/** True if a lit lamp cannot be touched in a player's turn, although other lamps can. */
export const refused = (lamp) => ["player", "opening"].includes(state.state) && mayPress() && state.lamps[lamp] > 0.1 && state.touch?.[lamp] == null && state.touch?.some((after) => after != null);

/** The lamps that a touch would switch off, and the lamps that it would light, as masks. */
export function change(lamp) {
  const after = state.touch?.[lamp];
  if (after == null || lamp === null || film !== null) return [0, 0];
  const before = touchable();
  return [before & ~after, after & ~before];
}

/** The lit lamps, except a picked lamp that blinks. */
const touchable = () => litNow() & ~(state.picked ?? 0);

function light() {
  if (!state.lamps) return;
  const [going, coming] = change(aim), shown = film ?? litNow(), found = groups();
  lamps.forEach((lamp, n) => {
    const brightness = film === null ? Math.min(state.lamps[n], 1) ** 0.45 : Number(bit(film, n)); // as the eye perceives it
    lamp.style.setProperty("--b", brightness);
    lamp.classList.toggle("lit", brightness > 0.3);
    lamp.classList.toggle("picked", film === null && bit(state.picked, n));
    lamp.classList.toggle("going", bit(going, n));
    lamp.classList.toggle("coming", bit(coming, n));
    lamp.classList.toggle("live", mayPress() && (state.touch?.[n] != null || ["attract", "verdict"].includes(state.state)));
    name(lamp, n, bit(shown, n), found.find(([mask]) => bit(mask, n)));
  });
  const position = isPosition();
  counts().forEach((count, row) => set(rows[row], "aria-label", word(position ? "ui.row" : "ui.press.row", { row: row + 1, count })));
  $("lamps").dataset.label = state.state === "attract" && !position ? "page.demonstration" : "page.lamps"; // also after a change of language
  set($("lamps"), "aria-label", word($("lamps").dataset.label));
}

/** True if the lamps show a position. Otherwise a show moves them. */
const isPosition = () => PLAYING.includes(state.state) || Boolean(kept && film !== null);

/** The number of lit lamps in each row. */
function counts() {
  const shown = film ?? litNow();
  return rows.map((_, row) => lamps.slice(row * LAMPS, (row + 1) * LAMPS).filter((_, column) => bit(shown, row * LAMPS + column)).length);
}

/** Name a lamp for those who hear the page, with its group if groups are drawn. */
function name(lamp, n, lit, [, weight, partner] = []) {
  const gaps = { row: Math.floor(n / LAMPS) + 1, lamp: (n % LAMPS) + 1 };
  let key = "page.lamp";
  if (film === null && bit(state.picked, n)) key = "page.lamp.picked";
  else if (state.touch?.[n] != null) {
    const [going] = change(n);
    key = going ? "page.lamp.out" : "page.lamp.in";
    gaps.count = [...going.toString(2)].filter((digit) => digit === "1").length;
  } else if (isPosition()) key = lit ? "page.lamp.lit" : "page.lamp.dark";
  const group = weight ? word(partner === null ? "page.lamp.group.alone" : "page.lamp.group", { weight }) : "";
  set(lamp, "aria-label", [word(key, gaps), group].filter(Boolean).join(". "));
  set(lamp, "aria-selected", bit(state.picked, n));
}

/** Set an attribute only if it changes: a screen reader announces each change. */
function set(element, attribute, value) {
  if (element.getAttribute(attribute) !== String(value)) element.setAttribute(attribute, value);
}

// ---------------------------------------------------------------------- signs, sounds and buttons

/** Light the signs. While the board shows an earlier moment, they still show who has won. */
function signs() {
  const now = kept?.legends ?? state.legends ?? [];
  for (const name of SIGNS) {
    const lit = now.includes(name);
    if (name !== "machine-move") glow(name, lit);
    else if (lit) {
      clearTimeout(fading);
      fading = 0;
      glow(name, true);
    } else if (!["thinking", "machine"].includes(state.state)) glow(name, false);
    else fading ||= setTimeout(() => (glow(name, state.legends.includes(name)), (fading = 0)), STEADY_MS);
  }
}

/** Light a sign, or switch it off. A dark sign is not read out. */
function glow(name, lit) {
  $(name).classList.toggle("lit", lit);
  set($(name), "aria-hidden", !lit);
}

function sound(hertz) {
  tone(hertz);
  if (!hertz) return;
  const relays = $("relays").children; // each tone moves one of them
  relays[clicks++ % relays.length].classList.toggle("on");
}

/** Note that this page holds a button, or lets go of it. It is drawn with the machine's answer, or soon without it. */
export function hold(button, down) {
  held[down ? "add" : "delete"](button);
  clearTimeout(moving);
  moving = setTimeout(pressed, TOGETHER_MS);
}

function pressed() {
  clearTimeout(moving);
  moving = 0;
  for (const button of buttons()) {
    const name = button.dataset.button;
    button.classList.toggle("down", held.has(name) || (connected() && Boolean(state.held?.includes(name))));
  }
}

/** True if this page may play, and no other page plays, and the machine is not in maintenance. */
export const mayPress = () => Boolean(state.control) && !state.waits && !CLOSED.includes(state.state);

function allow() {
  for (const button of buttons()) button.disabled = !mayPress();
  document.body.classList.toggle("watching", !state.control);
  document.body.classList.toggle("waits", Boolean(state.control && state.waits)); // for a friend
}

/** Have GO glow while lamps are picked, and then pulse to call the player. In practice, GO stays dark while the picked lamps do not win. */
function call() {
  const { trial, good } = state.insight ?? {};
  const calls = state.picked && !(isHelped() && trial && good === false);
  document.body.dataset.picked = calls ? "yes" : "";
  document.body.classList.remove("calling");
  clearTimeout(calling);
  if (calls) calling = setTimeout(() => document.body.classList.add("calling"), CALL_MS);
}

function cup() {
  $("chute").classList.toggle("open", Boolean(state.coin));
  $("chute").classList.toggle("full", state.tokens > 0);
  $("cup").setAttribute("aria-label", state.tokens ? word("ui.tokens", { count: state.tokens }) : word("ui.no-token"));
}

// ---------------------------------------------------------------------- words

/** A game's name: a translation may be missing. */
export const gameName = (name) => maybe(`game.${name}`) ?? name;

function plate() {
  write("game", state.game ? gameName(state.game) : "");
  write("rule", say(state.rule));
  $("rule").style.setProperty("--letters", $("rule").textContent.length);
}

/** Show a message of the page for some seconds, in place of the caption, with messages of the server. Without a key, remove it. */
export function remark(key, besides = []) {
  if (!key && !notice) return;
  clearTimeout(noticed);
  notice = key ?? null;
  more = besides;
  if (key) noticed = setTimeout(remark, NOTICE_MS);
  caption();
}

export const remarked = () => notice;

/** Keep the caption of this state, and the message about its keys. null ends it. */
export function keep(said) {
  if (said === kept) return;
  kept = said;
  document.body.classList.toggle("kept", Boolean(kept));
  light();
  signs();
  caption();
}

/** One line: what the machine says, or what the visitor can do. */
function caption() {
  const line = said();
  write("doing", line);
  left();
  $("caption").style.setProperty("--letters", line.length);
  const over = state.state === "verdict" && mayPress() && !kept && !state.lesson?.step;
  const keys = notice ? [notice] : ((kept ?? state).doing ?? []).map(([key]) => key), { classList } = $("caption");
  const beaten = Boolean(over && !state.won && state.people === 1);
  if (keys.includes("refused.none") && !classList.contains("missed")) shake($("go"));
  classList.toggle("found", keys.includes("rewind.found"));
  classList.toggle("missed", keys.some((key) => MISSED.test(key)));
  classList.toggle("beaten", beaten || keys.some((key) => BEATEN.test(key)));
  $("board").classList.toggle("beaten", beaten);
  $("board").classList.toggle("glad", Boolean(over && state.won && !state.tokens)); // otherwise the medal is shown
}

/** Announce to those who hear the page what is picked, or the rows after a move or when the board has gone back, and then its keys. */
export function left() {
  const picked = state.picked && mayPress() ? sayHere(state.doing) : "";
  const still = ["opening", "player"].includes(state.state) || (kept && film !== null);
  const shown = still && (!state.picked || isHelped()) ? word("page.left", { rows: counts().map((count, row) => inRow(row) || count || word("page.left.none")).join(", ") }) : "";
  announce([picked, say(kept?.why), shown, mayPress() ? say(kept ? kept.keys : KEYS[state.state]) : ""].filter(Boolean).join(" "));
}

/** The groups of 4, 2 and 1 that are drawn over the lamps: on a board that has gone back, or in practice. */
function groups() {
  if (kept) return kept.groups ?? [];
  const { kind, lamps: known, groups: found } = state.insight ?? {};
  return isHelped() && kind === "pairs" && known === litNow() ? found : [];
}

/** True while the page draws groups in a match. */
const isHelped = () => Boolean(state.rewind?.practice || state.lesson?.help);

const inRow = (row) => groups().filter(([mask]) => mask >> (row * LAMPS) & ROW).map(([, weight, partner]) => (partner === null ? word("page.left.alone", { weight }) : weight)).join(" + ");

/** Have a screen reader say this, until the caption or the lamps change. */
export const announce = (text) => write("left", text);

function said() {
  const { advice = [] } = kept ?? state;
  const opening = state.state === "opening", mine = mayPress();
  const doing = ((kept ?? state).doing ?? []).filter(([key]) => !opening || key !== state.rule?.[0]?.[0]); // the rule is above
  if (!state.state) return word("page.warming");
  if (notice) return [word(notice), more.length ? sayHere(more) : maybe(`${notice}.more`) ?? ""].join(" ").trim();
  if (kept || state.lesson?.step) return sayHere(advice) || sayHere(doing);
  const once = mine && state.level === ONCE && state.people === 1 ? [["once", {}]] : [];
  if (first && state.state === "thinking" && once.length) return sayHere([...doing.filter(([key]) => key !== "state.thinking"), ...once]);
  if (state.state === "attract") doing.push(...once);
  const begun = opening && !doing.length ? (mine ? [["state.opening", {}], ...once] : [["watch.state.opening", {}]]) : [];
  if (mine && state.won) return sayHere([...doing, ...advice]);
  const others = advice.filter(([key]) => key.startsWith("table.") || key.startsWith("do.last.")); // about the other pages, and about the last lamp
  return (mine && state.picked && sayHere(advice.slice(0, 1))) || sayHere([...doing, ...begun, ...others]) || sayHere(advice);
}

/** Show that a press or a touch has no effect. */
export function shake(element) {
  element.classList.remove("nothing");
  void element.offsetWidth; // so that the animation begins again
  element.classList.add("nothing");
}

function write(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text; // otherwise it is read out again
}
