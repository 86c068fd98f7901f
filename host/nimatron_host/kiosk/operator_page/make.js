// Elements, and numbers as each language writes them.

export function make(name, text, ...children) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

const numbers = (how) => new Intl.NumberFormat(document.documentElement.lang, { useGrouping: false, ...how });

/** The format of a number, with or without a unit of Intl.NumberFormat. */
export const format = (unit) => numbers(unit ? { style: "unit", unit } : {});

export const measure = (value, unit) => format(unit).format(value);

export const percent = (share) => numbers({ style: "percent" }).format(share);

/** Milliseconds as people write them, if that is shorter: whole or half seconds, or minutes. */
export function plainly(ms) {
  if (ms >= 60000 && ms % 30000 === 0) return measure(ms / 60000, "minute");
  return ms >= 1000 && ms % 100 === 0 ? measure(ms / 1000, "second") : "";
}

/** A table of [heading, text] pairs. */
export function table(rows) {
  const header = (text) => Object.assign(make("th", text), { scope: "row" });
  return make("table", undefined, make("tbody", undefined, ...rows.map(([heading, text]) => make("tr", undefined, header(heading), make("td", text)))));
}
