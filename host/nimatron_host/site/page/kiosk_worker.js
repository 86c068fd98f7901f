// The kiosk: the visitor's view and actions, as on a server, on a separate MicroPython.
// It receives {given, port} first, see kiosk_main.py, and then the page's messages. The Pico is behind the port.

const LOADED = ""; // a message for each part that has arrived, see site.js

// Request all files at once, not one after another.
const loaded = (part) => (postMessage(LOADED), part);
const parts = Promise.all([import("./micropython.js"), import("./pico.js"), fetch(new URL("python.rom", import.meta.url))].map((part) => part.then(loaded)));

const LOOK_MS = 1500; // a notice is shown for some seconds

let desk, pico, timer;
const operators = new BroadcastChannel(`nimatron operator ${new URL(".", location.href).pathname}`);

// An error reaches the page, a broken promise does not.
onmessage = ({ data }) => begin(data).catch((why) => setTimeout(() => { throw why; }));

async function begin({ given, port }) {
  const [{ loadMicroPython }, { load, unpacked }, packed] = await parts;
  const program = await load(loadMicroPython, await unpacked(packed), "nimatron_play.kiosk_main", new URL("micropython.wasm", import.meta.url).href);
  desk = program.start(given);
  postMessage(LOADED);
  pico = port;
  pico.onmessage = ({ data }) => (desk.take(data), tell());
  onmessage = ({ data }) => (desk.hear(data), tell());
  operators.onmessage = ({ data: { line } }) => {
    if (line === undefined) return;
    desk.operate(line);
    tell();
  };
  setInterval(look, LOOK_MS);
  tell();
}

function look() {
  const beat = desk.beat();
  tell();
  if (beat) operators.postMessage({ news: beat });
}

/** Pass on the news. Slow questions come after that. */
function tell() {
  const orders = desk.orders(), news = desk.news();
  if (orders) pico.postMessage(orders);
  if (news) postMessage(news);
  const told = desk.operators_news();
  if (told) operators.postMessage({ news: told });
  timer ??= setTimeout(ponder);
}

function ponder() {
  timer = undefined;
  if (desk.ponder()) tell();
}
