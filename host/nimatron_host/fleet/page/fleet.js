// Every exhibit as a small panel, as the server tells it. It asks for the lamps of those that are on the screen.

import { LAMPS, ROWS } from "./board.js";

const LOOK_MS = 20000;
const AGAIN_MS = 2000;
const SIGNS = { "your-move": "your move", "machine-move": "machine's move", "you-win": "you win", "machine-wins": "machine wins" };

const $ = (id) => document.getElementById(id);
const exhibits = new Map(); // id: what is told
const cards = new Map(); // id: element
const seen = new Set(); // those on the screen
let line = null;

const screen = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) seen[isIntersecting ? "add" : "delete"](target.dataset.id);
  look();
});

function look() {
  if (line?.readyState === WebSocket.OPEN && seen.size && !document.hidden) line.send(JSON.stringify([...seen]));
}

function connect() {
  line = new WebSocket(new URL("look", location.href.replace(/^http/, "ws")));
  line.onmessage = ({ data }) => take(JSON.parse(data));
  line.onclose = () => {
    $("summary").textContent = "Not connected; the page reconnects by itself";
    document.body.classList.add("dark");
    setTimeout(connect, AGAIN_MS);
  };
}

function take(news) {
  document.body.classList.toggle("dark", !news.connected);
  for (const one of news.exhibits) {
    exhibits.set(one.id, one);
    draw(one);
  }
  const all = [...exhibits.values()];
  const online = all.filter((one) => one.online).length;
  const sum = (key) => all.reduce((total, one) => total + one[key], 0);
  $("summary").textContent = news.connected
    ? `${online} of ${all.length} exhibits online; matches today: ${sum("today")}, won by people: ${sum("won_today")}`
    : "No connection to the broker";
  sort();
}

/** The cards in the order of their names; one that is where it belongs is not moved. */
function sort() {
  const order = [...exhibits.values()].sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  order.forEach((one, n) => {
    const card = cards.get(one.id);
    if ($("exhibits").children[n] !== card) $("exhibits").insertBefore(card, $("exhibits").children[n]);
  });
}

function make(id) {
  const card = $("exhibit").content.firstElementChild.cloneNode(true);
  card.dataset.id = id;
  const fill = (parent, count, name) => {
    for (let n = 0; n < count; n++) parent.append(Object.assign(document.createElement(name), name === "div" ? { className: "lamps" } : {}));
  };
  fill(card.querySelector(".panel"), ROWS, "div");
  for (const row of card.querySelectorAll(".lamps")) fill(row, LAMPS, "i");
  fill(card.querySelector(".hours"), 24, "i");
  cards.set(id, card);
  screen.observe(card);
  return card;
}

function draw(one) {
  const card = cards.get(one.id) ?? make(one.id);
  const part = (name) => card.querySelector(name);
  const write = (name, text) => {
    if (part(name).textContent !== text) part(name).textContent = text;
  };
  const lamps = one.online ? one.panel.lamps ?? [] : [];
  write("h2", one.name);
  const signs = (one.online ? one.panel.legends ?? [] : []).map((name) => SIGNS[name] ?? name);
  write(".state", [one.state || "offline", one.level, ...signs].filter(Boolean).join(" · "));
  write(".today", `Today: ${one.today} (${one.won_today} won); in all: ${one.matches}`);
  write(".trouble", one.trouble.join("; "));
  card.classList.toggle("bad", one.trouble.length > 0);
  card.classList.toggle("dark", !one.online);
  card.querySelectorAll(".lamps").forEach((row, r) => [...row.children].forEach((lamp, n) => {
    const lit = (lamps[r] ?? 0) >> n & 1;
    lamp.style.setProperty("--b", lit);
    lamp.classList.toggle("lit", Boolean(lit));
  }));
  const counts = Array.from({ length: ROWS }, (_, r) => [...(lamps[r] ?? 0).toString(2)].filter((digit) => digit === "1").length);
  part(".panel").setAttribute("aria-label", `lit lamps in each row: ${counts.join(", ")}`);
  const most = Math.max(1, ...one.hours);
  [...part(".hours").children].forEach((bar, hour) => bar.style.setProperty("--part", one.hours[hour] / most));
  part(".hours").setAttribute("aria-label", `matches in each hour of today: ${one.hours.map((count, hour) => (count ? `${hour}: ${count}` : "")).filter(Boolean).join(", ") || "none"}`);
}

setInterval(look, LOOK_MS);
document.addEventListener("visibilitychange", look);
connect();
