"""Scripts of presses, and their traces."""

import pytest

from nimatron_sim.errors import UserError
from nimatron_sim.script import timeline
from nimatron_sim.simulated_pico import SimulatedPico

BUTTONS = ["row1", "row2", "row3", "row4", "go", "new"]


def test_every_verb():
    text = """
    # a visit
    wait 100
    press row1   # and hold
    wait 50
    release row1
    tap go 2
    send seed 5 # not a comment
    power off
    wait 10
    power on
    """
    assert timeline(text, BUTTONS) == (
        [
            (100, "press", "row1"),
            (150, "release", "row1"),
            (150, "press", "go"),
            (230, "release", "go"),
            (350, "press", "go"),
            (430, "release", "go"),
            (550, "send", "seed 5 # not a comment"),
            (550, "power", "off"),
            (560, "power", "on"),
        ],
        560,
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("jump", 'unknown verb "jump". Choose from: hold, power, press, release, send, tap, wait'),
        ("wait", "usage: wait MS"),
        ("wait -1", "-1 is not a number from 0 to 1000000000"),
        ("wait 1 2", "usage: wait MS"),
        ("press", "usage: press BUTTON"),
        ("tap row9", 'unknown button "row9". Choose from: row1, row2, row3, row4, go, new'),
        ("tap go x", "x is not a number"),
        ("tap go 1 1", "usage: tap BUTTON"),
        ("send", "usage: send LINE"),
        ("power", "usage: power off|on"),
        ("power up", "usage: power off|on"),
    ],
)
def test_bad_script_names_its_line(line, why):
    with pytest.raises(UserError, match="line 2: ") as error:
        timeline(f"wait 1\n{line}\n", BUTTONS)
    assert why in str(error.value)


def test_the_trace_says_what_changed_and_when():
    pico = SimulatedPico()
    pico.play("wait 1000\nsend new 1 2\nwait 100\ntap row2 2\ntap go\nwait 300")
    trace = [record for record in pico.trace if record["ms"] >= 1000]
    status = "ok game=nim rule=misere level=perfect state=player rows=1,2,0,0 picked=0,0,0,0"
    assert trace[:9] == [
        {"ms": 1000, "lamps": [1, 3, 0, 0]},
        {"ms": 1000, "legends": ["your-move"]},
        {"ms": 1000, "console": "event state=player"},
        {"ms": 1000, "console": status},
        {"ms": 1101, "lamps": [1, 1, 0, 0]},
        {"ms": 1101, "sound": 880},
        {"ms": 1101, "console": "event pick rows=1,1,0,0"},
        {"ms": 1126, "sound": 0},
        {"ms": 1301, "lamps": [1, 0, 0, 0]},
    ]
    assert {"ms": 1501, "legends": ["machine-move"]} in trace
    assert {"ms": 1501, "console": "event move by=player row=2 take=2 rows=1,0,0,0"} in trace


def test_trace_omits_invisible_changes(pico):
    pico.start(3)
    before = len(pico.trace)
    chip = pico.circuit.chip
    chip.pads[20].out = 1
    chip.drive(20, 0)
    chip.drive(20, 1)
    pico.run(1)
    assert len(pico.trace) == before
