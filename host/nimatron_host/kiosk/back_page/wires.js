// The wires between the relays, drawn from the circuit: dark copper, and light where current flows.

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 58; // the height of a relay's drawing, see back.js

export const TERMINALS = { common: 19, front: 25, back: 47, coil: 56 }; // where they are in a relay's drawing
const COIL_X = 7;

const GOLDEN = 0.618; // spreads the wires over a gutter
const PLUS = "+"; // the battery is everywhere, so its wire is not drawn

/** {coils: {relay: the wire of each}, contacts: [[actuator, common, front, back], ...], lamps: {lamp: wire}} */
export const parts = await (await fetch(new URL("parts.json", import.meta.url))).json();

export const contacts = (actuator) => parts.contacts.filter(([name]) => name === actuator);

export const WIDTH = 30 + 8 * Math.max(...Object.keys(parts.coils).map((name) => contacts(name).length)); // of a relay's drawing

/** Where a relay's contacts are in its drawing. They and the coil share its width. */
export function places(name) {
  const count = contacts(name).length, pitch = Math.min(16, (WIDTH - 30) / count);
  const coil = WIDTH - 10 - pitch * count;
  return { coil, xs: Array.from({ length: count }, (_, index) => coil + 10 + pitch * index) };
}

const live = new Set();
const lights = {}; // the path of each wire

/** Return the relays and lamps that have current now, and would lose it without this relay. */
export function feeds(without, states, misere) {
  const edges = [];
  for (const [actuator, common, front, back] of parts.contacts) {
    if (actuator === without) continue;
    const where = actuator in parts.coils ? states[actuator][0] : Number(actuator === "MISERE" && misere);
    if (where === 1 && front) edges.push([common, front]);
    if (where === 0 && back) edges.push([common, back]);
  }
  const reached = new Set([PLUS]);
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    for (const [a, b] of edges) if (reached.has(a) || reached.has(b)) reached.add(a).add(b);
  }
  const lost = (wires) => wires.some((wire) => live.has(wire)) && !wires.some((wire) => reached.has(wire));
  const coils = Object.entries(parts.coils).filter(([name, wires]) => name !== without && lost(wires));
  const lamps = Object.entries(parts.lamps).filter(([, wire]) => lost([wire]));
  return [...coils, ...lamps].map(([name]) => name);
}

/** Switch the light of these wires on or off. all: they are all the wires with current. */
export function light(wires, all) {
  const changed = all ? [...live].filter((wire) => !wires.includes(wire)).concat(wires.filter((wire) => !live.has(wire))) : wires;
  for (const wire of changed) {
    if (!live.delete(wire)) live.add(wire);
    lights[wire]?.classList.toggle("live", live.has(wire));
  }
}

/** Mark the wires of a relay. */
export function mark(relay) {
  const own = new Set([...(parts.coils[relay] ?? []), ...contacts(relay).flatMap(([, ...wires]) => wires)]);
  for (const [wire, path] of Object.entries(lights)) path.classList.toggle("own", own.has(wire));
}

/** Draw all wires, from the contacts that lead the current to the coils and the lamps where it ends. */
export function draw(svg, relays) {
  const { left, top } = svg.getBoundingClientRect();
  const gutter = parseFloat(getComputedStyle(document.querySelector("#others ul")).rowGap); // above the relays
  const ends = {};
  const end = (wire, x, y, edge) => wire && wire !== PLUS && (ends[wire] ??= []).push([x, y, edge].map((at, n) => Math.round(at - (n ? top : left))));
  const boxes = {};
  for (const [name, button] of Object.entries(relays)) {
    const { x, y, height } = button.querySelector("svg").getBoundingClientRect(), scale = height / WIDE;
    boxes[name] = (wire, atX, atY) => end(wire, x + scale * atX, y + scale * atY, button.getBoundingClientRect().y);
  }
  for (const name of Object.keys(relays)) {
    const { xs } = places(name);
    contacts(name).forEach(([, common, front, back], index) => {
      const x = xs[index];
      boxes[name](common, x, TERMINALS.common);
      boxes[name](front, x - 2, TERMINALS.front);
      boxes[name](back, x + 2, TERMINALS.back);
    });
  }
  for (const [relay, wires] of Object.entries(parts.coils)) wires.forEach((wire, index) => boxes[relay](wire, COIL_X * (index + 1), TERMINALS.coil));
  for (const [lamp, wire] of Object.entries(parts.lamps)) {
    const glass = document.querySelector(`[data-lamp="${lamp}"]`)?.getBoundingClientRect();
    if (glass) end(wire, glass.x + glass.width / 2, glass.y, glass.y);
  }
  const lines = Object.fromEntries(Object.entries(ends).map(([wire, points], number) => [wire, laced(points, gutter * ((number * GOLDEN) % 1))]));
  const path = (line, name) => {
    const made = svg.appendChild(document.createElementNS(SVG, "path"));
    for (const [attribute, value] of Object.entries({ d: line, class: name, pathLength: 1 })) made.setAttribute(attribute, value);
    return made;
  };
  svg.replaceChildren();
  path(Object.values(lines).join(""), "copper");
  for (const [wire, line] of Object.entries(lines)) lights[wire] = path(line, live.has(wire) ? "light live" : "light");
}

/** A line from end to end that runs in the gutters above the relays, as laced wires do. lane: how far above. */
const laced = (points, lane) => points.map(([x, y, edge], n) => (n ? `V${points[n - 1][2] - lane}H${x}V${y}` : `M${x} ${y}`)).join("");
