"""Cables that are pulled, and hosts that sleep, do not read, or send floods. No press is late,
nothing resets the exhibit, and no log is lost."""

import json

import pytest
from typed import slow_down

from nimatron.devices import pins
from nimatron_sim.simulated_pico import SimulatedPico
from pico_testbench import usb_cable


def play(pico, turns):
    """Play against the machine, and check that each lamp is out 5 ms after its press."""
    for _ in range(turns):
        pico.run_until(lambda: pico.legends == {"your-move"})
        pico.run(1000)
        before = sum(pico.rows)
        row = next(n for n, lit in enumerate(pico.rows) if lit)
        pico.press(f"row{row + 1}")
        pico.run(5)
        assert sum(pico.rows) == before - 1
        pico.run(100)
        pico.release(f"row{row + 1}")
        pico.run(100)
        pico.tap("go")


@pytest.mark.parametrize("cable", usb_cable.STATES)
def test_no_press_is_late_and_nothing_resets(pico, cable):
    pico.ask("watch on")
    pico.ask("set idle_ms 600000")
    pico.start(7, 7, 7, 7)
    pico.cable = cable
    play(pico, 5)
    pico.cable = usb_cable.READING
    assert pico.resets == []
    pico.run(5000)
    assert "mode=exhibit" in pico.ask("version")


def test_a_line_that_was_cut_off_does_not_spoil_the_next(pico):
    pico.cable = usb_cable.SUSPENDED
    for _ in range(20):
        pico.tap("new")
    pico.cable = usb_cable.READING
    pico.lines()
    assert pico.ask("level easy") == "ok level=easy saved=1"


WRITES = """
import time
from nimatron.devices.serial import Serial
serial = Serial()
for ms in PAUSES:
    time.sleep_ms(ms)
    serial.write_line(str(ms))
"""


def test_serial_serves_a_host_with_the_frame_number_of_the_last_line(program):
    pico = program(WRITES.replace("PAUSES", "(1000, 2048, 4096)"), 10_000)
    assert pico.lines() == ["1000", "2048", "4096"]


def test_serial_skips_a_host_asleep_and_serves_one_that_slept_for_a_week(program):
    """The host falls asleep between two lines. Differences of ticks are valid only up to 6.2
    days."""
    pauses = (1000, 1001, 1002, 7 * 24 * 3_600_000)
    pico = program(WRITES.replace("PAUSES", str(pauses)), 1500)
    pico.cable = usb_cable.SUSPENDED
    pico.run(2000)
    pico.cable = usb_cable.READING
    pico.run(7 * 24 * 3_600_000)
    assert pico.lines() == ["1000", "604800000"]


def test_a_flush_after_a_line_that_was_cut_begins_a_new_one(program):
    pico = program(
        "import time\n"
        "from nimatron.devices.serial import Serial\n"
        "serial = Serial()\n"
        "time.sleep_ms(100)\n"
        "serial.write_line('x' * 300)\n"
        "time.sleep_ms(1000)\n"
        "serial.flush()\n"
        "serial.write_line('next')\n",
        50,
    )
    pico.cable = usb_cable.NOT_READING
    pico.run(500)
    pico.cable = usb_cable.READING
    pico.run(1000)
    assert pico.lines() == ["x" * 256, "next"]


@pytest.mark.parametrize("cable", [usb_cable.NOT_READING, usb_cable.SUSPENDED])
def test_crash_is_logged_without_a_reader(pico, cable, monkeypatch):
    pico.start(3, 4, 5)
    pico.cable = cable
    for _ in range(10):
        pico.tap("row1")
    crashed = pico.ms
    read, broken = pico.circuit.chip.read, dict(pins.BUTTONS)["go"]
    monkeypatch.setattr(
        pico.circuit.chip, "read", lambda gpio: {}["broken wire"] if gpio == broken else read(gpio)
    )
    pico.run_until(lambda: pico.resets)
    assert pico.ms - crashed < 3000
    entries = json.loads(pico.files.contents["/crashes.json"])["crashes"]
    assert entries[-1]["why"] == "crash" and "broken wire" in entries[-1]["text"]


def test_a_host_that_floods_makes_no_press_late(pico):
    pico.start(7, 7, 7, 7)
    pico.run(1000)
    for n in range(6):
        pico.send_bytes(b"status\n" * 40)
        pico.press("row1")
        pico.run(5)
        assert pico.rows[0] == 6 - n
        pico.run(80)
        pico.release("row1")
        pico.run(120)
    assert pico.resets == []


def test_a_long_answer_lets_presses_through(pico):
    pico.start(7, 7, 7, 7)
    pico.run(1000)
    slow_down(pico)
    pico.send("settings")
    pico.run(10)
    pico.press("row1")
    pico.run(5)
    assert pico.rows[0] == 6
    pico.release("row1")
    pico.run(500)
    *_, answer, event = pico.lines()
    assert answer.startswith("ok game=nim") and "stuck_ms=30000" in answer
    assert event == "event pick rows=6,7,7,7"


def test_events_behind_a_long_answer_precede_a_crash(mistaken):
    enter = "        self._enter(states.OPENING)\n"
    broken = mistaken("nimatron/exhibit.py", enter, enter + '        raise ValueError("broken")\n')
    pico = SimulatedPico(files=broken)
    pico.settle()
    slow_down(pico)
    pico.lines()
    pico.send("settings")
    pico.run(10)
    pico.press("new")
    pico.run_until(lambda: pico.resets)
    lines = pico.lines()
    assert lines[0].startswith("ok game=nim")
    assert lines.index("event state=opening") < lines.index("Traceback (most recent call last):")
