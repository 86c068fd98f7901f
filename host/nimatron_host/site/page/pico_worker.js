// The Pico: MicroPython runs the firmware on the simulated chip, in step with the clock.
// It receives {given, port} first, see live_main.py. Orders and records go through the port, the flash to the page.

const LOADED = ""; // a message for each part that has arrived, see site.js

// Request all files at once, not one after another.
const loaded = (part) => (postMessage(LOADED), part);
const parts = Promise.all([import("./micropython.js"), import("./pico.js"), fetch(new URL("python.rom", import.meta.url))].map((part) => part.then(loaded)));

const AT_ONCE_MS = 8; // of work, before orders get a turn
const SHORT_S = 0.004; // a nap that a timer would make longer
const PRESSED_MS = 100; // since an order: its contact bounces, and a visitor waits for the lamp

let pico, kiosk, timer, ordered = -Infinity;

// An error reaches the page, a broken promise does not.
onmessage = ({ data }) => begin(data).catch((why) => setTimeout(() => { throw why; }));

async function begin({ given, port }) {
  const [{ loadMicroPython }, { load, unpacked }, packed] = await parts;
  const program = await load(loadMicroPython, await unpacked(packed), "nimatron_play.live_main", new URL("micropython.wasm", import.meta.url).href);
  pico = program.start(given);
  postMessage(LOADED);
  kiosk = port;
  kiosk.onmessage = ({ data }) => {
    ordered = performance.now();
    for (const [verb, what] of JSON.parse(data)) pico.do(verb, what);
    turn();
  };
  turn();
}

function turn() {
  clearTimeout(timer);
  const begin = performance.now(), least = begin - ordered < PRESSED_MS ? SHORT_S : 0;
  let nap;
  do {
    pico.turn();
    tell();
    nap = pico.nap();
  } while (nap <= least && performance.now() < begin + AT_ONCE_MS);
  timer = setTimeout(turn, nap * 1000);
}

function tell() {
  const records = pico.records(), flash = pico.flash();
  if (records) kiosk.postMessage(records);
  if (flash) postMessage(flash);
}
