"""The page without a server, in a real Chromium: how soon it plays, what a press and what doing
nothing costs, and what a first visit loads."""

import gzip
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import needs
from bench.measure import ratio
from bench.report import Goal, Section, Table, number
from chromium import holds, open_browser
from nimatron import board
from nimatron_host.site import site
from nimatron_sim.errors import TierUnavailable
from served_folder import ServedFolder

ROUNDS = 9
PRESSES = 60
IDLE_S = 60
QUIET_S = 1.5  # a new window of Chromium loads pages of its own, which no visitor waits for
MOST_BYTES, MOST_LATE, MOST_FRAMES, MOST_IDLE = 400_000, 2, 1, 1
_FRAME_MS = 1000 / 60
_APART_MS = 137  # between presses, which then come at all phases of a frame
_WORKERS = "DedicatedWorker"  # Chromium's name for their threads
_DRAWS, _COMPOSES = "--type=renderer", "--type=gpu-process"  # its processes

_BARE = """<!doctype html><body><script type="module">
import { loadMicroPython } from "./micropython.js";
const url = new URL("micropython.wasm", location.href).href;
const stdout = (line) => (document.body.dataset.state = line);
(await loadMicroPython({ url, stdout })).runPython("print('prompt')");
</script>"""
# The same in two workers, as the page has them: for the Pico and for the kiosk.
_WORKER = """import { loadMicroPython } from "./micropython.js";
const url = new URL("micropython.wasm", location.href).href;
const stdout = (line) => postMessage(line);
(await loadMicroPython({ url, stdout })).runPython("print('prompts')");
"""
_WORKERS_PAGE = """<!doctype html><body><script type="module">
let last = 2;
for (const name of ["pico", "kiosk"])
  new Worker("bare_worker.js", { type: "module", name }).onmessage = ({ data }) => {
    if (--last === 0) document.body.dataset.state = data;
  };
</script>"""
_PAGES = {"attract": "", "prompt": "bare.html", "prompts": "bare_workers.html"}  # by their state
_ECHO = "onmessage = ({ data }) => postMessage(data);"
# When the page says for the first time that it is in a state, ms from the navigation's begin.
_STATES = """globalThis.states = {};
new MutationObserver(() => {
  const state = document.body?.dataset.state;
  if (state) states[state] ??= performance.now();
}).observe(document, { subtree: true, childList: true, attributeFilter: ["data-state"] });"""
# When a press was, when its lamp changed, and when the frame after that had been painted; and the
# same of an echo, for which a button besides sends a message to a worker and back.
_NOTE = """() => {
  window.noted = {};
  addEventListener("pointerdown", (event) => (noted = { down: event.timeStamp }), true);
  const see = () => {
    if (noted.seen || !noted.down) return;
    noted.seen = performance.now();
    requestAnimationFrame(() => {
      const painted = new MessageChannel();
      painted.port1.onmessage = () => (noted.painted = performance.now());
      painted.port2.postMessage(0);
    });
  };
  for (const lamps of document.querySelectorAll(".lamps"))
    new MutationObserver(see).observe(lamps, { subtree: true, attributeFilter: ["class"] });
  const echo = document.body.appendChild(document.createElement("button"));
  echo.id = "bare-echo";
  Object.assign(echo.style, { position: "fixed", top: 0, left: 0, width: "40px", height: "40px" });
  const worker = new Worker("echo.js");
  echo.addEventListener("pointerdown", () => worker.postMessage("press"));
  worker.onmessage = () => {
    echo.textContent = echo.textContent ? "" : "-";
    see();
  };
}"""


def measure(say: Callable[[str], None] = lambda what: None) -> dict:
    """{attract, prompt, prompts: ms as lists; press, echo: {seen, painted: ms as lists}; idle:
    {state: {part: CPU seconds per second}}; bytes: of a first visit}. Raises TierUnavailable."""
    chromium = needs.browser(whole=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = site.write(folder, say=say)
        (folder / "bare.html").write_text(_BARE)
        (folder / "bare_workers.html").write_text(_WORKERS_PAGE)
        (folder / "bare_worker.js").write_text(_WORKER)
        (folder / "echo.js").write_text(_ECHO)
        served = ServedFolder(folder)
        try:
            with open_browser(chromium) as browser:
                say("site: how soon it plays")
                turns = [
                    {state: _takes(browser, served.url, state) for state in _PAGES}
                    for _ in range(ROUNDS + 1)
                ][1:]
                say("site: presses, and doing nothing")
                presses, echoes, idle = _visit(browser, served.url)
        finally:
            served.stop()
        loaded = [item.replace("./", "index.html") for item in site.first_visit(files)]
        packed = sum(len(gzip.compress((folder / item).read_bytes())) for item in loaded)
    return {
        **{state: [taken[state] for taken in turns] for state in _PAGES},
        "press": presses,
        "echo": echoes,
        "idle": idle,
        "bytes": packed,
    }


def _takes(browser, url, state):
    """ms from the address to this state, on a first visit, by the page's own clock."""
    context = browser.new_context()
    context.add_init_script(_STATES)
    page = context.new_page()
    page.wait_for_timeout(1000 * QUIET_S)
    page.goto(url + _PAGES[state])
    page.wait_for_selector(f"body[data-state={state}]", state="attached", timeout=60_000)
    taken = page.evaluate(f"states.{state}")
    context.close()
    return taken


def _visit(browser, url):
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("body[data-state=attract]", timeout=60_000)
    holds(page, "navigator.serviceWorker.controller")
    page.wait_for_timeout(20_000)  # until the browser has compiled what it wants to
    idle = {"attract": _idle(page)}
    page.evaluate("document.getElementById('still').click()")
    idle["still"] = _idle(page)
    page.evaluate("document.getElementById('still').click()")
    page.goto(f"{url}?rows={','.join([str(board.LAMPS)] * board.ROWS)}")
    page.wait_for_selector("body[data-state=player] .lamps .live", timeout=60_000)
    page.evaluate(_NOTE)
    presses, echoes = [], []
    for press in range(PRESSES + 5):
        presses.append(_press(page, f"[data-button=row{press % board.ROWS + 1}]"))
        echoes.append(_press(page, "#bare-echo"))
    page.goto(f"{url}?rows={','.join([str(board.LAMPS)] * board.ROWS)}")
    page.wait_for_selector("body[data-state=player] .lamps .live", timeout=60_000)
    # Until the firmware asks whether anybody is there.
    idle["player"] = _idle(page, 40)
    context.close()
    return _together(presses[5:]), _together(echoes[5:]), idle


def _press(page, what):
    """ms from a press to what changes in the page, and to the frame with that."""
    page.wait_for_timeout(_APART_MS)
    page.hover(what)
    page.wait_for_timeout(_APART_MS)  # the hand's move takes a frame
    page.evaluate("noted = {}")
    page.mouse.down()
    holds(page, "noted.painted")
    page.mouse.up()
    return page.evaluate("[noted.seen - noted.down, noted.painted - noted.down]")


def _together(presses):
    return {"seen": [seen for seen, _ in presses], "painted": [painted for _, painted in presses]}


def _idle(page, seconds=IDLE_S):
    """CPU seconds per second of the workers, the rest of the page's process, and the process that
    puts the layers of all pages together."""
    before, begin = _threads(), time.perf_counter()
    page.wait_for_timeout(1000 * seconds)
    after, passed = _threads(), time.perf_counter() - begin
    idle = {"workers": 0.0, "page": 0.0, "compositor": 0.0}
    for thread, spent in after.items():
        kind, _, name = thread
        who = "compositor" if kind == _COMPOSES else "workers" if name == _WORKERS else "page"
        idle[who] += (spent - before.get(thread, 0)) / passed
    return idle


def _threads():
    """CPU seconds of each thread of the page's processes, and of the one that composes: {(kind of
    process, id, name): s}."""
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
        line = Path(f"/proc/{process}/cmdline").read_text()
        for kind in (_DRAWS, _COMPOSES):
            if kind in line:
                for thread in os.listdir(f"/proc/{process}/task"):
                    name, _ = _stat(f"/proc/{process}/task/{thread}")
                    ran = Path(f"/proc/{process}/task/{thread}/schedstat").read_text().split()[0]
                    found[kind, thread, name] = int(ran) / 1e9
    return found


def _stat(folder):
    """The name of a process or thread, and the fields after it; see proc(5)."""
    name, _, rest = Path(folder, "stat").read_text().partition("(")[2].rpartition(")")
    return name, rest.split()


# ---------------------------------------------------------------------- the section


def section(say: Callable[[str], None]) -> Section:
    try:
        found = measure(say)
    except TierUnavailable as why:
        return Section("Page without a server", [f"Not measured: {why}."])
    alone = [a / b for a, b in zip(found["prompts"], found["prompt"], strict=True)]
    late = ratio([a / b for a, b in zip(found["attract"], found["prompt"], strict=True)])
    pairs = zip(found["press"]["painted"], found["echo"]["painted"], strict=True)
    frames = ratio([(press - echo) / _FRAME_MS for press, echo in pairs])
    attract, prompt, prompts = (ratio(found[state]) for state in _PAGES)
    idle = {state: sum(found["idle"][state].values()) for state in found["idle"]}
    table = Table(
        ("the page of `nimatron site`", ""),
        [
            ("a first visit loads, packed, kB", found["bytes"] / 1000),
            ("from the address to the attract show, ms", attract.median),
            ("the same, to the prompt of a bare MicroPython, ms", prompt.median),
            ("the same, to the prompts of two in workers, ms", prompts.median),
            ("from a press to the change of its lamp, ms", median(found["press"]["seen"])),
            ("the same, painted, ms", median(found["press"]["painted"])),
            ("from a press to the answer of a bare worker, ms", median(found["echo"]["seen"])),
            ("the same, painted, ms", median(found["echo"]["painted"])),
        ],
    )
    states = {
        "player": "waiting for a person's move",
        "still": "attract show, on a page that keeps still",
        "attract": "attract show",
    }
    cores = Table(("% of a core", "the two workers", "the page", "putting layers together", "all"))
    for state, name in states.items():
        parts = found["idle"][state]
        cores.rows.append((name, *[100 * part for part in parts.values()], 100 * idle[state]))
    return Section(
        "Page without a server",
        [
            "The folder of `nimatron site`, served by Python to Chromium: "
            f"{ROUNDS} first visits in turn with pages that start MicroPython and nothing else, "
            "each in a new window that has come to rest, by the page's own clock; and "
            f"{PRESSES} presses of a row by mouse, in turn with presses of a button on the same "
            "page that asks a worker for an echo. This is real time, with no graphics card.",
            table,
            f"CPU time of the browser's threads over {IDLE_S} s, or 40 s of a person's turn, "
            "after which the firmware asks whether anybody is there.",
            cores,
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
                f"two MicroPythons have to begin, which alone takes "
                f"{number(ratio(alone).median)} times as long; then the firmware and the kiosk "
                "are imported and begin, while the browser loads the page itself",
                late,
            ),
            Goal(
                "page without a server: press to lamp",
                f"{MOST_FRAMES} frame of 60 a second more than a painted echo at most",
                f"{number(frames.median)} frames more",
                frames.keeps_to(MOST_FRAMES),
                "without a graphics card, the browser paints the pressed button before it hears "
                "of the lamp",
                frames,
            ),
            Goal(
                "page without a server: waiting for a person's move",
                f"{MOST_IDLE} % of a core at most",
                f"{number(100 * idle['player'])} %",
                100 * idle["player"] <= MOST_IDLE,
                "fewer wake-ups of the firmware's once-a-second chores",
            ),
        ],
    )
