"""A script gives the same trace, to the millisecond, on the MicroPython VM and on CPython."""

from pathlib import Path
from random import Random

import pytest

from diary import Diary
from nimatron_sim import replay
from nimatron_sim.circuit import Circuit
from nimatron_sim.simulated.pico import SimulatedPico
from nimatron_sim.soak import visitors
from nimatron_sim.vm import vm

FIRMWARE = Path(__file__).parent / "firmware"

# 330 kB on a 64-bit VM hold what 190 kB on a Pico do; the simulator, and to compile the firmware,
# which comes compiled to a Pico, take another 160 kB.
SMALL_HEAP = 330_000 + 160_000

pytestmark = [pytest.mark.vm, pytest.mark.usefixtures("vm_command")]

# What happens, and a console line by which to know that it did.
STORIES = {
    "attract": ("wait 20000", "event state=attract"),
    "console": (
        """
        send seed 7
        wait 1000
        send new 3 4 5
        send why
        send hint
        send take 1 2
        wait 100
        send take 1 1   # while the machine thinks
        wait 4000
        send press row2
        send status
        send rule normal
        send level easy
        send help
        send help take
        send version
        wait 1000
        send new
        wait 1000
        """,
        "ok outcome=N row=1 take=2",
    ),
    "rows-together": (
        """
        wait 1000
        send game wythoff
        send new 2 4
        wait 100
        tap row1
        tap row3
        tap row3    # one more than from row 1
        tap go      # is no move
        tap row1
        tap go
        wait 5000
        """,
        "event move by=player take=2,2 rows=0,2",
    ),
    "lamps-by-the-light": (
        """
        wait 1000
        send game kayles
        send new 1101000/0000000/0000000/1000000
        wait 100
        hold row1
        hold row1
        tap row4
        tap go
        wait 5000
        send solve octal 0.77 3 4
        send solve tactix 1111/1111/1111/1111
        hold new
        """,
        "event move by=player take=2 rows=0001000/0000000/0000000/1000000",
    ),
    "picked-in-one-step": (
        """
        wait 1000
        tap new
        send pick 1 4 5
        wait 300
        tap row1
        send pick 3 4 5
        send press go
        send game kayles
        send new 1111000/0000000/0000000/0000000
        tap row1
        send pick 1001000/0000000/0000000/0000000
        wait 700
        send pick 0110000/0000000/0000000/0000000
        send press go
        wait 5000
        send game building
        send new 2 0:3
        send pick 3 0:2
        send pick 2 1
        send press go
        wait 5000
        """,
        "event move by=player take=2 rows=1001000/0000000/0000000/0000000",
    ),
    "bad-input": (
        f"""
        wait 1000
        send bogus
        send new 9
        send new 0 0
        send new 1 2 3 4 5
        send take 1
        send take 1 1
        send new 3
        send take 1 99
        send take x y
        send level hard
        send seed 12345678901
        send {"a" * 401}
        send {"a" * 2000}
        send \x01\x7f
        send grüße
        wait 1000
        """,
        'error reason=line-too-long most=400 text="a line has 400 characters at most"',
    ),
    "typing": (
        """
        wait 1000
        send seed 12\x7f\x083
        send echo on
        send seed 6\x7f5\x1b[3~
        send x\x1b[A4\x1b[D
        send \x1bOA
        wait 1000
        """,
        "ok seed=54",
    ),
    "near-misses": (
        """
        wait 1000
        send staus
        send set think-ms 3
        send game nin
        send press rwo1
        send solve 3 4 5
        send version 8231
        wait 1000
        """,
        "error reason=unknown-command got=staus try=status"
        ' text="there is no command staus; type status"',
    ),
    "nothing-picked": (
        "wait 1000\ntap new\ntap go\nsend new 3 4 5\nwait 100\ntap go\nwait 1000",
        "event state=player",
    ),
    "given-back": ("wait 1000\nsend new 3 4 5\ntap row1 4\ntap row2 2\ntap row4\nwait 500", None),
    "idle": ("wait 1000\nsend new 3 4 5\ntap row1\nwait 70000", "event warning=idle ms=10000"),
    "power": (
        """
        wait 1000
        send new 1 2
        tap row1
        tap go
        power off
        wait 50
        tap row1
        press row2
        power off
        power on
        wait 100
        power on
        wait 1000
        power off
        power on
        wait 1000
        """,
        "event button=row2 contact=held",
    ),
    "power-off-at-the-end": ("wait 1500\npower off\nwait 2000", "event state=attract"),
    "stuck": ("wait 1000\npress row3\nwait 40000\nrelease row3\nwait 3000", None),
    "held-at-boot": (
        "press go\nwait 3000\nrelease go\nwait 1000\ntap go\nwait 1000",
        "event button=go contact=held",
    ),
    "all-at-once": (
        "wait 1000\n"
        + "".join(f"press {button}\n" for button in visitors.BUTTONS)
        + "send status\nwait 100\n"
        + "".join(f"release {button}\n" for button in visitors.BUTTONS)
        + "wait 5000",
        "event state=opening",
    ),
}


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


@pytest.mark.parametrize("rule", ["misere", "normal"])
def test_game_by_buttons(rule):
    def play(pico):
        pico.send(f"rule {rule}")
        pico.settle()
        pico.tap("new", 2)
        assert visitors.visit(pico, visitors.expert(rule == "misere", Random(1))) == "you-win"

    trace = same_trace(as_script(play))
    assert {"coin": 1} in [change(record) for record in trace]


@pytest.mark.parametrize("seed", range(3))
def test_mashed_buttons(seed):
    same_trace(as_script(lambda pico: visitors.mash(pico, Random(seed), 60_000)))


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
    """What play(pico) does, as a script."""
    diary = Diary()
    play(diary)
    return f"{diary.script}wait 20000\n"


def same_trace(script, folder=None, display="matrix", **options):
    """The trace of a script on both; fails at their first difference. folder: that of another
    firmware, all of it in main.py. display: which one is wired, and set."""
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
