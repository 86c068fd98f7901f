// The choice of a game, and the knob of the levels.

import { LAMPS, PICTURES, ROWS } from "./board.js";
import { listen, send, state } from "./connection.js";
import { bit, gameName, mayPress, remark, remarked } from "./machine.js";
import { underWay } from "./touch.js";
import { maybe, word } from "./words.js";

const FIRST = ["nim", "say-21", "wythoff", "kayles", "chomp", "tactix"]; // the others are for the curious
const DIAL = ["child", "fair", "perfect"]; // the positions of the knob, which points down at another level
const SVG = "http://www.w3.org/2000/svg";

const $ = (id) => document.getElementById(id);
let home = null; // the last level that is not in DIAL
let asked = null; // the choice that ends a match if it is made again, and a function that removes the question

// ---------------------------------------------------------------------- games

/** A picture of a game: its lamps, and in red the lamps that one move could switch off. */
function picture([lit, move]) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${LAMPS} ${ROWS}`);
  svg.setAttribute("aria-hidden", "true");
  for (let lamp = 0; lamp < ROWS * LAMPS; lamp++) {
    if (!bit(lit, lamp)) continue;
    const dot = svg.appendChild(document.createElementNS(SVG, "circle"));
    dot.setAttribute("cx", (lamp % LAMPS) + 0.5);
    dot.setAttribute("cy", Math.floor(lamp / LAMPS) + 0.5);
    dot.setAttribute("r", bit(move, lamp) ? 0.3 : 0.36);
    if (bit(move, lamp)) dot.setAttribute("class", "move");
  }
  return svg;
}

/** A choice must not end a match by mistake: it asks in this place, and works when it is made again. */
function sure(name, place) {
  const again = asked?.name === name;
  asked?.forget();
  asked = null;
  if (again || !underWay()) return true;
  const said = place.textContent;
  place.setAttribute("role", "status");
  place.textContent = word("page.sure");
  place.scrollIntoView({ block: "nearest" });
  asked = {
    name,
    forget() {
      place.textContent = said;
      place.removeAttribute("role");
    },
  };
  return false;
}

function card(name) {
  const button = document.createElement("button");
  const title = Object.assign(document.createElement("strong"), { textContent: gameName(name) });
  const goal = Object.assign(document.createElement("span"), { textContent: word(PICTURES[name]?.[2] ?? "") });
  button.append(picture(PICTURES[name] ?? [0, 0]), title, goal);
  button.setAttribute("aria-pressed", name === state.game);
  button.addEventListener("click", () => {
    if (!sure(name, goal)) return;
    send("game", name);
    $("games").close();
  });
  const item = document.createElement("li");
  item.append(button);
  return item;
}

/** Where people share the screen, they play each other or the machine. */
function peopleButton() {
  const many = state.people > 1 ? 1 : 2;
  const button = Object.assign(document.createElement("button"), { textContent: word(`site.people.${many}`) });
  button.addEventListener("click", () => {
    if (!sure("people", button)) return;
    send("people", many);
    $("games").close();
  });
  return button;
}

function choices() {
  $("games").querySelector("details").open = !FIRST.includes(state.game); // so that the present game is in sight
  $("games").showModal();
  offer();
  $("games").scrollTop = 0; // not where the last visitor left it
}

function offer() {
  const games = state.games ?? [];
  $("choose").hidden = !state.control || games.length < 2;
  if (!$("games").open) return; // it is filled when it opens
  asked = null;
  const [first, more] = $("games").querySelectorAll(".cards");
  const known = FIRST.filter((name) => games.includes(name)), others = games.filter((name) => !FIRST.includes(name));
  first.replaceChildren(...known.map(card));
  more.replaceChildren(...others.map(card));
  $("games").querySelector("details").hidden = !others.length;
  $("sharing").hidden = !state.shared; // by all players at this screen, if there is no server
  $("friends").replaceChildren(peopleButton());
}

// ---------------------------------------------------------------------- the knob

const dial = () => [...DIAL, home].filter((name) => state.levels?.includes(name));

function knob() {
  if (state.level && !DIAL.includes(state.level)) home = state.level;
  const levels = dial();
  $("knob").hidden = levels.length < 2 || state.people > 1 || !state.control; // a level is the machine's
  $("knob").classList.toggle("unused", Boolean(state.lesson?.step || state.rewind?.practice)); // which have their own
  const at = DIAL.indexOf(state.level);
  $("knob").style.setProperty("--turn", at < 0 ? 3 : at - 1);
  const name = maybe(`level.${state.level}`) ?? state.level ?? "";
  $("knob").querySelector("span").textContent = name;
  $("knob").setAttribute("aria-label", `${word("page.machine")}: ${name}`);
}

/** Turn the knob by one level. In a match it asks first, like NEW. */
function turn() {
  if (!mayPress()) return;
  if (underWay() && remarked() !== "page.sure") return void remark("page.sure");
  remark();
  const levels = dial();
  send("level", levels[(levels.indexOf(state.level) + 1) % levels.length]);
}

export function offerGames() {
  $("choose").addEventListener("click", choices);
  $("knob").addEventListener("click", turn);
  listen((news) => {
    if (news === state || news.games || news.game || news.people || "control" in news) offer();
    if (news === state || ["levels", "level", "people", "control", "lesson", "rewind"].some((key) => key in news)) knob();
  });
}
