"""The page: press to lamp in a real Chromium, in real time, and where that time goes."""

import asyncio
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from aiohttp import web

from bench.measure import Ratio, ratio
from bench.report import Goal, Section, Table, number
from nimatron import board
from nimatron_sim.circuit import Circuit
from nimatron_sim.simulated.pico import SimulatedPico

PRESSES = 120
MOST_OF_ECHO = 3
_CHROMIUM = Path("/usr/bin/chromium")
_FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]
_APART_MS = 137  # between presses, which then come at all phases of a frame
_WHOLE = " ".join([str(board.LAMPS)] * board.ROWS)

# What the page sends and hears, and when; and when the frame after that has been painted.
_NOTE = """
window.noted = [];
const note = (what, at, size) => noted.push([what, at, size ?? 0]);
addEventListener("pointerdown", (event) => note("down", event.timeStamp), true);
window.WebSocket = class extends WebSocket {
  constructor(...args) {
    super(...args);
    this.addEventListener("message", (event) => {
      if (!("lamps" in JSON.parse(event.data))) return;
      note("lamps", performance.now(), event.data.length);
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => note("painted", performance.now());
        painted.port2.postMessage(0);
      });
    });
  }
  send(data) {
    if ("press" in JSON.parse(data)) note("sent", performance.now());
    super.send(data);
  }
};
"""
_PAINTED = """() => new Promise((done) => {
  const painted = ([what]) => what === "painted";
  const look = () => noted.some(painted) ? done(noted) : setTimeout(look, 5);
  look();
})"""
_ECHO = """([url, size]) => new Promise((done) => {
  const once = (socket) => {
    const begin = performance.now();
    socket.onmessage = () => {
      const heard = performance.now() - begin;
      document.body.textContent = begin;
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => done([heard, performance.now() - begin]);
        painted.port2.postMessage(0);
      });
    };
    socket.send("x".repeat(size));
  };
  if (window.echoing) once(window.echoing);
  else {
    window.echoing = new WebSocket(url);
    window.echoing.onopen = () => once(window.echoing);
  }
})"""


class NotThere(Exception):
    """The text, one line, says what is missing."""


def measure() -> dict[str, Ratio]:
    """ms of each part of a press; `echo` is that of a bare WebSocket echo. Raises NotThere."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise NotThere("PyPI's playwright is not here") from None
    if not _CHROMIUM.exists():
        raise NotThere(f"there is no {_CHROMIUM}: apt-get install chromium")
    from served_kiosk import Served

    served = Served([f"new {_WHOLE}"])
    watch = _Watch(served.kiosk)
    try:
        with (
            _echo_server() as echo,
            sync_playwright() as driver,
            tempfile.TemporaryDirectory() as home,
        ):
            browser = driver.chromium.launch(
                executable_path=_CHROMIUM, args=_FLAGS, env={"HOME": home, "TMPDIR": home}
            )
            page, bare = browser.new_page(), browser.new_page()
            page.add_init_script(_NOTE)
            page.goto(served.url)
            page.wait_for_selector("body[data-state=player]", timeout=10_000)
            page.bring_to_front()
            presses = [_press(page, bare, echo, watch, n) for n in range(PRESSES)][5:]
            browser.close()
    finally:
        served.stop()
    return {what: ratio([press[what] for press in presses]) for what in presses[0]}


class _Watch:
    """Notes how long a Kiosk takes from a press that it has received to the state that it then
    has for its viewers: `ms`."""

    def __init__(self, kiosk):
        self.ms = 0.0
        self._begun = 0.0
        self._press, self._take = kiosk.press, kiosk.take
        kiosk.press, kiosk.take = self.press, self.take

    def press(self, viewer, button):
        self._begun = time.perf_counter()
        self._press(viewer, button)

    def take(self, record):
        self._take(record)
        if "lamps" in record and self._begun:
            self.ms = 1000 * (time.perf_counter() - self._begun)
            self._begun = 0.0


def _press(page, bare, echo, watch, number):
    """One press, with one echo of as many bytes as its answer had."""
    x, y = _middle(page, f"[data-button=row{number % board.ROWS + 1}]")
    page.wait_for_timeout(_APART_MS)
    page.evaluate("noted.length = 0")
    page.mouse.move(x, y)
    page.mouse.down()
    noted = page.evaluate(_PAINTED)
    page.mouse.up()
    bare.bring_to_front()  # the other one is not painted
    heard, painted = bare.evaluate(_ECHO, [echo, max([size for _, _, size in noted])])
    page.bring_to_front()
    at: dict[str, float] = {}
    for what, ms, _ in noted:
        at.setdefault(what, ms)
    return {
        "input": at["sent"] - at["down"],
        "answer": at["lamps"] - at["sent"],
        "server": watch.ms,
        "page": at["lamps"] - at["sent"] - heard - watch.ms,
        "paint": at["painted"] - at["lamps"],
        "whole": at["painted"] - at["down"],
        "echo": heard,
        "echo and paint": painted,
    }


def _middle(page, selector):
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@contextmanager
def _echo_server() -> Iterator[str]:
    """A WebSocket server that sends back what it gets, in a thread like the kiosk's; its URL."""
    loop, ready, told = asyncio.new_event_loop(), threading.Event(), []

    async def echo(request):
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            await socket.send_str(message.data)
        return socket

    async def serve():
        told.append(asyncio.Event())
        application = web.Application()
        application.router.add_get("/", echo)
        runner = web.AppRunner(application, shutdown_timeout=1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        told.append(f"ws://127.0.0.1:{runner.addresses[0][1]}/")
        ready.set()
        await told[0].wait()
        await runner.cleanup()

    thread = threading.Thread(target=loop.run_until_complete, args=[serve()])
    thread.start()
    ready.wait()
    try:
        yield told[1]
    finally:
        loop.call_soon_threadsafe(told[0].set)
        thread.join()
        loop.close()


def in_firmware() -> float:
    """ms of the simulated Pico's own time from a contact's first edge to the lamp."""
    pico = SimulatedPico(Circuit())
    pico.start(*[board.LAMPS] * board.ROWS)
    taken = []
    for press in range(PRESSES):
        pico.run(_APART_MS + 0.1 * press)
        begin = pico.clock.now
        rows = pico.rows
        pico.press(f"row{press % board.ROWS + 1}")
        pico.run_until(lambda rows=rows: pico.rows != rows)
        taken.append((pico.clock.now - begin) / 1000)
        pico.release(f"row{press % board.ROWS + 1}")
    return sorted(taken)[len(taken) // 2]


# ---------------------------------------------------------------------- the section


def section(say: Callable[[str], None]) -> Section:
    say("press to lamp in the browser")
    try:
        found = measure()
    except NotThere as why:
        return Section("Page", [f"Not measured: {why}."])
    firmware = in_firmware()
    server = found["server"]
    table = Table(("press to lamp in the browser", "ms", "middle half"))

    def tell(what, ratio):
        table.rows.append((what, ratio.median, _span(ratio)))

    tell("from the press to the message that says so", found["input"])
    tell("network: an echo of the same size, by a bare server", found["echo"])
    table.rows.append(
        ("firmware, by its own clock: a bouncing contact to its lamp", firmware, "-")
    )
    own = server.shifted(-firmware)
    tell("server: from the message to the new state, without the firmware", own)
    tell("page: until it hears of that, because it is still painting the button", found["page"])
    tell("paint: until the frame with the lamp has been painted", found["paint"])
    tell("all of it", found["whole"])
    tell("an echo of the same size, painted", found["echo and paint"])
    times = own.divided(found["echo"].median)
    return Section(
        "Page",
        [
            f"{PRESSES} presses of a row, by mouse, on a page of `nimatron play` in Chromium, at "
            "all phases of a frame; after each of them an echo of as many bytes, from another "
            "page of the same browser, by a WebSocket server that does nothing else. This is real "
            "time, and the browser draws without a graphics card: each frame of the page takes it "
            "most of what the page waits for.",
            table,
        ],
        [
            Goal(
                "page: the server's part of a press",
                f"{MOST_OF_ECHO} times a bare WebSocket echo at most",
                f"{number(times.median)} times",
                times.keeps_to(MOST_OF_ECHO),
                "the thread that runs the Pico wakes late",
                times,
            )
        ],
    )


def _span(found: Ratio) -> str:
    return f"{number(found.low)} to {number(found.high)}"
