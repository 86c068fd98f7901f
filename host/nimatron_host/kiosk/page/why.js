// Why: the explanation over the lamps, and the drawer for the curious. See explain.py for the server's messages.

import { LAMPS, ROWS } from "./board.js";
import { board, drawing, tied } from "./insight.js";
import { listen, state } from "./connection.js";
import { review } from "./review.js";
import { say, sayHere, word } from "./words.js";

const CONCERNS = ["state", "rule", "working", "insight", "match", "begun"];
const PLAYING = ["opening", "player", "thinking", "machine"];

const $ = (id) => document.getElementById(id);
const root = document.documentElement;
const steps = review();
let drawn = "", ties = new Set(), parts;

/** Build the drawer's contents, and follow the machine. */
export function why() {
  $("working").replaceChildren();
  $("working").insertAdjacentHTML("beforeend", `
    <section class="now"><h3></h3><p class="verdict"></p><p class="legend"></p>
      <details><summary data-say="why.show"></summary><div class="boards"></div><p class="more"></p></details></section>
    <section class="idea"><h3 data-say="why.idea"></h3><p></p></section>
    <section><h3 data-say="why.rules"></h3><p class="goal"></p></section>
    <section class="theory"><h3 data-say="why.theory"></h3><p></p></section>`);
  $("working").querySelector(".now").after(steps.section);
  const find = (path) => $("working").querySelector(path);
  parts = {
    goal: find(".goal"), now: find(".now"), title: find(".now h3"), verdict: find(".verdict"), legend: find(".legend"), show: find("details"),
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
  steps.show(state);
  for (const part of ["idea", "theory"]) {
    parts[part].querySelector("p").textContent = say(working[part]);
    parts[part].hidden = !say(working[part]);
  }
}

function now(insight, playing) {
  const said = playing && insight.said?.length;
  parts.now.hidden = !said && Boolean(state.match?.length); // then the explanation is about the last match
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

/** Draw over the lamps while a player looks for an explanation. */
function overlay() {
  const svg = $("insight");
  const wanted = root.classList.contains("open") || state.lesson?.help;
  const shown = wanted && PLAYING.includes(state.state) && state.insight?.groups?.length ? state.insight : undefined;
  const key = JSON.stringify(shown ?? null);
  if (key === drawn) return;
  drawn = key;
  svg.classList.toggle("shown", Boolean(shown));
  if (!shown) return (ties = new Set()), svg.replaceChildren();
  // The lamps are farther apart than they are high, so that the cells are wide.
  const { width, height } = svg.getBoundingClientRect();
  const wide = width / LAMPS / (height / ROWS) || 1;
  const lamp = document.querySelector(".lamps i");
  svg.setAttribute("viewBox", `0 0 ${LAMPS * wide} ${ROWS}`);
  svg.replaceChildren(...drawing(shown, (lamp.offsetWidth / 2 / height) * ROWS, wide, ties));
  ties = tied(shown);
}
