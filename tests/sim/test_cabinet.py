"""The wiring. The lamps follow from the pins, and a mistake is visible."""

from types import SimpleNamespace

import pytest

from miswired import swapped, wiring
from nimatron.devices import pins
from nimatron_sim.cabinet import Circuit
from nimatron_sim.simulated.chip import PinConflict, SimulatedChip
from nimatron_sim.simulated_pico import SimulatedPico
from pico_testbench.clock import Clock
from pico_testbench.models import BOARDS


def shown(**changes):
    pico = SimulatedPico(Circuit(wiring(**changes)))
    pico.start(1, 2, 3, 4)
    return pico.lamps


def test_two_swapped_columns_show():
    assert shown(COLUMNS=swapped(pins.COLUMNS, 1, 2)) == [0b1, 0b101, 0b111, 0b1111]


def test_swapped_buttons_show():
    names, gpios = zip(*pins.BUTTONS, strict=True)
    buttons = tuple(zip(swapped(names, 0, 1), gpios, strict=True))
    pico = SimulatedPico(Circuit(wiring(BUTTONS=buttons)))
    pico.start(3, 3)
    pico.tap("row1")
    assert pico.rows == (3, 2, 0, 0)


def test_lit_lamps_have_their_rows_whole_share_and_dark_ones_none(pico):
    pico.start(7, 0, 3)
    brightness = pico.circuit.brightness()
    assert all(0.85 < b <= 1 for b in brightness[:7])
    assert all(b == 0 for b in brightness[7:14])
    assert [round(b) for b in brightness[14:21]] == [1, 1, 1, 0, 0, 0, 0]


def test_a_closed_contact_at_a_high_output_is_a_short(pico):
    wrong = wiring(BUTTONS=(("row1", pins.COIN), *pins.BUTTONS[1:]))
    pico = SimulatedPico(Circuit(wrong))
    pico.start(1, 2)
    pico.tap("row2", 2)
    pico.circuit.set_contact("row1", True)
    with pytest.raises(
        PinConflict, match=rf"GP{pins.COIN}, output in coin.py:\d+, is shorted by row1"
    ):
        pico.tap("go")
        pico.settle()


def test_a_pin_used_twice_names_both_users(mistaken):
    pico = SimulatedPico(
        files=mistaken("nimatron/devices/pins.py", "COIN =", f"COIN = {pins.SOUNDER}  #")
    )
    with pytest.raises(PinConflict) as conflict:
        pico.settle()
    assert f"GP{pins.SOUNDER} is in use as PWM output in sounder.py" in str(conflict.value)
    assert "not free as output in coin.py" in str(conflict.value)


def test_an_open_input_keeps_its_charge():
    circuit = Circuit()
    circuit.clock = Clock()
    chip = SimulatedChip(
        circuit.clock, circuit, 1, SimpleNamespace(scratch={}, board=BOARDS["pico"])
    )
    gpio = dict(pins.BUTTONS)["row1"]
    chip.claim(gpio, "input")
    chip.pads[gpio].level = 1
    assert chip.read(gpio) == 1
    circuit.set_contact("row1", True)
    circuit.set_contact("row1", False)
    assert chip.read(gpio) == 0
