// The operator's page. It has a token of its own, and a socket of its own.

import { charts } from "./charts.js";

const AGAIN_MS = 2000, SILENCE_MS = 5000, FIGURES_MS = 60000;
const $ = (id) => document.getElementById(id);
const state = {};
let socket, heard = 0, span = "today", figures;

/** Take the token out of the address, where the next person could see it. */
function token() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("operator", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("operator");
}

function make(name, text, ...children) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

/** A table of the entries of an object. */
function table(entries, cell = (key, value) => make("td", value)) {
  const rows = Object.entries(entries).map(([key, value]) =>
    make("tr", undefined, Object.assign(make("th", key), { scope: "row" }), cell(key, value)));
  return make("table", undefined, make("tbody", undefined, ...rows));
}

// ---------------------------------------------------------------------- what it shows

function show(news) {
  if (news.trusted) welcome();
  if (news.said) {
    $("said").textContent = news.said.join("\n");
    $("said").scrollTop = $("said").scrollHeight;
  }
  if (news.pico) pico(news.pico);
  if (news.state || news.pico) status();
}

function status() {
  const failed = [state.pico?.health?.failed, state.pico?.health?.stuck].filter((names) => names && names !== "none");
  const words = { away: "its cable is unplugged", crashed: "out of order", maintenance: "in maintenance" };
  $("status").textContent = failed.length
    ? `Failed or stuck: ${failed.join(", ")}.`
    : `The machine is ${words[state.state] ?? `on: ${state.state}`}.`;
  $("status").classList.toggle("bad", failed.length > 0 || state.state in words);
}

function pico({ health = {}, stats = {}, settings = {}, version = {} }) {
  $("health").replaceChildren(table({ ...version, ...health }));
  $("stats").replaceChildren(table(stats));
  if ($("settings").contains(document.activeElement)) return; // somebody is typing there
  $("settings").replaceChildren(table(settings, (key, value) => {
    const input = Object.assign(document.createElement("input"), { value });
    input.setAttribute("aria-label", key);
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      send(`set ${key} ${input.value.trim()}`);
      input.blur();
      tell({ ask: "" });
    });
    return make("td", undefined, input);
  }));
}

function draw() {
  if (figures) $("figures").replaceChildren(...charts(figures[span], span));
}

function welcome() {
  if (!$("desk").hidden) return;
  $("login").hidden = true;
  $("desk").hidden = false;
  refresh();
}

function ask(denied) {
  sessionStorage.removeItem("operator");
  $("desk").hidden = true;
  $("login").hidden = false;
  $("denied").textContent = denied ? "That is not the operator's token." : "";
  $("status").textContent = "Not connected.";
  $("token").focus();
}

// ---------------------------------------------------------------------- what it asks

const fetched = (path) => fetch(path, { headers: { Authorization: `Bearer ${token()}` } });

async function refresh() {
  const answer = await fetched("figures.json").catch(() => undefined);
  if (!answer?.ok) return;
  const told = await answer.json();
  figures = told.today ? told : undefined;
  if (figures) draw();
  else $("figures").replaceChildren(make("p", "Matches cannot be read now; see the server's log."));
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
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

const send = (line) => line && tell({ send: line });

// ---------------------------------------------------------------------- the line

function connect() {
  if (!token()) return ask(false);
  const address = new URL("look", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  heard = Date.now();
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
    $("status").textContent = "Not connected. This page reconnects by itself.";
    $("status").classList.add("bad");
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
    if (!button.dataset.sure || confirm(button.dataset.sure)) send(button.dataset.send);
  });
}
$("ask").addEventListener("click", () => tell({ ask: "" }));
$("csv").addEventListener("click", () => download("matches.csv"));
$("json").addEventListener("click", () => download("matches.json"));
$("talk").addEventListener("submit", (event) => {
  event.preventDefault();
  send($("line").value.trim());
  $("line").value = "";
});
$("login").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem("operator", $("token").value.trim());
  $("token").value = "";
  connect();
});
setInterval(() => {
  tell({ beat: "" });
  if (socket?.readyState === WebSocket.OPEN && Date.now() - heard > SILENCE_MS) socket.close();
}, 1000);
setInterval(() => $("desk").hidden || refresh(), FIGURES_MS);
connect();
