// The figures of the matches: totals, and tables with a bar in each row.

import { device, lasting, reason } from "./machine.js";
import { make, percent } from "./make.js";
import { maybe, word } from "../words.js";

const WON = ["people", "machine", "together", "abandoned"];
const NAMES = { hour: (of) => `${of}:00`, day: (of) => of, level: (of) => maybe(`level.${of}`) ?? (of || word("desk.unknown")), game: (of) => maybe(`game.${of}`) ?? of };
const EVENTS = { reset: reason, failed: device };

const total = (row) => WON.reduce((sum, who) => sum + row[who], 0);

const tiles = (pairs) => pairs.map(([key, value]) => make("div", undefined, make("dt", word(key)), make("dd", value)));

function won({ people, machine }) {
  const all = people + machine; // that were played to the end against the machine
  return all ? word("desk.won.share", { won: people, all, share: percent(people / all) }) : people;
}

const lasted = ({ minutes, total: all }) => (!minutes && total(all) ? word("desk.lasted.under", { text: lasting(1) }) : lasting(minutes));

/** Today's three figures. */
export const day = (told) => tiles([["desk.stats.games", total(told.total)], ["desk.won.people", won(told.total)], ["desk.lasted", lasted(told)]]);

/** Everything about one span of time. */
export function charts(told, span) {
  const { machine, together, abandoned } = told.total;
  const list = make("dl", undefined, ...tiles([
    ["desk.matches", total(told.total)],
    ["desk.won.people", won(told.total)],
    ["desk.won.machine", machine],
    ["desk.won.together", together],
    ["desk.won.abandoned", abandoned],
    ["desk.lasted", lasted(told)],
  ]));
  list.className = "tiles";
  if (total(told.total) === 0) return [list, make("p", word("desk.nothing"))];
  const shown = ["hour", ...(span === "today" ? [] : ["day"]), "level", "game"];
  const tables = shown.map((by) => table(by, by === "hour" ? hours(told.hour) : by === "day" ? told.day : [...told[by]].sort((one, other) => total(other) - total(one))));
  const events = told.events.map(({ what, detail, count }) =>
    make("li", word("desk.times", { count, text: word(`desk.event.${what}`, { detail: EVENTS[what]?.(detail) || word("desk.unknown") }) })));
  return [list, make("p", undefined, ...WON.flatMap((who) => [swatch(who), `${word(`desk.won.${who}`)} `])), ...tables, make("ul", undefined, ...events)];
}

/** Each hour from the first to the last with matches, including empty ones. */
function hours(rows) {
  const known = Object.fromEntries(rows.map((row) => [row.of, row]));
  const first = Math.min(...rows.map((row) => row.of)), last = Math.max(...rows.map((row) => row.of));
  return Array.from({ length: last - first + 1 }, (_, n) => known[first + n] ?? { of: first + n, people: 0, machine: 0, together: 0, abandoned: 0 });
}

const swatch = (who, grow = 0) => {
  const bar = Object.assign(make("i"), { className: who });
  if (grow) bar.style.flexGrow = grow;
  return bar;
};

function table(by, rows) {
  const most = Math.max(...rows.map(total));
  const header = (scope, ...parts) => Object.assign(make("th", undefined, ...parts), { scope });
  const named = (who) => header("col", swatch(who), Object.assign(make("span", word(`desk.won.${who}`)), { className: "unseen" }));
  const bar = (row) => make("td", undefined, make("div", undefined, ...[...WON, "rest"].map((who) => swatch(who, who === "rest" ? most - total(row) : row[who])).filter((one) => one.style.flexGrow)));
  const made = make("table", undefined,
    make("caption", word(`desk.by.${by}`)),
    make("thead", undefined, make("tr", undefined, make("td"), make("td"), header("col", word("desk.all")), ...WON.map(named))),
    make("tbody", undefined, ...rows.map((row) => make("tr", undefined, header("row", NAMES[by](row.of)), bar(row), ...[total(row), ...WON.map((who) => row[who])].map((n) => make("td", n))))));
  made.dataset.by = by;
  return made;
}
