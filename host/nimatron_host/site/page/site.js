// The page without a server: the machine is in two workers, and the page's "WebSocket" leads to them.

import { listen, send } from "./connection.js";
import { word } from "./words.js";
import { HERE, hear, KEPT, kiosk, link, pico } from "./workers.js";

const PLAYED = ["opening", "player", "thinking", "machine"];
const COPIED_MS = 2000;

const told = {}; // everything the machine has sent
const lines = [];
let open = false, broken = false, keeping = false;

/** Between the page and the kiosk's worker. */
class Line extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  readyState = Line.CONNECTING;

  constructor() {
    super();
    lines.push(this);
    if (broken) queueMicrotask(() => this.break());
    else if (open) queueMicrotask(() => this.begin());
  }

  begin() {
    this.readyState = Line.OPEN;
    this.dispatchEvent(new Event("open"));
    this.hear(told);
  }

  break() {
    this.dispatchEvent(new Event("close"));
  }

  hear(news) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(news) }));
  }

  send(text) {
    kiosk.postMessage(text);
  }

  close() {
    lines.splice(lines.indexOf(this), 1);
  }
}

globalThis.WebSocket = Line;

// ---------------------------------------------------------------------- the machine

function take(news) {
  Object.assign(told, news);
  if (!open) {
    open = true;
    lines.forEach((line) => line.begin());
  } else lines.forEach((line) => line.hear(news));
  if (!["attract", ...PLAYED].includes(told.state) || keeping || !("serviceWorker" in navigator)) return;
  keeping = true;
  keepFiles().catch((why) => console.warn(why.message));
}

/** Have the browser keep the page for the time without a network. When the show is on, there is time for it. */
async function keepFiles() {
  const rest = () => navigator.serviceWorker.controller?.postMessage("keep the rest");
  navigator.serviceWorker.addEventListener("controllerchange", rest);
  await navigator.serviceWorker.register(new URL("service_worker.js", HERE));
  rest();
}

/** Without a machine, show that the page cannot play. */
function failed(event) {
  console.error(event.message);
  broken = true;
  lines.forEach((line) => line.break());
}

// ---------------------------------------------------------------------- its flash

/** A browser may forbid a page in a frame to keep anything: then each visit is the first. */
function keep(flash) {
  try {
    localStorage.setItem(KEPT, flash);
  } catch (why) {
    console.warn(`settings and statistics are not kept: ${why.message}`);
  }
}

// ---------------------------------------------------------------------- links

function button(id, sign, key, label) {
  const made = Object.assign(document.createElement("button"), { id });
  const picture = made.appendChild(Object.assign(document.createElement("b"), { textContent: sign }));
  picture.setAttribute("aria-hidden", "true");
  made.appendChild(document.createElement("span")).dataset.say = key;
  made.dataset.label = label;
  document.querySelector("nav").append(made);
  return made;
}

/** A link to the position on the lamps, or else to the page. */
function address() {
  const url = new URL(HERE);
  if (PLAYED.includes(told.state) && told.rows) {
    for (const key of ["game", "rows", "level"]) if (told[key]) url.searchParams.set(key, told[key]);
  }
  return url.href.replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%3A", ":");
}

async function share(event) {
  const name = event.currentTarget.querySelector("span");
  try {
    if (navigator.share) await navigator.share({ title: document.title, url: address() });
    else await navigator.clipboard.writeText(address());
  } catch (why) {
    if (why.name !== "AbortError") prompt(word("site.link"), address()); // nothing else may copy it
    return;
  }
  name.textContent = word("site.copied");
  setTimeout(() => (name.textContent = word("site.share")), COPIED_MS);
}

/** After its match, a position that the link gives can be tried again. */
function offerAgain() {
  const again = Object.assign(document.getElementById("caption").appendChild(document.createElement("button")), { id: "again", hidden: true });
  again.addEventListener("click", () => send("link", "again"));
  listen(() => {
    again.hidden = !told.again;
    again.textContent = word("site.again");
  });
}

/** The teacher's sentence, which the link gives. */
function showTask() {
  const task = Object.assign(document.createElement("p"), { id: "task", dir: "auto", hidden: true });
  document.querySelector("main").prepend(task);
  listen(({ task: given }) => {
    if (given) Object.assign(task, { textContent: given, hidden: false });
  });
}

/** Where a teacher looks for more about the page: a link to the editor of homework links. */
function offerEditor() {
  const line = document.getElementById("drawer").appendChild(document.createElement("p"));
  const editor = line.appendChild(Object.assign(document.createElement("a"), { id: "homework", href: "homework.html" }));
  editor.dataset.say = "homework.offer";
}

/** A relay of the crown clicks on for each part of the machine that has arrived. */
const warm = () => document.querySelector("#relays i:not(.on)")?.classList.add("on");

hear((worker, event) => {
  if (event.type === "error") failed(event);
  else if (event.data === "") warm();
  else if (worker === pico) keep(event.data);
  else take(JSON.parse(event.data));
});
offerAgain();
showTask();
offerEditor();
button("share", "↗", "site.share", "site.share.position").addEventListener("click", share);
if (link.has("embed")) {
  document.documentElement.classList.add("embed");
  button("own", "▣", "site.own", "site.own.window").addEventListener("click", () => window.open(address(), "_blank", "noopener"));
}
