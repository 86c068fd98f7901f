// The machine: a worker for the Pico and one for the kiosk. They begin before the page itself has loaded, so this imports nothing.

export const HERE = new URL(".", location.href);
export const KEPT = `nimatron ${HERE.pathname}`; // of this folder, for others may be on the same site
export const link = new URLSearchParams(location.search);

const waiting = []; // early messages of the workers, before there is a listener
let told = (...event) => waiting.push(event);

function started(name) {
  const worker = new Worker(new URL(name, HERE), { type: "module" });
  worker.onmessage = worker.onerror = (event) => told(worker, event);
  return worker;
}

export const pico = started("pico_worker.js"), kiosk = started("kiosk_worker.js");

/** Have `listener(worker, event)` called for each message and each error of a worker. */
export function hear(listener) {
  told = listener;
  for (const event of waiting) told(...event);
}

/** The files on its flash. A browser may forbid a page in a frame to keep anything: then each visit is the first. */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

const { port1, port2 } = new MessageChannel();
const [seed] = crypto.getRandomValues(new Uint32Array(1));
pico.postMessage({ given: JSON.stringify({ display: "matrix", seed: seed >>> 1, flash: kept() }), port: port1 }, [port1]);
kiosk.postMessage({ given: JSON.stringify({ link: Object.fromEntries(link) }), port: port2 }, [port2]);
