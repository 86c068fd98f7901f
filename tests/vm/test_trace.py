"""A script gives the same trace, to the millisecond, on the MicroPython VM and on CPython."""

from pathlib import Path
from random import Random

import pytest

from diary import Diary
from happenings import STORIES
from nimatron_sim import replay, vm
from nimatron_sim.cabinet import Circuit
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.soak import visitors

FIRMWARE = Path(__file__).parent / "firmware"

# 330 kB on a 64-bit VM hold as much as 190 kB on a Pico. The simulator, and compiling the
# firmware, which comes compiled to a Pico, take another 190 kB.
SMALL_HEAP = 330_000 + 190_000

pytestmark = [pytest.mark.vm, pytest.mark.usefixtures("vm_command")]


@pytest.mark.parametrize("name", STORIES)
def test_story(name):
    script, line = STORIES[name]
    trace = same_trace(script)
    assert line is None or {"console": line} in [change(record) for record in trace]


@pytest.mark.parametrize("display", ["shift", "pixels"])
def test_other_displays(display):
    script = "wait 1000\nsend new 3 4 5\ntap row1 2\nsend set brightness 10\ntap go\nwait 5000"
    trace = same_trace(script, display=display)
    matrix = vm.trace(script)
    assert trace == matrix
    assert sum("lamps" in record for record in trace) > 6


def test_many_games_on_a_small_heap():
    def play(pico):
        for seed in range(6):
            pico.settle()
            pico.tap("new")
            visitors.visit(pico, visitors.learner(Random(seed)))
            pico.run(20_000)

    trace = same_trace(as_script(play), heap=SMALL_HEAP)
    assert sum("event over" in record.get("console", "") for record in trace) == 6


def test_the_flight_recorder_holds_the_same():
    def play(pico):
        pico.settle()
        visitors.mash(pico, Random(6), 20_000)
        pico.send("seed 77")
        pico.send("log dump now")

    script = as_script(play)
    pico = SimulatedPico(settings={"display": "matrix"})
    pico.play(script)
    here, there = [
        replay.load("\n".join([record.get("console", "") for record in trace]))
        for trace in (pico.trace, vm.trace(script))
    ]
    assert here == there
    assert sum(event.what == "press" for event in here.events) > 50


def test_tasks_take_turns_in_the_same_order():
    script = "wait 210\nsend hello\nwait 10\nsend hey\nwait 30\nsend y\nwait 1000"
    trace = same_trace(script, folder=FIRMWARE / "turns")
    assert "end" in trace[-1]["console"]


def test_resets():
    script = "wait 500\nsend r\nwait 2000\nsend and\nwait 3000"
    trace = same_trace(script, folder=FIRMWARE / "resets")
    assert [record["ms"] for record in trace if "cause" in record["console"]] == [
        200,
        750,
        1950,
        3150,
        4350,
    ]


def as_script(play):
    """Return the actions of play(pico) as a script."""
    diary = Diary()
    play(diary)
    return f"{diary.script}wait 20000\n"


def same_trace(script, folder=None, display="matrix", **options):
    """Return the trace of a script on both tiers. Fail at their first difference. `folder`
    contains other firmware, all in main.py. `display` is wired and set."""
    pico = SimulatedPico(
        Circuit(display=display),
        files={"main.py": folder / "main.py"} if folder else None,
        settings={"display": display},
    )
    pico.play(script)
    on_vm = vm.trace(script, folder=folder, display=display, **options)
    for here, there in zip(pico.trace, on_vm, strict=False):
        assert here == there
    assert len(pico.trace) == len(on_vm)
    return on_vm


def change(record):
    return {what: value for what, value in record.items() if what != "ms"}


def test_a_story_is_the_same_on_an_rp2350():
    text, _ = STORIES["console"]
    records = []
    SimulatedPico(record=records.append, board="pico2").play(text)
    assert vm.trace(text, on="pico2") == records
