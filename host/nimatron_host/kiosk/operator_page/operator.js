// The operator's page, with its own token and its own socket.

import { LANGUAGES } from "../languages.js";
import { maybe, speak, word } from "../words.js";
import { charts, day } from "./charts.js";
import { health, lasting, restarts, running, stats, trouble, within } from "./machine.js";
import { make } from "./make.js";
import * as settings from "./settings.js";

const AGAIN_MS = 2000, SILENCE_MS = 5000, MINUTE_MS = 60000;
const PAGES = ["language", "quiet", "volume"]; // the choices that are the server's, not the machine's
const $ = (id) => document.getElementById(id);
let state = {};
let socket, heard = 0, span = "today", figures, uptime, since;
let lost = ""; // the sentence about a lost connection
let asked = 0; // how often for figures
let answered = 0; // how many answers were shown
const waiting = new Set(); // the lines from buttons that are not answered yet

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
  if (news.trusted) {
    $("login").hidden = true;
    $("desk").hidden = false;
  }
  if (news.said) {
    $("said").textContent = news.said.join("\n");
    $("said").scrollTop = $("said").scrollHeight;
  }
  if (news.controls) settings.build(news.controls);
  if ("pages" in news) {
    for (const element of document.querySelectorAll(".pages")) element.hidden = !news.pages;
    settings.know(news.pages ?? {});
  }
  if (news.pico || news.controls) pico(state.pico ?? {});
  for (const [n, line, kind, values] of news.answers ?? []) {
    if (n >= answered) hear(line, kind, values);
    answered = Math.max(answered, n + 1);
  }
  if (news.tables) tables(news.tables);
  if ("poster" in news) {
    $("poster").hidden = false;
    $("print").disabled = !news.poster;
    $("print-how").textContent = word(news.poster ? "desk.poster.how" : "desk.poster.no");
  }
  if (news.edition) refresh();
  if (news.state) for (const button of document.querySelectorAll("[data-in]")) button.disabled = button.dataset.in !== within(state);
  if (news.state || news.failures || news.tables || news.pico) look();
  mark();
}

/** Show whether the machine runs, or else the reason and the remedy. */
function look() {
  const wrong = lost || trouble(state);
  $("status").className = wrong ? "bad" : "good";
  $("running").textContent = wrong ? "" : running(state, since, figures?.all);
  if ($("trouble").textContent !== wrong) $("trouble").textContent = wrong; // is read aloud
  const closed = within(state) === "closed";
  $("fix").hidden = Boolean(lost) || !(closed || state.failures?.length);
  $("fix").textContent = word(closed ? "desk.service" : "desk.reboot");
}

/** Show whether a field has changed. */
function mark() {
  const none = !Object.keys(settings.changed()).length;
  for (const button of $("changes").querySelectorAll("button")) button.disabled = none;
  $("waits").hidden = none;
}

function notice(text, bad = false) {
  $("notice").textContent = text;
  $("notice").classList.toggle("bad", bad);
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

function pico(told) {
  const seconds = told.health?.uptime_s;
  if (seconds !== uptime) since = seconds && new Date(Date.now() - 1000 * seconds);
  uptime = seconds;
  $("health").replaceChildren(health({ ...told.version, ...told.health }));
  $("stats").replaceChildren(...stats(told.stats ?? {}));
  settings.know(told.settings ?? {});
}

/** Show the machine's answer to a button. */
function hear(line, kind, values) {
  if (!waiting.delete(line)) return;
  const { reason, saved, text } = values;
  if (kind !== "ok") notice(maybe(`desk.refused.${reason}`) ? word(`desk.refused.${reason}`, values) : text ?? reason, true);
  else if (!$("notice").classList.contains("bad")) notice(word(saved === "0" ? "desk.unsaved" : saved === "1" ? "desk.saved" : "desk.done"), saved === "0");
}

/** Draw the figures. */
function draw() {
  $("today").replaceChildren(...(figures ? day(figures.today) : []));
  $("figures").replaceChildren(...(figures ? charts(figures[span], span) : [make("p", word("desk.unreadable"))]));
  look();
}

function ask(denied) {
  sessionStorage.removeItem("operator");
  $("desk").hidden = true;
  $("login").hidden = false;
  $("denied").textContent = denied ? word("desk.denied") : "";
  $("status").className = "";
  $("token").focus();
}

/** Write all texts again, in this language. */
async function translate(code) {
  const spoken = await speak(code);
  if (!spoken) return;
  document.title = word("desk.title");
  $("here").value = spoken;
  if (!$("desk").hidden) {
    show({ ...state, said: undefined, answers: undefined, edition: undefined });
    draw();
  }
}

// ---------------------------------------------------------------------- questions

const fetched = (path) => fetch(path, { headers: { Authorization: `Bearer ${token()}` } }).catch(() => ({ ok: false }));

async function refresh() {
  const turn = ++asked;
  const answer = await fetched("figures.json");
  if (!answer.ok) return;
  const told = await answer.json();
  if (turn !== asked) return; // newer ones are on their way
  figures = told.today ? told : undefined;
  draw();
}

/** Call then(url) with the address of a file that needs the token, or with false. */
async function file(path, then) {
  const answer = await fetched(path);
  if (!answer.ok) notice(word("desk.offline"), true);
  const url = answer.ok && URL.createObjectURL(await answer.blob());
  then(url);
  setTimeout(() => URL.revokeObjectURL(url), MINUTE_MS);
}

function tell(message) {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(message));
  return true;
}

/** Send a message, or show the reason if that fails. True if it was sent. */
function sent(message) {
  const away = "send" in message && ["away", "off"].includes(state.state);
  const told = !away && tell(message);
  notice(told ? "" : word(away ? "state.away" : "desk.offline"), !told);
  return told;
}

/** Send a message whose answer is shown. */
function send(message, line = message.send) {
  waiting.add(line);
  return sent(message) || waiting.delete(line);
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
    lost = "";
    show(news);
  });
  let trusted = false; // this line, by the server
  socket.addEventListener("close", (event) => {
    if (event.code === 1008 && !trusted) return ask(true);
    lost = word("desk.reconnecting");
    look();
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
    const sure = button.dataset.send === "reboot" ? restarts(state) : button.dataset.sure;
    if (!sure || confirm(word(sure))) send({ send: button.dataset.send });
  });
}
settings.begin(LANGUAGES);
$("desk").addEventListener("input", () => {
  mark();
  if (!$("waits").hidden) notice("");
});
$("technician").firstElementChild.addEventListener("click", () =>
  requestAnimationFrame(() => $("technician").open && $("technician").scrollIntoView()));
document.addEventListener("invalid", (event) => { // a browser shows the reason only where it can be seen
  for (let box = event.target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
}, true);
$("changes").addEventListener("submit", (event) => {
  event.preventDefault();
  for (const [name, value] of Object.entries(settings.changed())) {
    if (!(PAGES.includes(name) ? send({ [name]: value }, `${name} ${value}`) : send({ send: `set ${name} ${value}` }))) return;
  }
});
$("undo").addEventListener("click", () => {
  settings.undo();
  notice("");
  mark();
});
$("print").addEventListener("click", () => {
  const tab = open("", "_blank"); // now, because a browser lets only a click open it
  file(`poster?language=${document.documentElement.lang}`, (url) => (url ? tab.location.replace(url) : tab.close()));
});
for (const name of ["matches.csv", "matches.json"]) {
  document.querySelector(`[data-file="${name}"]`).addEventListener("click", () =>
    file(name, (href) => href && Object.assign(make("a"), { href, download: name }).click()));
}
$("ask").addEventListener("click", () => tell({ ask: "" }));
$("talk").addEventListener("submit", (event) => {
  event.preventDefault();
  const line = $("line").value.trim();
  if (line && sent({ send: line })) $("line").value = "";
});
$("login").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem("operator", $("token").value.trim());
  $("token").value = "";
  connect();
});
$("here").append(...Object.entries(LANGUAGES).map(([value, name]) => Object.assign(make("option", name), { value, lang: value })));
$("here").addEventListener("change", () => {
  localStorage.setItem("operator-language", $("here").value);
  translate($("here").value);
});
setInterval(() => {
  tell({ beat: "" });
  if (socket?.readyState === WebSocket.OPEN && Date.now() - heard > SILENCE_MS) socket.close();
}, 1000);
setInterval(() => state.trusted && look(), MINUTE_MS / 4); // the minutes go by
const wanted = [localStorage.getItem("operator-language"), ...navigator.languages].map((code) => code?.slice(0, 2));
await translate(wanted.find((code) => code in LANGUAGES) ?? "en");
connect();
