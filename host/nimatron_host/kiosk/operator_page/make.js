// Elements, and numbers and times as each language writes them.

export function make(name, text, ...children) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

const lang = () => document.documentElement.lang;

/** A number with a unit of Intl.NumberFormat. */
export const measure = (value, unit, unitDisplay = "short") => new Intl.NumberFormat(lang(), { style: "unit", unit, unitDisplay }).format(value);

/** The name of a unit. */
export const unitName = (unit) => new Intl.NumberFormat(lang(), { style: "unit", unit, unitDisplay: "long" }).formatToParts(2).find(({ type }) => type === "unit").value;

export const percent = (share) => new Intl.NumberFormat(lang(), { style: "percent" }).format(share);

/** A time of day, with its day unless that is today. */
export function clock(date) {
  const day = date.toDateString() === new Date().toDateString() ? {} : { weekday: "long", day: "numeric", month: "long" };
  return new Intl.DateTimeFormat(lang(), { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(date);
}

/** The time since a date, in its largest unit. */
export function ago(date) {
  const minutes = Math.max(0, Math.floor((Date.now() - date) / 60000));
  const [count, unit] = minutes < 60 ? [minutes, "minute"] : minutes < 1440 ? [Math.floor(minutes / 60), "hour"] : [Math.floor(minutes / 1440), "day"];
  return new Intl.RelativeTimeFormat(lang()).format(-count, unit);
}

/** A table of [heading, text] pairs. */
export function table(rows) {
  const header = (text) => Object.assign(make("th", text), { scope: "row" });
  return make("table", undefined, make("tbody", undefined, ...rows.map(([heading, text]) => make("tr", undefined, header(heading), make("td", text)))));
}
