"""The page in a real Chromium, in real time: press to painted lamp, first paint, and download."""

import contextlib
import statistics

import needs
from chromium import holds, open_browser
from nimatron import board

PRESSES = 300
LOADS = 16
FIGURES = {  # and their goals
    "press to painted lamp, ms: median": None,
    "press to painted lamp, ms: 99 of 100": None,
    "first paint, ms": None,
    "download of a first visit, bytes": 120_000,
}
_APART_MS = 137  # between presses, which then come at all phases of a frame
_WHOLE = " ".join([str(board.LAMPS)] * board.ROWS)

# `painted` is the time at which the frame after a change has been painted.
_NOTE = """
window.noted = {};
addEventListener("pointerdown", (event) => (noted = { down: event.timeStamp }), true);
window.WebSocket = class extends WebSocket {
  constructor(...args) {
    super(...args);
    this.addEventListener("message", (event) => {
      if (!("lamps" in JSON.parse(event.data)) || noted.seen) return;
      noted.seen = true;
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => (noted.painted ??= performance.now());
        painted.port2.postMessage(0);
      });
    });
  }
};
"""
_FIRST_PAINT = "performance.getEntriesByName('first-paint')[0].startTime"


def measure() -> dict:
    """Measure the page. Raises TierUnavailable."""
    with open_browser(needs.browser(whole=True)) as browser:
        took = presses(browser)
        paints, downloads = zip(*[load(browser) for _ in range(LOADS + 1)][1:], strict=True)
    late = statistics.quantiles(took, n=100, method="inclusive")[98]
    found = statistics.median(took), late, statistics.median(paints), max(downloads)
    return {what: round(n, 1) for what, n in zip(FIGURES, found, strict=True)}


def presses(browser) -> list[float]:
    """Return the ms from each press to its painted lamp."""
    with _served([f"new {_WHOLE}", "set idle_ms 600000"]) as url:
        page = browser.new_page()
        page.add_init_script(_NOTE)
        page.goto(url)
        page.wait_for_selector("body[data-state=player]", timeout=60_000)
        taken = [_press(page, number) for number in range(PRESSES + 5)][5:]
        page.context.close()
    return taken


def _press(page, number):
    box = page.locator(f"[data-button=row{number % board.ROWS + 1}]").first.bounding_box()
    # A hand moves some time before the press, and the move takes a frame.
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(_APART_MS)
    page.mouse.down()
    holds(page, "noted.painted")
    page.mouse.up()
    return page.evaluate("noted.painted - noted.down")


def load(browser) -> tuple[float, int]:
    """Return the ms to the first paint, and the bytes received until the machine is on."""
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
    with _served([]) as url:
        page.goto(url, wait_until="networkidle")
        page.wait_for_selector("body[data-state=attract]", timeout=60_000)
        painted = page.evaluate(_FIRST_PAINT)
        context.close()
    return painted, sum(got)


@contextlib.contextmanager
def _served(lines):
    import served_kiosk

    served = served_kiosk.Served(lines)
    try:
        yield served.url
    finally:
        served.stop()
