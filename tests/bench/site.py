"""The page without a server, in a real Chromium: how soon it plays, what a press and what doing
nothing costs, and what a first visit loads."""

import gzip
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.measure import Ratio, ratio
from bench.report import Goal, Section, Table, number
from chromium import CHROMIUM, MISSING, holds, open_browser
from nimatron import board
from nimatron_host import site
from nimatron_sim.errors import TierUnavailable
from served_folder import ServedFolder

ROUNDS = 9
PRESSES = 60
IDLE_S = 20
MOST_BYTES, MOST_LATE, MOST_FRAMES, MOST_IDLE = 400_000, 2, 1, 1
_FRAME_MS = 1000 / 60
_APART_MS = 137  # between presses, which then come at all phases of a frame
_WORKERS = "DedicatedWorker"  # Chromium's name for their threads

_BARE = """<!doctype html><body><script type="module">
import { loadMicroPython } from "./micropython.js";
const url = new URL("micropython.wasm", location.href).href;
const stdout = (line) => (document.body.dataset.state = line);
(await loadMicroPython({ url, stdout })).runPython("print('prompt')");
</script>"""
_NOTE = """() => {
  window.noted = {};
  addEventListener("pointerdown", (event) => (noted = { down: event.timeStamp }), true);
  const see = () => (noted.lamps ??= performance.now());
  for (const lamps of document.querySelectorAll(".lamps"))
    new MutationObserver(see).observe(lamps, { subtree: true, attributeFilter: ["class"] });
}"""


class NotThere(Exception):
    """The text, one line, says what is missing."""


def measure(say: Callable[[str], None] = lambda what: None) -> dict:
    """{attract, prompt: seconds as lists; press: ms, a Ratio; idle: CPU seconds per second of the
    workers and of the page; bytes: of a first visit}. Raises NotThere."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        raise NotThere("PyPI's playwright is not here") from None
    if not CHROMIUM.exists():
        raise NotThere(MISSING)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            files = site.write(folder)
        except TierUnavailable as why:
            raise NotThere(str(why)) from None
        (folder / "bare.html").write_text(_BARE)
        served = ServedFolder(folder)
        try:
            with open_browser() as browser:
                say("site: how soon it plays")
                turns = [
                    (_takes(browser, served.url, "attract"), _takes(browser, served.url, "prompt"))
                    for _ in range(ROUNDS + 1)
                ][1:]
                say("site: presses, and doing nothing")
                presses, idle = _visit(browser, served.url)
        finally:
            served.stop()
        loaded = [item.replace("./", "index.html") for item in site.first_visit(files)]
        packed = sum(len(gzip.compress((folder / item).read_bytes())) for item in loaded)
    return {
        "attract": [attract for attract, _ in turns],
        "prompt": [prompt for _, prompt in turns],
        "press": presses,
        "idle": idle,
        "bytes": packed,
    }


def _takes(browser, url, state):
    """Seconds from the address to this state, on a first visit."""
    context = browser.new_context()
    page = context.new_page()
    begin = time.perf_counter()
    page.goto(url + ("bare.html" if state == "prompt" else ""))
    page.wait_for_selector(f"body[data-state={state}]", state="attached", timeout=60_000)
    taken = time.perf_counter() - begin
    context.close()
    return taken


def _visit(browser, url) -> tuple[Ratio, dict[str, float]]:
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("body[data-state=attract]", timeout=60_000)
    page.evaluate("document.getElementById('still').click()")
    holds(page, "navigator.serviceWorker.controller")
    page.wait_for_timeout(1000 * IDLE_S)  # until the browser has compiled what it wants to
    before, begin = _threads(), time.perf_counter()
    page.wait_for_timeout(1000 * IDLE_S)
    after, passed = _threads(), time.perf_counter() - begin
    idle = {"workers": 0.0, "page": 0.0}
    for thread, seconds in after.items():
        who = "workers" if thread[1] == _WORKERS else "page"
        idle[who] += (seconds - before.get(thread, 0)) / passed
    page.goto(f"{url}?rows={','.join([str(board.LAMPS)] * board.ROWS)}")
    page.wait_for_selector("body[data-state=player] .lamps .live", timeout=60_000)
    page.evaluate(_NOTE)
    taken = [_press(page, press) for press in range(PRESSES)][5:]
    context.close()
    return ratio(taken), idle


def _press(page, press):
    """ms from a press to the change of its lamp in the page."""
    page.wait_for_timeout(_APART_MS)
    page.hover(f"[data-button=row{press % board.ROWS + 1}]")
    page.evaluate("noted = {}")
    page.mouse.down()
    holds(page, "noted.lamps && noted.down")
    page.mouse.up()
    return page.evaluate("noted.lamps - noted.down")


def _threads():
    """CPU seconds of each thread of the processes that this one has started: {(id, name): s}."""
    parents = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[process] = _stat(f"/proc/{process}")[1][1]
        except OSError:
            continue  # it has just ended
    ours, known = {str(os.getpid())}, 0
    while len(ours) > known:
        known = len(ours)
        ours |= {process for process, parent in parents.items() if parent in ours}
    found = {}
    for process in ours - {str(os.getpid())}:
        if "--type=renderer" in Path(f"/proc/{process}/cmdline").read_text():
            for thread in os.listdir(f"/proc/{process}/task"):
                name, fields = _stat(f"/proc/{process}/task/{thread}")
                ticks = int(fields[11]) + int(fields[12])
                found[thread, name] = ticks / os.sysconf("SC_CLK_TCK")
    return found


def _stat(folder):
    """The name of a process or thread, and the fields after it; see proc(5)."""
    name, _, rest = Path(folder, "stat").read_text().partition("(")[2].rpartition(")")
    return name, rest.split()


# ---------------------------------------------------------------------- the section


def section(say: Callable[[str], None]) -> Section:
    try:
        found = measure(say)
    except NotThere as why:
        return Section("Page without a server", [f"Not measured: {why}."])
    late = ratio([a / b for a, b in zip(found["attract"], found["prompt"], strict=True)])
    frames = found["press"].divided(_FRAME_MS)
    attract, prompt = ratio(found["attract"]), ratio(found["prompt"])
    workers, page = 100 * found["idle"]["workers"], 100 * found["idle"]["page"]
    table = Table(
        ("the page of `nimatron site`", ""),
        [
            ("a first visit loads, packed, kB", found["bytes"] / 1000),
            ("from the address to the attract show, ms", 1000 * attract.median),
            ("the same, to the prompt of a bare MicroPython, ms", 1000 * prompt.median),
            ("from a press to the change of its lamp, ms", found["press"].median),
            ("attract show: the two workers, % of a core", workers),
            ("attract show: the page, which keeps still, % of a core", page),
        ],
    )
    return Section(
        "Page without a server",
        [
            "The folder of `nimatron site`, served by Python to Chromium: "
            f"{ROUNDS} first visits in turn with a page that starts MicroPython and nothing else; "
            f"{PRESSES} presses by mouse; and {IDLE_S} s of attract show, in real time, with no "
            "graphics card.",
            table,
        ],
        [
            Goal(
                "page without a server: a first visit",
                f"{MOST_BYTES / 1000:.0f} kB at most, packed",
                f"{found['bytes'] / 1000:.0f} kB",
                found["bytes"] <= MOST_BYTES,
            ),
            Goal(
                "page without a server: attract show",
                f"{MOST_LATE} times as late as a bare prompt at most",
                f"{number(late.median)} times",
                late.keeps_to(MOST_LATE),
                "MicroPython compiles the firmware, the simulated chip and the kiosk from source, "
                "which takes longer than to start it",
                late,
            ),
            Goal(
                "page without a server: press to lamp",
                f"{MOST_FRAMES} frame of 60 a second at most",
                f"{number(frames.median)} frames",
                frames.keeps_to(MOST_FRAMES),
                "without a graphics card, the browser paints the pressed button before it hears "
                "of the lamp",
                frames,
            ),
            Goal(
                "page without a server: doing nothing",
                f"{MOST_IDLE} % of a core at most",
                f"{number(workers + page)} %",
                workers + page <= MOST_IDLE,
                "the page draws four pictures of the show a second, without a graphics card",
            ),
        ],
    )
