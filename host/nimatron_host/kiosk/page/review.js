// The present match, or the last one, move by move: small boards, and the value of each move.

import { board } from "./insight.js";
import { say, word } from "./words.js";

const LIVE = ["player", "thinking", "machine"];

/** The elements of the review. `show(state)` fills them. */
export function review() {
  const section = Object.assign(document.createElement("section"), { className: "review", hidden: true });
  section.innerHTML = `<h3></h3>
    <div class="steps"><button class="back"></button> <output></output> <button class="on"></button></div>
    <p></p><div class="boards"></div><div class="boards"></div>`;
  const [title, back, count, on, boards, said, better] = ["h3", ".back", "output", ".on", ".boards", "p", ".boards:last-child"].map((path) => section.querySelector(path));
  let match = [], at = 0, over = false, chosen = false; // by the visitor

  back.addEventListener("click", () => step(at - 1));
  on.addEventListener("click", () => step(at + 1));

  function step(to) {
    at = Math.max(0, Math.min(to, match.length - 1));
    chosen = true;
    draw();
  }

  /** The move to begin with: after the match, the last move with which a person gave it away. Between two people, the loser made it. */
  function telling() {
    const slip = over ? match.findLastIndex(({ by, better }) => by !== "machine" && better !== null) : -1;
    return slip < 0 ? Math.max(match.length - 1, 0) : slip;
  }

  function draw() {
    section.hidden = !match.length;
    if (!match.length) return;
    const move = match[at];
    title.textContent = word(over ? "review.last" : "review.now");
    count.textContent = word("review.step", { step: at + 1, count: match.length });
    for (const [button, key, sign] of [[back, "review.back", "◀"], [on, "review.on", "▶"]]) {
      button.textContent = sign;
      button.setAttribute("aria-label", word(key));
    }
    // Not `disabled`: that would take the focus away at the last step.
    back.setAttribute("aria-disabled", at === 0);
    on.setAttribute("aria-disabled", at === match.length - 1);
    const [before, after, best] = move.seen ?? [];
    boards.replaceChildren(
      figure("review.before", board(move.before, { seen: before })),
      figure("review.after", board(move.after, { gone: move.before & ~move.after, come: move.after & ~move.before, seen: after })),
    );
    said.textContent = say(move.said);
    const gone = move.before & ~move.better, come = move.better & ~move.before;
    better.replaceChildren(...(move.better === null ? [] : [figure("review.better", board(move.better, { gone, come, seen: best }))]));
  }

  return {
    section,
    show(state) {
      const latest = at >= match.length - 1; // a visitor who looks at an earlier move is left there
      const other = !state.match?.length || state.match[0].before !== match[0]?.before || state.match.length < match.length;
      match = state.match ?? [];
      over = !state.begun || !LIVE.includes(state.state);
      if (other || (latest && !over)) chosen = false;
      if (!chosen) at = telling();
      draw();
    },
  };
}

function figure(key, picture) {
  const figure = document.createElement("figure");
  figure.append(picture, Object.assign(document.createElement("figcaption"), { textContent: word(key) }));
  return figure;
}
