// Around the machine: language, comfort, the drawer, a friend, and a new page for the next visitor.

import { forget, isKept } from "./lesson.js";
import { forget as goOn, isRewound, settle } from "./rewind.js";
import { listen, send, state, tell } from "./connection.js";
import { announce, lamps, left } from "./machine.js";
import { adjust, isMuted, wake } from "./sound.js";
import { forget as keepNoToken } from "./token.js";
import { say, speak, word } from "./words.js";

const GONE_MS = 20_000; // without a touch when the show returns to attract: the visitor has left
const ALONE_MS = 60_000; // without a touch between matches
const READ_MS = 120_000; // the same, while there is something to read
const ASK_MS = 20_000; // after that, the time to answer the question "Are you still there?"
const HERE_MS = 3000; // between two messages that the page is in use
const PLAYED = ["player", "opening"]; // the states in which the machine waits for a player
const UNPLAYED = ["attract", "off", "away"];

const $ = (id) => document.getElementById(id);
const root = document.documentElement;
const quiet = matchMedia("(prefers-reduced-motion: reduce)");
let touchedAt = performance.now(), saidAt = -Infinity, fresh = true;
let ended = false; // the last match has ended, and the next has not begun
let speaking = ""; // the language that is spoken, or is being loaded

/** The time since this page was last used. */
export const idleMs = () => performance.now() - touchedAt;

/** True while the explanation or the list of games is open, or the end of a match or a lesson stays in sight. */
export const isReading = () => !$("drawer").hidden || Boolean(document.querySelector("dialog[open]")) || isKept() || isRewound();

/** True if nothing may move: the visitor asked for it, here or in the system. */
export const isStill = () => quiet.matches || $("still").checked;

// ---------------------------------------------------------------------- language

const preferred = () => [state.language, navigator.language.slice(0, 2), "en"].filter(Boolean);

export async function speakPreferred() {
  for (const code of preferred()) if ((await choose(code)) !== undefined) return;
}

async function choose(code) {
  if (speaking === code) return code;
  speaking = code;
  const spoken = await speak(code).catch(() => undefined);
  if (spoken === null) return null;
  if (spoken) tell();
  if (spoken) send("language", code);
  else speaking = "";
  $("language").value = root.lang;
  return spoken;
}

function offerLanguages() {
  const options = Object.entries(state.languages).map(([code, name]) => new Option(name, code));
  $("language").replaceChildren(...options);
  $("language").value = root.lang;
}

// ---------------------------------------------------------------------- comfort

function comfort() {
  const volume = $("volume").valueAsNumber / $("volume").max;
  const hushed = state.muted ? "page.muted" : state.quiet ? "page.quiet" : ""; // for all visitors
  const silent = $("mute").checked || Boolean(hushed);
  adjust(volume, silent);
  $("hush").hidden = !hushed;
  $("hush").dataset.say = hushed || "page.quiet"; // also after a change of language
  $("hush").textContent = word($("hush").dataset.say);
  root.classList.toggle("still", isStill());
  settle();
}

/** Set the volume of a new page. */
function loud() {
  $("volume").value = state.volume ?? $("volume").defaultValue;
}

function mute(yes) {
  $("mute").checked = yes;
  comfort();
}

// ---------------------------------------------------------------------- the drawer

function open(yes, focus = true) {
  $("drawer").hidden = !yes;
  $("drawer").scrollTop = 0; // not where the last reader left it
  $("curious").setAttribute("aria-expanded", yes);
  root.classList.toggle("open", yes);
  if (focus) (yes ? $("drawer") : $("curious")).focus({ preventScroll: true });
  else if (yes) announce(`${word("ui.curious")}: ${$("working").querySelector(".verdict").textContent}`);
  else left();
}

/** Go to the page of the relays, with the comforts of this one. */
function openBack() {
  const link = new URLSearchParams(location.search);
  link.set("language", root.lang);
  link.set("volume", isMuted() ? 0 : $("volume").valueAsNumber / $("volume").max);
  if (isStill()) link.set("still", "");
  location.assign(`back/?${link}`);
}

// ---------------------------------------------------------------------- a friend

/** Show a friend the way to this table: a link, and its code. */
function invite() {
  send("invite", 1);
  $("friend").showModal();
  invitation();
}

function invitation() {
  if (!$("friend").open || !state.invitation) return;
  const { link, code } = state.invitation;
  Object.assign($("link"), { href: link, textContent: link });
  $("code").replaceChildren(new DOMParser().parseFromString(code, "text/html").querySelector("svg"));
  $("send").hidden = !navigator.share;
}

/** The tap that leads forward: to a separate table, or to the machine in place of a friend who has left. */
function offer() {
  if (state.site) location.replace(state.site); // which needs no server
  $("offer").hidden = !state.offer;
  $("offer").textContent = state.offer ? word(`page.offer.${state.offer}`) : "";
  $("invite").hidden = !state.invites;
}

// ---------------------------------------------------------------------- the next visitor

/** Restore the builder's page: no choice of one visitor stays for the next. */
function refresh() {
  forget();
  goOn();
  keepNoToken();
  if (fresh) return;
  fresh = true;
  $("mute").checked = $("still").checked = false;
  loud();
  comfort();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  if ($("comfort").matches(":popover-open")) $("comfort").hidePopover();
  for (const details of document.querySelectorAll("details")) details.open = false;
  open(false, false);
  document.activeElement?.blur();
  scrollTo(0, 0);
  speakPreferred();
}

/** Note that the page is in use, and report it to the machine. */
function use(event) {
  if (event.type === "pointermove" && !event.movementX && !event.movementY) return; // the page has moved, not the mouse
  touchedAt = performance.now();
  if ($("warning").matches(":popover-open")) warn();
  if (!state.control || !PLAYED.includes(state.state) || touchedAt - saidAt < HERE_MS) return;
  if (send("here", 1)) saidAt = touchedAt;
}

/** Ask "Are you still there?" in front of all dialogs. */
function warn() {
  const playing = Boolean(state.control) && state.doing?.[0]?.[0] === "warning";
  const left = READ_MS + ASK_MS - idleMs();
  const reading = UNPLAYED.includes(state.state) && isReading() && left > 0 && left <= ASK_MS;
  const asked = playing || reading;
  if (playing) $("warning").textContent = `${say(state.doing)} ${word("page.do.warning")}`;
  else if (reading) $("warning").textContent = word("page.reading", { seconds: Math.ceil(left / 1000) });
  if (asked !== $("warning").matches(":popover-open")) $("warning").togglePopover(asked);
}

function full() {
  $("full").dataset.say = document.fullscreenElement ? "page.unfull" : "ui.full"; // also after a change of language
  $("full").textContent = word($("full").dataset.say);
}

function show(news) {
  if (news.doing) warn();
  if (news.languages) offerLanguages();
  if ("you" in news && speaking) send("language", speaking); // to a server that does not know this page
  if ("language" in news && fresh && news !== state) speakPreferred();
  if ("volume" in news && fresh) loud();
  if (["quiet", "muted", "volume"].some((key) => key in news)) comfort();
  if (news === state || "offer" in news || "invites" in news || news.site) offer();
  if (news.invitation) invitation();
  if (news.state) ended = state.state === "verdict" || (ended && state.state === "attract");
  if (news.state === "attract" && idleMs() > GONE_MS && !(ended && isReading())) refresh();
}

/** Between matches, prepare the page for the next visitor soon, unless a visitor may be reading. */
function wait() {
  if (UNPLAYED.includes(state.state) && idleMs() > (isReading() ? READ_MS + ASK_MS : ALONE_MS)) refresh();
  warn();
}

export function around() {
  for (const kind of ["pointerdown", "keydown", "input"]) {
    addEventListener(kind, () => (fresh = false), { capture: true, passive: true });
  }
  for (const kind of ["pointerdown", "pointermove", "keydown", "input", "wheel", "scroll"]) {
    addEventListener(kind, use, { capture: true, passive: true });
  }
  setInterval(wait, 1000);
  for (const screw of document.querySelectorAll(".screw")) screw.addEventListener("click", openBack);
  $("curious").addEventListener("click", () => open($("drawer").hidden));
  $("drawer").querySelector(".close").addEventListener("click", () => open(false));
  $("comfort").addEventListener("input", () => (wake(), comfort()));
  quiet.addEventListener("change", comfort);
  comfort();
  $("full").hidden = !document.fullscreenEnabled;
  $("full").addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()));
  document.addEventListener("fullscreenchange", full);
  $("language").addEventListener("change", () => choose($("language").value));
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.querySelector(".close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // next to it
  }
  $("invite").addEventListener("click", invite);
  $("send").addEventListener("click", () => navigator.share({ url: state.invitation.link }).catch(() => {}));
  $("offer").addEventListener("click", () => send(state.offer === "table" ? "table" : "alone", ""));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("dialog, [popover], select")) return;
    if (event.key === "Escape" && !$("drawer").hidden) open(false);
    else if ("hH?".includes(event.key)) open($("drawer").hidden, false); // the next key is for the machine again
    else if (event.key.startsWith("Arrow") && event.target === document.body) enter(event);
    else if ("mM".includes(event.key)) mute(!isMuted());
  });
  zoom();
  listen(show);
}

/** If nothing has the focus, an arrow key moves it to the last focused lamp. */
function enter(event) {
  lamps.find((lamp) => lamp.tabIndex === 0).focus();
  event.preventDefault();
}

/** Text follows the size of the screen, as on a wall. When the visitor zooms, it must grow in full, so its size is then fixed. */
function zoom() {
  let scale = devicePixelRatio, size = getComputedStyle(root).fontSize;
  addEventListener("resize", () => {
    if (devicePixelRatio !== scale) root.style.fontSize = size;
    else if (!root.style.fontSize) size = getComputedStyle(root).fontSize;
    scale = devicePixelRatio;
  });
}
