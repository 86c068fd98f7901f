"""The PIO programs of the display and of the probe, on the emulated RP2040 with a real matrix."""

import pytest

pytest.importorskip("rp2040py")

import probe
from rp2040py.gpio_pin import GPIOPinState

from nimatron.devices import pins
from nimatron_sim.cabinet import Circuit
from nimatron_sim.matrix_voltage import Wires, matrix

pytestmark = pytest.mark.emulator

PARTS, PADS = matrix(pins.ROWS, pins.COLUMNS)
LAMP = ("led", f"anodes {pins.COLUMNS[4]}", f"cathodes {pins.ROWS[2]}")  # 3.5
MINUTE = 60_000
LEVELS = GPIOPinState.LOW, GPIOPinState.HIGH


def joined(one, other):
    parts = [tuple(other if end == one else end for end in part) for part in PARTS]
    return Wires(parts, {pad: other if net == one else net for pad, net in PADS.items()})


LIVES = {
    "lamp:3.5:open": Wires([p for p in PARTS if p != LAMP], PADS),
    "lamp:3.5:short": joined(*LAMP[1:]),
    "row:3:short": joined(LAMP[2], "0V"),
    "column:5:short": joined(PADS[pins.COLUMNS[4]], "3V3"),
}


def await_fault(pico, name, most_ms):
    pico.settle()
    begin = pico.ms
    while pico.told("health")["lamps"] != name:
        pico.run(most_ms // 12)
        assert pico.ms - begin <= most_ms
    assert pico.resets == []


def test_real_pio_names_an_open_lamp(emulated, mistaken):
    """Measurements that are ten times as frequent name the fault in a tenth of a minute."""
    often = mistaken(
        "nimatron/devices/panel.py", "_PROBE_MS = const(400)", "_PROBE_MS = const(40)"
    )
    name = "lamp:3.5:open"
    await_fault(emulated.EmulatedPico(Circuit(wires=LIVES[name]), often), name, MINUTE // 10)


@pytest.mark.long("a minute")
@pytest.mark.parametrize("name", LIVES)
def test_real_pio_names_a_fault_within_a_minute(emulated, name):
    await_fault(emulated.EmulatedPico(Circuit(wires=LIVES[name])), name, MINUTE)


def test_measurements_take_the_same_light_from_all_rows(emulated, record_property):
    pico = emulated.EmulatedPico()
    pico.start(7, 7, 7, 7)
    pico.run(1000)
    since = probe.now_ms(pico)
    lit = dict.fromkeys(pins.ROWS, 0.0)
    rose, fell = {}, {}
    dark = longest = 0.0

    def moved(gpio, is_high):
        nonlocal dark, longest
        now = probe.now_ms(pico)
        if is_high:
            rose[gpio] = now
            if fell:
                dark = max(dark, now - max(fell.values()))
                longest = max(longest, now - fell.get(gpio, now))
        elif gpio in rose:
            lit[gpio] += now - rose[gpio]
            fell[gpio] = now

    with probe.listening(pico, pins.ROWS, moved):
        pico.run(2000)
    least, most = min(lit.values()), max(lit.values())
    share = sum(lit.values()) / (probe.now_ms(pico) - since)
    record_property("rows differ in light, %", round(100 * (most - least) / most, 3))
    record_property("longest time without light, ms", round(dark, 3))
    record_property("longest time without light of one row, ms", round(longest, 3))
    record_property("light taken by measurements, %", round(100 * (1 - share / 0.88), 3))
    assert most - least < 0.01 * most
    assert 0.05 < dark < 0.2 and longest < 0.5  # a measurement was seen
    assert share > 0.99 * 0.88


@pytest.mark.long("a minute")
@pytest.mark.parametrize("column", [pins.COLUMNS[2], pins.COLUMNS[-1]])
def test_press_at_a_measurement_reaches_its_lamp_in_five_milliseconds(
    emulated, column, record_property
):
    """The press comes after the last measurement of a column. After the last column, the Pico
    compares the round with the previous round."""
    pico = emulated.EmulatedPico()
    pico.settle()
    begun = []
    for gpio in pins.COLUMNS:
        pico.circuit.chip._mcu.gpio[gpio].add_listener(
            lambda new, old, gpio=gpio: (
                new not in LEVELS and begun.append((gpio, probe.now_ms(pico)))
            )
        )
    took = []
    pico.start(7, 7, 7, 7)
    for number in range(7):
        begun.clear()
        pico.run_until(lambda: [gpio for gpio, _ in begun[-6:]] == [column] * 6)
        every = begun[-1][1] - begun[-2][1]
        pico.run(every - 3 + 4 * number / 6)
        took.append(probe.went_out_after(pico, 0, 6 - number, "row1"))
        pico.release("row1")
    record_property("press to lamp, ms, at measurements: worst", round(max(took), 2))
    assert max(took) <= 5
