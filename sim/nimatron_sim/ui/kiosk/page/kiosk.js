// The page: it mirrors the machine and passes on what people do. It knows no game.

import { explain } from "./drawer.js";
<<<<<<< HEAD
import { live } from "./life.js";
import { connect, listen, state } from "./line.js";
import { build } from "./machine.js";
import { follow } from "./touch.js";
import { around, speakPreferred } from "./visit.js";
=======
import { isMuted, mute, tone, wake } from "./sound.js";
import { say, speak, word } from "./words.js";

const SIGNS = ["your-move", "machine-move", "you-win", "machine-wins"];
const KEYS = { Enter: "go", " ": "go", n: "new", N: "new" };
const TAP_MS = 80; // for clicks without a duration
const AGAIN_MS = [250, 5000]; // between attempts to connect, at first and at most

const $ = (id) => document.getElementById(id);
const state = {}; // everything the server has sent
let socket, again = AGAIN_MS[0], clicks = 0;

// ---------------------------------------------------------------------- drawing the machine

const lamps = [], rows = [];

function build() {
  for (let row = 1; row <= ROWS; row++) {
    const name = `row${row}`;
    KEYS[row] = name;
    const strip = document.createElement("div");
    strip.className = "lamps";
    strip.dataset.press = name; // touching a lamp means its row
    strip.setAttribute("role", "img");
    for (let lamp = 0; lamp < LAMPS; lamp++) {
      lamps.push(strip.appendChild(document.createElement("i")));
    }
    const button = document.createElement("button");
    button.dataset.button = name;
    button.dataset.label = "ui.press.row";
    button.dataset.row = row;
    button.append(Object.assign(document.createElement("span"), { textContent: row }));
    rows.push(strip);
    $("board").append(strip, button);
  }
  for (const name of SIGNS) {
    const sign = document.createElement("li");
    sign.id = name;
    sign.innerHTML = `<span data-say="sign.${name}"></span> <span class="unseen" data-say="ui.lit"></span>`;
    $("signs").append(sign);
  }
}

/** Show what is new; without an argument show everything, as after a change of language. */
function show(news = state) {
  if (news.lamps) news.lamps.forEach(light);
  if (news.lamps) rows.forEach(count);
  if (news.legends) for (const name of SIGNS) $(name).classList.toggle("lit", news.legends.includes(name));
  if (news.sound !== undefined && news !== state) sound(news.sound);
  if (news.held) for (const button of buttons()) button.classList.toggle("down", state.held.includes(button.dataset.button));
  if (news.state) document.body.dataset.state = news.state;
  if (news.rule) write("rule", say(news.rule));
  if (news.doing) document.body.dataset.picked = String(news.doing[0]?.[0]).startsWith("picked") ? "yes" : "";
  if (news.doing) write("doing", say(news.doing));
  if (news.advice) write("advice", say(news.advice));
  if ("tokens" in news || "coin" in news) cup();
  if (news.working || news.rule) $("working").replaceChildren(...explain(state.working ?? {}, state.rule));
  if ("control" in news) allow(news.control);
  if (news.languages) offer(news.languages);
}

function light(brightness, lamp) {
  lamps[lamp].style.setProperty("--b", Math.min(brightness, 1) ** 0.45); // as the eye perceives it
}

function count(strip, row) {
  const lit = state.lamps.slice(row * LAMPS, (row + 1) * LAMPS).filter((brightness) => brightness > 0.1).length;
  strip.setAttribute("aria-label", word("ui.row", { row: row + 1, count: lit }));
}

function write(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text; // otherwise it is read out again
}

function sound(hertz) {
  tone(hertz);
  if (!hertz) return;
  const relays = $("relays").children; // each tone moves one of them
  relays[clicks++ % relays.length].classList.toggle("on");
}

function cup() {
  $("chute").classList.toggle("open", Boolean(state.coin));
  $("chute").classList.toggle("full", state.tokens > 0);
  $("cup").setAttribute("aria-label", state.tokens ? word("ui.tokens", { count: state.tokens }) : word("ui.no-token"));
}

function allow(control) {
  for (const button of buttons()) button.disabled = !control;
  document.body.classList.toggle("looking", !control);
  $("looking").hidden = control;
}

const buttons = () => document.querySelectorAll("button[data-button]");

// ---------------------------------------------------------------------- pressing

const held = new Set();

function press(name) {
  wake();
  if (held.has(name) || !state.control || socket.readyState !== WebSocket.OPEN) return;
  held.add(name);
  socket.send(JSON.stringify({ press: name }));
  document.querySelector(`[data-button=${name}]`).classList.add("down"); // without waiting for the answer
}

function release(name) {
  if (held.delete(name) && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ release: name }));
}

const releaseAll = () => [...held].forEach(release);

/** Follow a finger or a mouse: down, and up wherever it is by then. */
function touch(element, name) {
  let handled = 0;
  element.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    handled = event.timeStamp;
    element.setPointerCapture(event.pointerId);
    press(name);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) element.addEventListener(end, () => release(name));
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("click", (event) => {
    // A click from a screen reader, made by no finger and no key.
    if (event.detail || event.timeStamp - handled < 1000) return;
    press(name);
    setTimeout(release, TAP_MS, name);
  });
}

/** The button that a key means: the one in focus, or the key's own. */
function meant(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
  const target = event.target;
  if (["Enter", " "].includes(event.key)) {
    if (target.dataset.button) return target.dataset.button;
    if (target.matches("button, select, summary, input")) return undefined;
  }
  return target.matches("input, select") ? undefined : KEYS[event.key];
}

function keys() {
  document.addEventListener("keydown", (event) => {
    const name = meant(event);
    if (name) {
      event.preventDefault();
      if (!event.repeat) press(name);
    } else if (event.key === "Escape" && !$("drawer").hidden) open(false);
    else if (!event.target.matches("input, select") && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if ("hH?".includes(event.key)) open($("drawer").hidden);
      if ("mM".includes(event.key)) quiet(!isMuted());
    }
  });
  document.addEventListener("keyup", (event) => {
    const name = meant(event) ?? KEYS[event.key];
    if (name && meant(event)) event.preventDefault(); // otherwise the browser turns it into a click
    if (name) release(name);
  });
  addEventListener("blur", releaseAll);
  document.addEventListener("visibilitychange", releaseAll);
}

// ---------------------------------------------------------------------- around the machine

function open(yes) {
  $("drawer").hidden = !yes;
  $("curious").setAttribute("aria-expanded", yes);
  document.documentElement.classList.toggle("open", yes);
  (yes ? $("drawer") : $("curious")).focus();
}

function quiet(yes) {
  mute(yes);
  if (!yes) wake();
  $("sound").setAttribute("aria-pressed", !yes);
}

function offer(languages) {
  const chosen = document.documentElement.lang;
  $("language").replaceChildren(...Object.entries(languages).map(([code, name]) => new Option(name, code, code === chosen, code === chosen)));
}

async function choose(code) {
  localStorage.setItem("language", (await speak(code)) ?? "en");
  show();
}

function around() {
  $("curious").addEventListener("click", () => open($("drawer").hidden));
  $("close").addEventListener("click", () => open(false));
  $("sound").setAttribute("aria-pressed", !isMuted());
  $("sound").addEventListener("click", () => quiet(!isMuted()));
  $("full").hidden = !document.fullscreenEnabled;
  $("full").addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()));
  $("language").addEventListener("change", () => choose($("language").value));
}

// ---------------------------------------------------------------------- the line to the machine

/** Take the token out of the address, where the next person could see it. */
function token() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("token");
}

function connect() {
  const address = new URL("look", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  socket.addEventListener("open", () => {
    again = AGAIN_MS[0];
    $("lost").hidden = true;
    document.body.classList.remove("lost");
    if (token()) socket.send(JSON.stringify({ token: token() }));
  });
  socket.addEventListener("message", (event) => {
    const news = JSON.parse(event.data);
    Object.assign(state, news);
    show(news);
  });
  socket.addEventListener("close", () => {
    held.clear();
    tone(0);
    $("lost").hidden = false;
    document.body.classList.add("lost");
    setTimeout(connect, again);
    again = Math.min(again * 2, AGAIN_MS[1]);
  });
}
>>>>>>> s26-serve

build();
around();
follow();
listen((news) => {
  if (news.working || news.rule) document.getElementById("working").replaceChildren(...explain(state.working ?? {}, state.rule));
});
live();
connect();
await speakPreferred();
