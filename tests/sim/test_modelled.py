"""The documented parts of MicroPython that the simulated Pico has. It refuses the rest by name."""

import pytest

from nimatron_sim import modelled
from nimatron_sim.simulated_pico import SimulatedPico
from pico_testbench.simulated.documented import MODULES, names
from pico_testbench.simulated.unreal import NotModelled


@pytest.fixture(scope="module")
def mirrored():
    return modelled.mirrored()


@pytest.fixture
def run(tmp_path):
    """run(main): the output of this main.py on a simulated Pico."""

    def run(main):
        file = tmp_path / "main.py"
        file.write_text(main)
        pico = SimulatedPico(files={"main.py": file})
        try:
            pico.run(300)
            return pico.lines()
        finally:
            pico.power_off()

    return run


def test_the_table_has_every_name(mirrored):
    table = modelled.table(mirrored)
    assert "| `machine.Pin` | `init`, `value`, " in table
    assert all(f"`{name}`" in table for name in ("Timer", "bitstream", "UART", "sleep_ms"))


def test_every_documented_name_is_there_or_is_refused_by_name(mirrored):
    assert {name.split(".")[0] for name in names()} == set(MODULES) and len(names()) > 250
    refused = []
    for name in names():
        module, *path = name.split(".")
        thing = mirrored[module]
        try:
            for part in path:
                thing = getattr(thing, part)
        except NotModelled as why:
            owner = name.rpartition(".")[0]
            assert f"has no {owner if owner in refused else name}:" in str(why)
            refused.append(name)
    assert "machine.UART" in refused and "machine.Pin.irq" not in refused


@pytest.mark.parametrize(
    ("use", "name"),
    [
        ("from machine import UART", "machine.UART"),
        ("import machine\nmachine.lightsleep(10)", "machine.lightsleep"),
        ("from machine import Pin\nPin(1, Pin.OPEN_DRAIN)", "machine.Pin.OPEN_DRAIN"),
        ("from machine import Pin\nPin(1, Pin.OUT).low()", "machine.Pin.low"),
        ("import rp2\nrp2.StateMachine.put", "rp2.StateMachine.put"),
        ("import time\ntime.localtime()", "time.localtime"),
        ("import asyncio\nasyncio.gather()", "asyncio.gather"),
    ],
)
def test_no_firmware_can_take_a_refusal_for_something_else(run, use, name):
    guarded = (
        "try:\n    " + use.replace("\n", "\n    ") + "\nexcept Exception:\n    print('missed')"
    )
    with pytest.raises(NotModelled, match=f"has no {name}: the emulated one does"):
        run(guarded)


@pytest.mark.parametrize("module", MODULES)
def test_a_name_that_micropython_does_not_document_is_an_ordinary_error(run, module):
    main = (
        f"import {module}\ntry:\n    {module}.nonsense\nexcept AttributeError as e:\n    print(e)"
    )
    (line,) = run(main)
    assert "nonsense" in line


def test_the_names_are_read_off_micropythons_pages(tmp_path):
    (tmp_path / "machine.rst").write_text(
        ".. function:: reset()\n\n   Resets.\n\n"
        ".. function:: wake_reason()\n\n   Availability: ESP32, WiPy.\n\n"
        ".. function:: idle()\n\n   Availability: esp32,\n   rp2 ports.\n\n"
        ".. data:: machine.IDLE\n          machine.SLEEP\n\n   States.\n"
    )
    (tmp_path / "machine.Pin.rst").write_text(".. method:: Pin.value([x])\n")
    (tmp_path / "machine.DAC.rst").write_text(".. class:: DAC()\n")
    for module in ("rp2", "time", "asyncio"):
        (tmp_path / f"{module}.rst").write_text("")
    assert modelled.read(tmp_path) == [
        "machine.reset",
        "machine.idle",
        "machine.IDLE",
        "machine.SLEEP",
        "machine.Pin.value",
    ]
