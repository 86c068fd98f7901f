// Why: the explanation over the lamps, and the drawer for the curious. See explain.py for the server's messages.

import { LAMPS, ROWS } from "./board.js";
import { board, drawing } from "./insight.js";
import { listen, state } from "./connection.js";
import { PLAYING } from "./machine.js";
import { isRewound, picture } from "./rewind.js";
import { say, sayHere, word } from "./words.js";

const CONCERNS = ["state", "rule", "working", "insight"];

const $ = (id) => document.getElementById(id);
const root = document.documentElement;
let drawn = "", before, parts;

/** Build the drawer's contents, and follow the machine. */
export function why() {
  $("working").replaceChildren();
  $("working").insertAdjacentHTML("beforeend", `
    <section class="now"><h3></h3><p class="verdict"></p><p class="legend"></p>
      <details><summary data-say="why.show"></summary><div class="boards"></div><p class="more"></p></details></section>
    <section class="idea"><h3 data-say="why.idea"></h3><p></p></section>
    <section><h3 data-say="why.rules"></h3><p class="goal"></p></section>
    <section class="theory"><h3 data-say="why.theory"></h3><p></p></section>`);
  const find = (path) => $("working").querySelector(path);
  parts = {
    goal: find(".goal"), title: find(".now h3"), verdict: find(".verdict"), legend: find(".legend"), show: find("details"),
    boards: find("details .boards"), more: find(".more"), idea: find(".idea"), theory: find(".theory"),
  };
  new ResizeObserver(() => ((drawn = ""), overlay())).observe($("insight"));
  new MutationObserver(overlay).observe(root, { attributeFilter: ["class"] }); // the drawer opens or closes
  listen((news) => {
    overlay();
    if (news === state || CONCERNS.some((key) => key in news)) show();
  });
}

function show() {
  const { working = {}, insight = {} } = state;
  parts.goal.textContent = `${say(state.rule)} ${sayHere(working.how)}`;
  now(insight, PLAYING.includes(state.state));
  for (const part of ["idea", "theory"]) {
    parts[part].querySelector("p").textContent = say(working[part]);
    parts[part].hidden = !say(working[part]);
  }
}

function now(insight, playing) {
  const said = playing && insight.said?.length;
  parts.title.textContent = word(insight.trial ? "why.picked" : "why.now");
  parts.verdict.textContent = said ? say(insight.said) : word("why.nothing");
  parts.verdict.className = `verdict ${said && insight.good !== null ? (insight.good ? "good" : "bad") : ""}`;
  parts.legend.textContent = word("why.legend");
  parts.legend.hidden = !said || insight.kind !== "pairs";
  const winning = (said && insight.good !== false && !insight.trial && insight.winning) || [];
  parts.show.hidden = !winning.length;
  if (!winning.length) parts.show.open = false; // an answer is for one move
  parts.boards.replaceChildren(...winning.map((after) => board(after, { gone: insight.lamps & ~after, come: after & ~insight.lamps })));
  parts.more.textContent = insight.more ? word("why.show.more", { count: insight.more }) : "";
}

/** Draw over the lamps while a player looks for an explanation, or for a move. */
function overlay() {
  const svg = $("insight");
  const seen = picture(root.classList.contains("open")) ?? (state.lesson?.help ? { ...state.insight, goes: 0 } : undefined);
  const fits = isRewound() || PLAYING.includes(state.state);
  const shown = fits && (seen?.groups?.length || seen?.goes) ? seen : undefined;
  const key = JSON.stringify(shown ?? null);
  if (key === drawn) return;
  drawn = key;
  svg.classList.toggle("shown", Boolean(shown));
  if (!shown) return (before = undefined), svg.replaceChildren();
  // The lamps are farther apart than they are high, so that the cells are wide.
  const { width, height } = svg.getBoundingClientRect();
  const wide = width / LAMPS / (height / ROWS) || 1;
  const lamp = document.querySelector(".lamps i");
  svg.setAttribute("viewBox", `0 0 ${LAMPS * wide} ${ROWS}`);
  svg.replaceChildren(...drawing(shown, (lamp.offsetWidth / 2 / height) * ROWS, wide, before));
  before = shown;
}
