// The connection to the machine: its last state, the listeners, and messages that are neither lost nor doubled.

const AGAIN_MS = [250, 5000]; // between attempts to connect, at first and at most
const SILENCE_MS = 4000; // without a beat, which comes every 2 s: the line is cut
const STALE_MS = 10_000; // a press that has waited this long is dropped

// Everything the server has sent. A page that is loaded again continues as before, at its table. A copy in another tab does not.
const loadedAgain = performance.getEntriesByType("navigation")[0]?.type === "reload";
const kept = (key) => (loadedAgain && sessionStorage.getItem(key)) || undefined;
export const state = { you: kept("you"), table: kept("table") };
const listeners = [];
const waiting = new Map(); // serial number: [message, time] that the server has not confirmed
let socket, watchdog, again = AGAIN_MS[0], late = false;
let serial = Date.now(); // more than before it was loaded again

/** Have `listener(news)` called for each message, and with everything after a change of language. */
export const listen = (listener) => listeners.push(listener);

export const tell = (news = state) => listeners.forEach((listener) => listener(news));

export const connected = () => socket?.readyState === WebSocket.OPEN && !document.body.classList.contains("lost");

/** Send one message, such as ("press", "go"). False without a connection. */
export function send(verb, what) {
  if (!connected()) return false;
  const message = JSON.stringify({ [verb]: String(what), n: ++serial });
  waiting.set(serial, [message, performance.now()]);
  socket.send(message);
  return true;
}

/** Take the token and the table of a friend out of the address, where the next person could see them. */
function given() {
  const link = new URLSearchParams(location.hash.slice(1));
  if (link.has("token")) sessionStorage.setItem("token", link.get("token"));
  if (link.has("table")) Object.assign(state, { you: undefined, table: link.get("table") });
  if (link.size) history.replaceState(null, "", location.pathname);
  return sessionStorage.getItem("token");
}

function confirmed(done) {
  for (const n of waiting.keys()) if (n <= done) waiting.delete(n);
}

/** After a cut, send recent messages again, under their old numbers. The server carries out each number once. */
function repeat() {
  for (const [n, [message, at]] of waiting) {
    if (performance.now() - at < STALE_MS) socket.send(message);
    else {
      waiting.delete(n);
      late = true;
    }
  }
  if (late) tell({ late });
  late = false;
}

export function connect() {
  const token = given(), address = new URL("look", location.href);
  for (const key of ["you", "table"]) if (state[key]) address.searchParams.set(key, state[key]);
  address.protocol = address.protocol.replace("http", "ws");
  const line = (socket = new WebSocket(address));
  line.addEventListener("open", () => {
    if (token) line.send(JSON.stringify({ token }));
    repeat();
  });
  line.addEventListener("message", (event) => {
    if (line !== socket) return;
    again = AGAIN_MS[0];
    present(true);
    const news = JSON.parse(event.data);
    if ("done" in news) confirmed(news.done);
    if ("beat" in news) line.send(JSON.stringify({ beat: String(news.beat) }));
    Object.assign(state, news);
    for (const key of ["you", "table"]) if (news[key]) sessionStorage.setItem(key, news[key]);
    clearTimeout(watchdog);
    if (state.beat !== undefined) watchdog = setTimeout(cut, SILENCE_MS, line);
    tell(news);
  });
  line.addEventListener("close", () => cut(line));
}

function cut(line) {
  if (line !== socket) return;
  clearTimeout(watchdog);
  socket = undefined;
  line.close();
  present(false);
  tell({ cut: true });
  setTimeout(connect, again);
  again = Math.min(again * 2, AGAIN_MS[1]);
}

function present(yes) {
  if (yes !== document.body.classList.contains("lost")) return; // otherwise a frame would be drawn for each message
  document.getElementById("lost").hidden = yes;
  document.body.classList.toggle("lost", !yes);
}
