// The machine's reports: its state, its health, its own statistics.

import { ago, clock, make, measure, table } from "./make.js";
import { maybe, word } from "../words.js";

const MINUTE_MS = 60_000;
const CLOSED = ["crashed", "maintenance"];
const BAD = ["away", "off", ...CLOSED];
const MATCH = ["opening", "player", "thinking", "machine"];

/** The machine's mode: "show", "closed" after crashes or for maintenance, or "" if it does not answer. */
export const within = ({ state }) => (CLOSED.includes(state) ? "closed" : ["attract", "verdict", "test", ...MATCH].includes(state) ? "show" : "");

/** The question before a restart, or "" if visitors cannot play. */
export const restarts = (state) => (within(state) === "closed" ? "" : MATCH.includes(state.state) ? "desk.reboot.sure" : "desk.reboot.sure.idle");

/** The reason why visitors cannot play, and a remedy, or "". */
export function trouble({ state, failures = [], places }) {
  if (failures.length) return word("desk.failed", { names: names(failures, places) });
  return BAD.includes(state) ? word(`desk.state.${state}`) : "";
}

/** A sentence about a machine that runs. since: a date, if known. figures: the figures of all time, if known. */
export function running({ state, tables = [] }, since, figures) {
  if (!since) return maybe(`desk.state.${state}`) ?? word("state.other", { state });
  const plays = [state, ...tables.map((table) => table.state)].some((one) => MATCH.includes(one));
  const last = figures && (figures.last ? lastPlayed(new Date(figures.last)) : word("desk.last.never"));
  const parts = [word("desk.running", { since: clock(since) }), plays ? word("desk.last.now") : last];
  return `${parts.filter(Boolean).join(", ")}.`;
}

const lastPlayed = (date) => (Date.now() - date < MINUTE_MS ? word("desk.last.just") : word("desk.last", { ago: ago(date) }));

const names = (list, places) => list.map((name) => device(name, places)).join(", ");

/** A device's name, a button's, or a fault of the lamps' wires such as lamp:3.5:open, with its place. */
export const device = (name, places = {}) =>
  name.includes(":") ? `${wire(...name.split(":"))}${places[name] ? ` (${places[name]})` : ""}` : maybe(`desk.device.${name}`) ?? maybe(`button.${name}`) ?? name;

function wire(what, where, how) {
  const kind = maybe(`desk.wires.${what}`);
  const part = kind ? `${kind} ${where}` : maybe(`desk.device.${where}`) ?? `${what} ${where}`;
  return `${part}: ${maybe(`desk.wires.${how}`) ?? how}`;
}

/** The reason for the Pico's start. */
export const reason = (why) => maybe(`desk.why.${why}`) ?? why;

const kb = (bytes) => measure(Math.round(bytes / 1000), "kilobyte");
const listed = (text) => (text === "none" ? word("desk.none") : names(text.split(",")));

const SHOWN = {
  uptime_s: (seconds) => lasting(Math.floor(seconds / 60)),
  free: kb,
  flash_free: kb,
  lag_ms: (ms) => measure(ms, "millisecond"),
  celsius: (degrees) => measure(degrees, "celsius"),
  failed: listed,
  stuck: listed,
  lamps: (faults) => (faults === "ok" ? faults : names(faults.split(","))),
};

export function lasting(minutes) {
  const parts = [[Math.floor(minutes / 1440), "day"], [Math.floor(minutes / 60) % 24, "hour"], [minutes % 60, "minute"]];
  const from = parts.findIndex(([count]) => count > 0);
  return parts.slice(from < 0 ? 2 : from).map(([count, unit]) => measure(count, unit)).join(" ");
}

/** Its answers to `version` and `health`. A fact that is unknown to this page keeps its name. */
export function health({ name, nonce, ...facts }) {
  return table(Object.entries(facts).map(([key, value]) => {
    if (value === "unknown") value = word("desk.unknown");
    else if (SHOWN[key]) value = SHOWN[key](value);
    return [maybe(`desk.health.${key}`) ?? key, maybe(`desk.health.${key}.${value}`) ?? value];
  }));
}

const GROUPS = { played: (game) => maybe(`game.${game}`) ?? game, levels: (level) => maybe(`level.${level}`) ?? level, openings: (opening) => (opening === "other" ? word("desk.other") : opening), resets: reason };

/** Its answer to `stats`: the totals, then each group. An entry has one count, or the counts of player, machine and abandoned. */
export function stats(told) {
  const totals = [], groups = Object.fromEntries(Object.keys(GROUPS).map((group) => [group, []]));
  for (const [key, value] of Object.entries(told)) {
    const [group, ...rest] = key.split(".");
    if (groups[group] && rest.length) groups[group].push([GROUPS[group](rest.join(".")), value]);
    else totals.push([maybe(`desk.stats.${key}`) ?? key, key === "minutes" ? lasting(value) : value === "unknown" ? word("desk.unknown") : value]);
  }
  const titled = Object.entries(groups).flatMap(([group, rows]) => (rows.length ? [make("h3", word(`desk.stats.${group}`)), table(rows)] : []));
  return [table(totals), ...(titled.length ? [make("p", word("desk.stats.three"))] : []), ...titled];
}
