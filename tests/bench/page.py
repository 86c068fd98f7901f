"""The page in a real Chromium, in real time: press to lamp, and where that time goes; the first
paint; and what a visitor downloads."""

import asyncio
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aiohttp import web

import needs
from bench.measure import Ratio, exact, percentile, ratio
from bench.report import Goal, Section, Table, number
from nimatron import board
from nimatron_host.kiosk.server import Application
from nimatron_sim.circuit import Circuit
from nimatron_sim.errors import TierUnavailable
from nimatron_sim.simulated.pico import SimulatedPico

PRESSES = 300
LOADS = 16  # of each page
MOST_OF_ECHO = 3
FRAME_MS = 1000 / 60
MOST_OF_EMPTY = 1.5
DOWNLOAD = 120_000  # bytes
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
_PAINTED = "noted.some(([what]) => what === 'painted') ? noted : null"
_AWAIT = """() => new Promise((done, fail) => {
  setTimeout(() => fail(Error("nothing is painted")), 20_000);
  const look = () => {
    const said = %s;
    if (said) done(said); else setTimeout(look, 5);
  };
  look();
})"""
_BARE = """<!doctype html><title>Echo</title><body bgcolor=black>
<button style="width: 200px; height: 100px">Echo</button><p style="color: white">-</p>"""
_CONNECT = """(url) => new Promise((done) => {
  window.echoed = null;
  const socket = new WebSocket(url);
  socket.onopen = done;
  window.echo = (size, begin) => {
    echoed = null;
    socket.onmessage = () => {
      const heard = performance.now() - begin;
      document.querySelector("p").textContent = begin;
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => (echoed = [heard, performance.now() - begin]);
        painted.port2.postMessage(0);
      });
    };
    socket.send("x".repeat(size));
  };
  const pressed = (event) => echo(window.size, event.timeStamp);
  document.querySelector("button").addEventListener("pointerdown", pressed);
})"""
_ECHO = "(size) => { window.size = size; echo(size, performance.now()); }"


_PAINTING = "a frame of the page takes a browser without a graphics card longer than an empty one"
_EMPTY = "<!doctype html><title>Empty</title><body bgcolor=black>"  # paints something
_FIRST_PAINT = "performance.getEntriesByName('first-paint')[0].startTime"


def measure() -> dict[str, list[float]]:
    """ms of each part of each press; `echo` is that of a bare WebSocket echo. Raises
    TierUnavailable.

    The echo has a browser of its own: a page behind another one is not painted.
    """
    with _served([f"new {_WHOLE}", "set idle_ms 600000"]) as served, _echo_server() as echo:
        watch = _Watch(served.kiosk)
        with _browsers(2) as browsers:
            page, bare = [browser.new_page() for browser in browsers]
            page.add_init_script(_NOTE)
            page.goto(served.url)
            page.wait_for_selector("body[data-state=player]", timeout=60_000)
            bare.set_content(_BARE)
            bare.evaluate(_CONNECT, echo)
            bare.mouse.move(*_middle(bare, "button"))
            presses = [_press(page, bare, watch, n) for n in range(PRESSES + 5)][5:]
    return {what: [press[what] for press in presses] for what in presses[0]}


def loads() -> tuple[Ratio, Ratio, int]:
    """The first paint of the page and that of an empty one, ms, and how many times as long the
    page takes; both come from the same server, to browsers that have seen neither. And the bytes
    that were downloaded. Raises TierUnavailable."""
    with _served([]) as served, _browsers(1) as (browser,):
        rounds = []
        for _ in range(LOADS + 1):
            ours, download = _load(browser, served.url)
            empty = (
                _load(browser, f"{served.url}empty")[0] + _load(browser, f"{served.url}empty")[0]
            )
            rounds.append((ours + _load(browser, served.url)[0], empty))
    rounds = rounds[1:]
    return ratio([ours / 2 for ours, _ in rounds]), ratio([a / b for a, b in rounds]), download


def _load(browser, url):
    """ms to the first paint, and the bytes that have come until the machine is on."""
    context = browser.new_context()
    page = context.new_page()
    got = []
    line = context.new_cdp_session(page)
    line.on("Network.loadingFinished", lambda event: got.append(event["encodedDataLength"]))
    line.on(
        "Network.webSocketFrameReceived",
        lambda event: got.append(len(event["response"]["payloadData"])),
    )
    line.send("Network.enable")
    page.goto(url, wait_until="networkidle")
    if not url.endswith("empty"):
        page.wait_for_selector("body[data-state=attract]", timeout=60_000)
    painted = page.evaluate(_FIRST_PAINT)
    context.close()
    return painted, sum(got)


class _WithEmptyPage(Application):
    """The kiosk's server, which has an empty page, too."""

    def __init__(self, *args):
        super().__init__(*args)

        async def empty(request):
            return web.Response(text=_EMPTY, content_type="text/html")

        self.web.router.add_get("/empty", empty)


@contextmanager
def _served(lines):
    import served_kiosk

    served_kiosk.Application = _WithEmptyPage
    served = served_kiosk.Served(lines)
    try:
        yield served
    finally:
        served.stop()
        served_kiosk.Application = Application


@contextmanager
def _browsers(count):
    from playwright.sync_api import sync_playwright

    chromium = needs.browser(whole=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as driver:
        options = {"executable_path": chromium, "env": {"HOME": home, "TMPDIR": home}}
        browsers = [driver.chromium.launch(args=_FLAGS, **options) for _ in range(count)]
        yield browsers
        for browser in browsers:
            browser.close()


class _Watch:
    """Notes how long a Kiosk takes from a press that it has received to the state that it then
    has for its viewers: `ms`."""

    def __init__(self, kiosk):
        self.ms = 0.0
        self._begun = 0.0
        self._press, self._take = kiosk.press, kiosk.take_all
        kiosk.press, kiosk.take_all = self.press, self.take

    def press(self, viewer, button):
        self._begun = time.perf_counter()
        self._press(viewer, button)

    def take(self, records):
        self._take(records)
        if self._begun and any("lamps" in record for record in records):
            self.ms = 1000 * (time.perf_counter() - self._begun)
            self._begun = 0.0


def _press(page, bare, watch, number):
    """One press, with two echoes of as many bytes as its answer had: one by itself, and one that
    a press of a bare button asks for."""
    x, y = _middle(page, f"[data-button=row{number % board.ROWS + 1}]")
    page.mouse.move(x, y)  # as a hand does, some time before: its move would take a frame
    page.wait_for_timeout(_APART_MS)
    page.evaluate("noted.length = 0")
    page.mouse.down()
    noted = page.evaluate(_AWAIT % _PAINTED)
    page.mouse.up()
    bare.evaluate(_ECHO, max([size for _, _, size in noted]))
    heard, painted = bare.evaluate(_AWAIT % "echoed")
    bare.wait_for_timeout(_APART_MS)
    bare.evaluate("echoed = null")
    bare.mouse.down()
    _, pressed = bare.evaluate(_AWAIT % "echoed")
    bare.mouse.up()
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
        "pressed echo": pressed,
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
    try:
        say("press to lamp in the browser")
        presses = measure()
        say("first paint, and download")
        first_paint, paints, download = loads()
    except TierUnavailable as why:
        return Section("Page", [f"Not measured: {why}."])
    found = {what: ratio(values) for what, values in presses.items()}
    worst = {what: percentile(presses[what], 99) for what in ("whole", "echo and paint")}
    firmware = in_firmware()
    table = Table(("press to lamp in the browser", "ms", "middle half", "99 of 100"))

    def tell(what, name, shift=0.0):
        one = found[name].shifted(shift)
        table.rows.append(
            (what, one.median, _span(one), percentile(presses[name], 99).median + shift)
        )

    tell("from the press to the message that says so", "input")
    tell("network: an echo of the same size, by a bare server", "echo")
    table.rows.append(
        ("firmware, by its own clock: a bouncing contact to its lamp", firmware, "-", "-")
    )
    tell("server: from the message to the new state, without the firmware", "server", -firmware)
    tell("page: until it hears of that", "page")
    tell("paint: until the frame with the lamp has been painted", "paint")
    tell("all of it", "whole")
    tell("an echo of the same size, painted", "echo and paint")
    tell("the same when a bare button is pressed for it", "pressed echo")
    times = found["server"].shifted(-firmware).divided(found["echo"].median)
    more = ratio(
        [
            ours - echo
            for ours, echo in zip(presses["whole"], presses["echo and paint"], strict=True)
        ]
    )
    late = worst["whole"].minus(worst["echo and paint"])
    loaded = Table(("the first visit", "", "middle half"))
    loaded.rows.append(("first paint, ms", first_paint.median, _span(first_paint)))
    loaded.rows.append(("as many times that of an empty page", paints.median, _span(paints)))
    loaded.rows.append(("download, bytes", download, "-"))
    return Section(
        "Page",
        [
            f"{PRESSES} presses of a row, by mouse, on a page of `nimatron play` in Chromium, at "
            "all phases of a frame; after each of them an echo of as many bytes, in another "
            "browser, by a WebSocket server that does nothing else, and one that a press of a "
            "bare button asks for: after a press, Chromium draws a frame before it hands over "
            "what the network brings. This is real time, and the browsers draw without a "
            "graphics card.",
            table,
            f"The page and an empty one, from the same server, {2 * LOADS} times each in turns, "
            "by a browser that has seen neither. The download is everything until the machine "
            "is on, with headers, one language and what the machine says first.",
            loaded,
        ],
        [
            Goal(
                "page: the server's part of a press",
                f"{MOST_OF_ECHO} times a bare WebSocket echo at most",
                f"{number(times.median)} times",
                times.keeps_to(MOST_OF_ECHO),
                "the thread that runs the Pico wakes late",
                times,
            ),
            Goal(
                "page: press to painted lamp, median",
                f"{FRAME_MS:.1f} ms more than a painted echo at most, one frame",
                f"{number(more.median)} ms more",
                more.keeps_to(FRAME_MS),
                _PAINTING,
                more,
            ),
            Goal(
                "page: press to painted lamp, 99 of 100",
                f"{2 * FRAME_MS:.1f} ms more than a painted echo at most, two frames",
                f"{number(late.median)} ms more",
                late.keeps_to(2 * FRAME_MS),
                _PAINTING,
                late,
            ),
            Goal(
                "page: first paint",
                f"{MOST_OF_EMPTY} times that of an empty page at most",
                f"{number(paints.median)} times",
                paints.keeps_to(MOST_OF_EMPTY),
                "styles and shapes that are drawn first",
                paints,
            ),
            Goal(
                "page: download of a first visit",
                f"{DOWNLOAD:,} bytes at most",
                f"{download:,}",
                download <= DOWNLOAD,
                "less of it",
                exact(download),
            ),
        ],
    )


def _span(found: Ratio) -> str:
    return f"{number(found.low)} to {number(found.high)}"
