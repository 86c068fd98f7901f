// The operator's page, with its own token and its own socket.

import { LANGUAGES } from "../languages.js";
import { maybe, speak, word } from "../words.js";
import { charts } from "./charts.js";
import { health, lasting, restarts, stats, status, within } from "./machine.js";
import { make } from "./make.js";
import * as settings from "./settings.js";
import * as sound from "./sound.js";

const AGAIN_MS = 2000, SILENCE_MS = 5000;
const $ = (id) => document.getElementById(id);
let state = {};
let socket, heard = 0, span = "today", figures, failed = "";
let asked = 0; // how often for figures
let answered = 0; // how many answers were shown
const waiting = new Map(); // a line that was sent: where its answer is shown

/** Take the token out of the address, where the next person could see it. */
function token() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("operator", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("operator");
}

// ---------------------------------------------------------------------- the display

function show(news) {
  if (news.trusted) welcome();
  if (news.said) {
    $("said").textContent = news.said.join("\n");
    $("said").scrollTop = $("said").scrollHeight;
  }
  if (news.controls) $("settings").replaceChildren(...settings.build(news.controls, send));
  if (news.pico || news.controls) pico(state.pico ?? {});
  for (const [n, line, kind, values] of news.answers ?? []) {
    if (n >= answered) hear(line, kind, values);
    answered = Math.max(answered, n + 1);
  }
  if ("sounds" in news) sound.show(state.sounds);
  if (news.tables) tables(state.tables);
  if (news.edition) refresh();
  if (news.state || news.failures) say(...status(state));
  if (news.state) offer();
}

/** List the tables that can be closed: all except the first. */
function tables(open) {
  $("tables").hidden = false;
  $("open").textContent = open.length ? word("desk.tables.open", { count: open.length }) : word("desk.tables.none");
  $("others").replaceChildren(...open.map(({ number, pages, minutes, state }) => {
    const told = [word("desk.tables.one", { number }), maybe(`desk.state.${state}`) ?? state, word("desk.tables.pages", { pages, lasting: lasting(minutes) })];
    const close = make("button", word("desk.tables.close"));
    close.addEventListener("click", () => tell({ close: String(number) }));
    return make("li", undefined, `${told.join(" · ")} `, close);
  }));
}

/** Offer the present action: maintenance, or the way out of it in the same place. */
function offer() {
  const focused = document.activeElement;
  for (const button of document.querySelectorAll("[data-in]")) button.disabled = button.dataset.in !== within(state);
  const [go, back] = ["maintenance", "reboot"].map((line) => document.querySelector(`[data-in][data-send=${line}]`));
  go.hidden = !back.disabled;
  back.hidden = back.disabled;
  if (focused === go || focused === back) (go.hidden ? back : go).focus();
}

function say(text, bad) {
  $("status").textContent = text;
  $("status").classList.toggle("bad", bad);
}

function pico(told) {
  $("health").replaceChildren(health({ ...told.version, ...told.health }));
  $("stats").replaceChildren(...stats(told.stats ?? {}));
  settings.fill(told.settings ?? {});
}

function hear(line, kind, values) {
  const known = settings.hear(line, kind, values);
  const element = waiting.get(line);
  waiting.delete(line);
  if (element && !(known && element.closest(".setting"))) settings.told(element, kind, values);
}

/** Draw the figures. Open tables stay open, and the focus stays. */
function draw() {
  if (!figures) return failed && $("figures").replaceChildren(make("p", word(failed)));
  const tables = () => [...$("figures").querySelectorAll("details")];
  const open = tables().filter((table) => table.open).map((table) => table.dataset.by);
  const focused = tables().find((table) => table.contains(document.activeElement))?.dataset.by;
  $("figures").replaceChildren(...charts(figures[span], span));
  for (const table of tables()) {
    table.open = open.includes(table.dataset.by);
    if (table.dataset.by === focused) table.querySelector("summary").focus();
  }
}

function welcome() {
  $("login").hidden = true;
  $("desk").hidden = false;
}

function ask(denied) {
  sessionStorage.removeItem("operator");
  $("desk").hidden = true;
  $("login").hidden = false;
  $("denied").textContent = denied ? word("desk.denied") : "";
  say("", false);
  $("token").focus();
}

/** Write all texts again, in this language. */
async function translate(code) {
  const spoken = await speak(code);
  if (!spoken) return;
  document.title = word("desk.title");
  $("language").value = spoken;
  if (!$("desk").hidden) {
    show({ ...state, said: undefined, answers: undefined, edition: undefined });
    draw();
  }
}

// ---------------------------------------------------------------------- questions

const fetched = (path) => fetch(path, { headers: { Authorization: `Bearer ${token()}` } });

async function refresh() {
  const turn = ++asked;
  const answer = await fetched("figures.json").catch(() => undefined);
  if (!answer?.ok) return;
  const told = await answer.json();
  if (turn !== asked) return; // newer ones are on their way
  figures = told.today ? told : undefined;
  failed = figures ? "" : "desk.unreadable";
  draw();
}

async function download(name) {
  const answer = await fetched(name);
  if (!answer.ok) return;
  const link = make("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function tell(message) {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(message));
  return true;
}

/** Type a line at the console, or show the reason in an element if that fails. True if it was typed. */
function type(line, element) {
  const away = ["away", "off"].includes(state.state);
  const typed = !away && tell({ send: line });
  element.classList.toggle("bad", !typed);
  element.textContent = typed ? "" : word(away ? "state.away" : "desk.offline");
  return typed;
}

/** Type a line at the console, and show the answer in an element. */
function send(line, element) {
  if (type(line, element)) waiting.set(line, element);
}

// ---------------------------------------------------------------------- the line

function connect() {
  if (!token()) return ask(false);
  const address = new URL("look", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  heard = Date.now();
  answered = 0;
  waiting.clear();
  state = {};
  socket.addEventListener("open", () => tell({ token: token() }));
  socket.addEventListener("message", (event) => {
    heard = Date.now();
    const news = JSON.parse(event.data);
    trusted ||= news.trusted;
    Object.assign(state, news);
    show(news);
  });
  let trusted = false; // this line, by the server
  socket.addEventListener("close", (event) => {
    if (event.code === 1008 && !trusted) return ask(true);
    say(word("desk.reconnecting"), true);
    setTimeout(connect, AGAIN_MS);
  });
}

for (const button of document.querySelectorAll("[data-span]")) {
  button.addEventListener("click", () => {
    span = button.dataset.span;
    for (const each of document.querySelectorAll("[data-span]")) each.setAttribute("aria-pressed", each === button);
    draw();
  });
}
for (const button of document.querySelectorAll("[data-send]")) {
  button.addEventListener("click", () => {
    const sure = button.dataset.sure === "restart" ? restarts(state) : button.dataset.sure;
    if (!sure || confirm(word(sure))) send(button.dataset.send, document.querySelector("#verbs .answer"));
  });
}
sound.follow(tell);
$("ask").addEventListener("click", () => tell({ ask: "" }));
$("csv").addEventListener("click", () => download("matches.csv"));
$("json").addEventListener("click", () => download("matches.json"));
$("talk").addEventListener("submit", (event) => {
  event.preventDefault();
  const line = $("line").value.trim();
  if (line && type(line, event.target.querySelector(".answer"))) $("line").value = "";
});
$("login").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem("operator", $("token").value.trim());
  $("token").value = "";
  connect();
});
$("language").append(...Object.entries(LANGUAGES).map(([value, name]) => Object.assign(make("option", name), { value, lang: value })));
$("language").addEventListener("change", () => {
  localStorage.setItem("operator-language", $("language").value);
  translate($("language").value);
});
setInterval(() => {
  tell({ beat: "" });
  if (socket?.readyState === WebSocket.OPEN && Date.now() - heard > SILENCE_MS) socket.close();
}, 1000);
const wanted = [localStorage.getItem("operator-language"), ...navigator.languages].map((code) => code?.slice(0, 2));
await translate(wanted.find((code) => code in LANGUAGES) ?? "en");
connect();
