"""The simulated Pico: several in one process, virtual time, power, and what it refuses."""

import asyncio
import sys
import time

import pytest

from nimatron_sim import firmware
from nimatron_sim.chip import FIRST_TICK, TICKS, NotModelled
from nimatron_sim.clock import Clock
from nimatron_sim.pico import SimulatedPico


def run_program(tmp_path, text, ms=1000):
    """A Pico with nothing but this main.py; what it has printed."""
    main = tmp_path / "main.py"
    main.write_text(text)
    pico = SimulatedPico(files={"main.py": main})
    pico.run(200 + ms)
    return pico.lines()


def test_the_process_is_left_as_it_was():
    modules, ticks = dict(sys.modules), dir(time)
    pico = SimulatedPico()
    pico.settle()
    assert "machine" not in sys.modules and "rp2" not in sys.modules
    assert {name for name in sys.modules if name not in modules} <= {"nimatron_sim.firmware"}
    assert sys.modules["asyncio"] is asyncio and not hasattr(asyncio, "ThreadSafeFlag")
    assert dir(time) == ticks


def test_several_picos_live_side_by_side():
    picos = [SimulatedPico() for _ in range(3)]
    for n, pico in enumerate(picos, 1):
        pico.start(n, n)
    for _ in range(3):
        for pico in picos:
            pico.tap("row1")
    assert [pico.rows for pico in picos] == [(0, 1, 0, 0), (0, 2, 0, 0), (0, 3, 0, 0)]


def test_the_same_presses_make_the_same_trace():
    def trace():
        pico = SimulatedPico()
        pico.play("wait 500\ntap new 3\ntap row1 2\ntap go\nwait 9000\nsend status\nwait 1")
        return pico.trace

    assert trace() == trace()


def test_time_passes_only_when_it_is_let():
    pico = SimulatedPico()
    assert (pico.ms, pico.trace) == (0, [])
    pico.run(0.5)
    assert pico.clock.now == 500
    pico.run_to(2_000_000)
    assert pico.ms == 2000


def test_a_power_cut_darkens_everything_and_power_on_boots_again(pico):
    pico.start(3, 4, 5)
    pico.power_off()
    pico.run(10)
    assert (pico.rows, pico.legends, pico.sound) == ((0, 0, 0, 0), set(), 0)
    pico.tap("row1")
    pico.power_on()
    pico.run(1000)
    assert pico.state == "attract" and any(pico.lamps)
    assert pico.resets == []


def test_power_off_and_on_in_a_script():
    pico = SimulatedPico()
    pico.play("wait 500\nsend new 7 7\nwait 100\npower off\nwait 100\npower on\nwait 500")
    lamps = [change["lamps"] for change in pico.trace if "lamps" in change]
    assert [127, 127, 0, 0] in lamps and [0, 0, 0, 0] in lamps
    assert [c["console"] for c in pico.trace if "console" in c].count("event state=attract") == 2


def test_ticks_start_half_a_minute_before_they_wrap(tmp_path):
    lines = run_program(
        tmp_path,
        "import time\n"
        "print(time.ticks_ms())\n"
        "a = time.ticks_ms()\n"
        "time.sleep_ms(40_000)\n"
        "print(time.ticks_ms(), time.ticks_diff(time.ticks_ms(), a))",
        ms=50_000,
    )
    first = FIRST_TICK + 200
    assert lines == [str(first), f"{first + 40_000 - TICKS} 40000"]


def test_the_machine_thinks_its_time_across_the_wrap_even_if_it_is_mashed(pico):
    pico.start(3, 4, 5)
    pico.run(29_000 - pico.ms)
    pico.tap("row1", 2)
    pico.tap("go")
    began = pico.ms
    while pico.state == "thinking":
        pico.tap("row2")
    assert 1600 <= pico.ms - began <= 2200
    assert pico.ms > 30_200
    pico.settle()
    assert sum(pico.rows) == 9


def test_timers_and_the_watchdog(tmp_path):
    lines = run_program(
        tmp_path,
        "import machine, time\n"
        "print(machine.reset_cause())\n"
        "n = [0]\n"
        "def tick(timer): n[0] += 1\n"
        "machine.Timer(period=100, callback=tick)\n"
        "machine.Timer(mode=machine.Timer.ONE_SHOT, period=50, callback=lambda t: print('once'))\n"
        "time.sleep_ms(1050)\n"
        "print(n[0])\n"
        "dog = machine.WDT(timeout=500)\n"
        "time.sleep_ms(400); dog.feed(); time.sleep_ms(400); print('fed')\n"
        "time.sleep_ms(200); print('never')",
        ms=3200,
    )
    assert lines[:5] == ["1", "once", "10", "fed", "3"]
    assert "never" not in lines


def test_a_main_that_ends_or_fails_leaves_the_prompt(tmp_path):
    assert run_program(tmp_path, "print('bye')") == ["bye"]
    lines = run_program(tmp_path, "1 / 0")
    assert lines[0].startswith("Traceback") and lines[-1] == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize(
    "text",
    [
        "import rp2\n@rp2.asm_pio(out_init=(2,), out_shiftdir=1)\ndef p():\n    set(pins, 1)",
        "import machine\nmachine.Pin(3, 7)",
        "import machine\nmachine.freq(48_000_000)",
        "import rp2\nd = rp2.DMA()\nd.config(read=bytearray(4), write=0x50200010, count=1,"
        " ctrl=d.pack_ctrl(inc_write=False, treq_sel=0), trigger=True)",
    ],
)
def test_what_is_not_modelled_is_refused_loudly(tmp_path, text):
    with pytest.raises(NotModelled):
        run_program(
            tmp_path,
            f"try:\n    {text.replace(chr(10), chr(10) + '    ')}\nexcept Exception:\n    pass",
        )


@pytest.mark.parametrize("module", ["threading", "socket", "pathlib", "nimatron_host", "pytest"])
def test_the_firmware_imports_nothing_that_a_pico_has_not(tmp_path, module):
    assert run_program(tmp_path, f"import {module}")[-1] == (
        f"ImportError: no module named '{module}'"
    )


def test_driving_an_input_is_refused(tmp_path):
    from nimatron_sim.chip import PinConflict

    with pytest.raises(PinConflict, match="GP13 is input in main.py:2, it cannot be driven"):
        run_program(tmp_path, "import machine\np = machine.Pin(13, machine.Pin.IN)\np.on()")


def test_a_failing_part_restarts_the_exhibit(pico):
    """A device that raises: the failure is printed, the Pico resets, the show goes on."""
    pico.start(3, 4, 5)

    def broken(gpio):
        raise OSError("broken wire")

    pico.circuit.chip.read = broken
    pico.run(3000)
    assert pico.resets == [3]
    assert "OSError: broken wire" in pico.lines()
    assert pico.state == "attract" and any(pico.lamps)


def test_ctrl_c_is_an_error_line_in_the_simulator(pico):
    assert pico.ask("\x03") == "error reason=control-byte got=0x03"


def test_every_file_that_is_installed_exists_and_none_is_forgotten():
    folder = firmware.folder()
    there = {str(p.relative_to(folder)) for p in folder.rglob("*.py")}
    assert set(firmware.files()) == there
    assert all(path.samefile(folder / name) for name, path in firmware.files().items())


def test_alarms_ring_in_order_and_can_be_cancelled():
    clock, rung = Clock(), []
    clock.call_at(20, lambda: rung.append("c"))
    clock.call_at(10, lambda: rung.append("a"))
    clock.call_at(10, lambda: rung.append("b"))
    clock.cancel(clock.call_at(15, lambda: rung.append("never")))
    clock.pass_to(19)
    assert (rung, clock.now) == (["a", "b"], 19)
    clock.wait(None)
    assert (rung, clock.now) == (["a", "b", "c"], 20)
    with pytest.raises(RuntimeError, match="nothing will ever happen"):
        clock.wait(None)


def test_what_a_recorder_raises_reaches_the_host_and_not_the_firmware():
    def record(change):
        if "legends" in change:
            raise OSError("disk full")

    pico = SimulatedPico(record=record)
    pico.settle()
    with pytest.raises(OSError, match="disk full"):
        pico.tap("new")
    pico.run(5000)
    assert pico.state == "opening" and pico.resets == []
