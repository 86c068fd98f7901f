"""The page in a real Chromium, in real time: press to painted lamp, first paint, and download."""

from collections.abc import Callable
from contextlib import contextmanager

from aiohttp import web

import needs
from bench import tables
from bench.measure import Ratio, exact, percentile, ratio
from bench.report import Goal, Section, Table
from chromium import FLAGS, holds, open_browser
from nimatron import board
from nimatron_host.kiosk.server import Application

TITLE = "Page"
PRESSES = 300
LOADS = 16  # of each page
FRAME_MS = 1000 / 60
MOST_OF_EMPTY = 1.5
DOWNLOAD = 120_000  # bytes
_APART_MS = 137  # between presses, which then come at all phases of a frame
_WHOLE = " ".join([str(board.LAMPS)] * board.ROWS)

# `painted` is the time at which the frame after a change has been painted.
_AFTER_FRAME = """
window.noted = {};
const afterFrame = () => requestAnimationFrame(() => {
  const painted = new MessageChannel();
  painted.port1.onmessage = () => (noted.painted ??= performance.now());
  painted.port2.postMessage(0);
});
"""
_NOTE = f"""{_AFTER_FRAME}
addEventListener("pointerdown", (event) => (noted = {{ down: event.timeStamp }}), true);
window.WebSocket = class extends WebSocket {{
  constructor(...args) {{
    super(...args);
    this.addEventListener("message", (event) => {{
      if (!("lamps" in JSON.parse(event.data)) || noted.size) return;
      noted.size = event.data.length;
      afterFrame();
    }});
  }}
}};
"""
_ECHO = f"""(url) => new Promise((done) => {{
  {_AFTER_FRAME}
  const socket = new WebSocket(url);
  socket.onopen = done;
  socket.onmessage = () => {{
    document.querySelector("p").textContent = performance.now();
    afterFrame();
  }};
  window.echo = (size) => {{
    noted = {{ down: performance.now() }};
    socket.send("x".repeat(size));
  }};
}})"""
_BARE = "<!doctype html><title>Echo</title><body bgcolor=black><p style='color: white'>-</p>"
_EMPTY = "<!doctype html><title>Empty</title><body bgcolor=black>"  # paints something
_FIRST_PAINT = "performance.getEntriesByName('first-paint')[0].startTime"


def measure(say: Callable[[str], None]) -> dict:
    """Raises TierUnavailable."""
    with open_browser(needs.browser(whole=True)) as browser:
        say("press to lamp in the browser")
        lamps, echoes = presses(browser)
        say("first paint, and download")
        paints, empty, download = loads(browser)
    found = {"download": download, "paint": ratio(paints).median, "empty": ratio(empty).median}
    for name, taken in (("lamp", lamps), ("echo", echoes)):
        found[name] = [ratio(taken).median, percentile(taken, 99).median]
    found["more"] = ratio([lamp - echo for lamp, echo in zip(lamps, echoes, strict=True)])
    found["late"] = percentile(lamps, 99).minus(percentile(echoes, 99))
    found["paints"] = ratio([a / b for a, b in zip(paints, empty, strict=True)])
    return found


def presses(browser) -> tuple[list[float], list[float]]:
    """ms from each press to its painted lamp, and of a painted echo of as many bytes after each.
    The echo has a separate browser, because a page behind another one is not painted."""
    lines = [f"new {_WHOLE}", "set idle_ms 600000"]
    program = needs.browser(whole=True)
    with _served(lines) as url, tables.server("-m", "bench.crowd", "serve") as (_, echo):
        page = browser.new_page()
        page.add_init_script(_NOTE)
        page.goto(url)
        page.wait_for_selector("body[data-state=player]", timeout=60_000)
        bare = browser.browser_type.launch(executable_path=program, args=FLAGS).new_page()
        bare.set_content(_BARE)
        bare.evaluate(_ECHO, echo.replace("http", "ws") + "look")
        taken = [_press(page, bare, press) for press in range(PRESSES + 5)][5:]
        bare.context.browser.close()
        page.context.close()
    lamps, echoes = zip(*taken, strict=True)
    return list(lamps), list(echoes)


def _press(page, bare, press):
    box = page.locator(f"[data-button=row{press % board.ROWS + 1}]").first.bounding_box()
    # As a hand moves, some time before the press: the move takes a frame.
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(_APART_MS)
    page.mouse.down()
    lamp = _painted(page)
    page.mouse.up()
    bare.evaluate("(size) => echo(size)", page.evaluate("noted.size"))
    return lamp, _painted(bare)


def _painted(page):
    holds(page, "noted.painted")
    return page.evaluate("noted.painted - noted.down")


def loads(browser) -> tuple[list[float], list[float], int]:
    """ms to the first paint of the page and of an empty one, from the same server, on first
    visits, in turns, and the bytes of a first visit."""
    ours, empty = [], []
    with _served([]) as url:
        for _ in range(LOADS + 1):
            first, download = _load(browser, url)
            between = [_load(browser, f"{url}empty")[0] for _ in range(2)]
            ours.append((first + _load(browser, url)[0]) / 2)
            empty.append(sum(between) / 2)
    return ours[1:], empty[1:], download


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
    """The kiosk's server, which also has an empty page."""

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
        yield served.url
    finally:
        served.stop()
        served_kiosk.Application = Application


def section(found: dict) -> Section:
    table = Table(("ms", "page", "bare"))
    table.rows = [
        ("press to painted lamp, and a painted echo", found["lamp"][0]),
        ("press to painted lamp, 99 of 100", found["lamp"][1]),
        ("first paint, and an empty page", found["paint"]),
    ]
    others = *found["echo"], found["empty"]
    table.rows = [(*row, other) for row, other in zip(table.rows, others, strict=True)]
    late = "a browser without a graphics card paints the page more slowly than an empty one"
    more = "at most {} ms more than the echo"
    return Section(
        [
            "A mouse presses row buttons on the kiosk's page in Chromium, in real time and "
            "without a graphics card. After each press, a second browser paints an echo of as "
            "many bytes from a bare WebSocket server. First paint and download are "
            "measured on a first visit.",
            table,
        ],
        [
            Goal(
                "page: press to painted lamp, median",
                FRAME_MS,
                Ratio(*found["more"]),
                more,
                missed=late,
            ),
            Goal(
                "page: press to painted lamp, 99 of 100",
                2 * FRAME_MS,
                Ratio(*found["late"]),
                more,
                missed=late,
            ),
            Goal(
                "page: first paint",
                MOST_OF_EMPTY,
                Ratio(*found["paints"]),
                "at most {} times the time of an empty page",
                missed="draw fewer styles and shapes first",
            ),
            Goal(
                "page: download of a first visit, bytes",
                DOWNLOAD,
                exact(found["download"]),
                missed="load less",
            ),
        ],
    )
