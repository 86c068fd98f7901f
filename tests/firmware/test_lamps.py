"""The three displays. Each shows its picture at its brightness, and reveals a mistake."""

import itertools
import json
from pathlib import Path

import pytest
from typed import move, typed

from miswired import swapped, wiring
from nimatron import VERSION, board
from nimatron.devices import pins
from nimatron.pictures import CORNERS
from nimatron_sim import backends
from nimatron_sim.cabinet import DISPLAYS, Circuit
from nimatron_sim.simulated import chip_registers
from nimatron_sim.simulated.chip import OUT, NotModelled, PinConflict
from nimatron_sim.simulated.chip_registers import DMA_ABORT, PIO_CTRL
from nimatron_sim.simulated_pico import SimulatedPico

VISIT = (Path(__file__).parent / "visit.txt").read_text(encoding="utf-8")
POSITION, ITS_MASKS = (1, 2, 3, 4), [0b1, 0b11, 0b111, 0b1111]


def wired(display, **how):
    """Return a Pico that is wired for this display, and set to it unless `settings` says
    otherwise."""
    circuit = Circuit(how.pop("wiring", pins), display=display)
    return SimulatedPico(circuit, **{"settings": {"display": display}, **how})


@pytest.fixture(params=DISPLAYS)
def pico(request):
    return wired(request.param)


@pytest.fixture(params=[0x11000000, 0x20082000], ids=hex)
def psram(request, monkeypatch):
    """Put the heap into PSRAM, in the second window of the RP2350's XIP, or just after the
    SRAM."""
    monkeypatch.setattr(chip_registers, "SRAM", request.param)


@pytest.mark.both_chips
@pytest.mark.usefixtures("psram")
def test_a_frame_outside_the_sram_is_refused(monkeypatch):
    """A write to flash would stop the lamps with one row lit."""
    pico = wired("matrix")
    monkeypatch.setattr(pico.darkness, "may_be_dark", True)
    pico.run(20_000)
    crashes = json.loads(pico.files.contents["/crashes.json"])["crashes"]
    assert {crash["text"].splitlines()[-1] for crash in crashes} == {
        "RuntimeError: the lamps' frame is not in the SRAM: the heap is in PSRAM"
    }
    assert tuple(pico.lamps) == CORNERS  # which needs no frame


@pytest.mark.both_chips
@pytest.mark.parametrize("display", ["shift", "pixels"])
@pytest.mark.usefixtures("psram")
def test_recorder_outside_the_sram_is_reported_and_the_show_continues(display):
    pico = wired(display)
    pico.settle()
    assert "event recorder=not-in-sram" in pico.lines()
    pico.start(3, 4, 5)
    assert pico.rows == (3, 4, 5, 0)


@pytest.mark.parametrize("display", ["shift", "pixels"])
def test_a_script_gives_the_same_trace_as_on_the_matrix(display):
    matrix, other = [], []
    backends.trace("sim", VISIT, matrix.append)
    backends.trace("sim", VISIT, other.append, display)
    assert other == matrix
    assert len(matrix) > 50


def test_each_of_the_lamps_is_at_its_place(pico):
    pico.ask("maintenance")
    pico.run_until(lambda: pico.state == "maintenance")
    for row, column in itertools.product(range(board.ROWS), range(board.LAMPS)):
        assert pico.ask(f"test lamp {row + 1} {column + 1}").startswith("ok")
        seen = [value > 0.85 for value in pico.circuit.brightness()]
        assert seen == [n == row * board.LAMPS + column for n in range(28)]


def test_brightness_is_in_percent_and_comes_within_a_second(pico):
    pico.start(*POSITION)
    full = max(pico.circuit.brightness())
    assert 0.85 <= full <= 1
    for percent in (50, 10, 5, 100):
        pico.ask(f"set brightness {percent}")
        pico.run(1000)
        assert max(pico.circuit.brightness()) == pytest.approx(full * percent / 100, abs=0.005)
        assert pico.lamps == ITS_MASKS


def test_brightness_outlives_a_power_cut(pico):
    pico.settle()
    pico.ask("set brightness 50")
    pico.reset_button()
    pico.start(*POSITION)
    assert 0.43 <= max(pico.circuit.brightness()) <= 0.51


@pytest.mark.parametrize(("display", "setting"), tuple(itertools.permutations(DISPLAYS, 2)))
def test_with_another_display_set_the_lamps_are_dark_and_the_game_lives(display, setting):
    pico = wired(display, settings={"display": setting})
    pico.darkness.may_be_dark = True
    pico.start(3, 4, 5)
    move(pico, "row2")
    pico.settle()
    assert "state=player rows=" in pico.ask("status")
    assert [record for record in pico.trace if "lamps" in record] == []


def test_another_display_is_for_the_next_start():
    pico = wired("shift", settings={})
    pico.settle()
    pico.ask("set display shift")
    pico.start(*POSITION)
    assert not any(pico.lamps)
    pico.send("reboot")
    pico.run(500)
    pico.start(*POSITION)
    assert pico.lamps == ITS_MASKS


# ---------------------------------------------------------------------- displays that hold their
# picture


@pytest.mark.parametrize("display", ["shift", "pixels"])
def test_a_disturbed_picture_is_repaired_within_a_second(display):
    pico = wired(display)
    pico.start(*POSITION)
    if display == "shift":
        pico.circuit.display.shown ^= 1 << 17
    else:
        pico.circuit.display.colours[21] = 0xFF0000  # the right end of row 4
    assert pico.lamps != ITS_MASKS
    pico.run(1000)
    assert pico.lamps == ITS_MASKS


def test_pixels_leave_a_usb_port_its_other_200_milliamperes():
    """A colour at 255 takes 20 mA (WS2812B data sheet)."""
    pico = wired("pixels")
    pico.start(7, 7, 7, 7)
    sent = [each >> bit & 255 for each in pico.circuit.display.colours for bit in (16, 8, 0)]
    assert min(sent) > 0
    assert 250 < sum(sent) / 255 * 20 <= 300


def test_pixels_take_their_colours_in_the_order_that_is_set():
    pico = wired("pixels")
    pico.start(7, 0, 0, 0)
    green, red, blue = pico.circuit.display.colours[0].to_bytes(3, "big")
    assert red > green > blue  # the colour of a light bulb
    pico.ask("set pixel_order rgb")
    pico.run(1000)
    assert bytes((red, green, blue)) == pico.circuit.display.colours[0].to_bytes(3, "big")


@pytest.mark.parametrize("display", DISPLAYS)
def test_after_a_hang_it_starts_dark(display, mistaken):
    """Pixels and registers keep their picture through a reset of the Pico."""
    files = mistaken("nimatron/exhibit.py", *HANG)
    pico = wired(display, files=files)
    pico.start(7, 7)
    pico.send("take 1 1")
    pico.run_until(lambda: pico.resets)
    reset = pico.ms
    pico.run(1000)
    shown = [
        record["lamps"] for record in pico.trace if record["ms"] >= reset and "lamps" in record
    ]
    assert shown[0] == [0, 0, 0, 0]
    assert len(shown) > 1


HANG = (
    "        self._enter(states.MACHINE)\n",
    "        while True:\n            time.sleep_ms(100)\n",
)


# ---------------------------------------------------------------------- mistakes of a builder


@pytest.mark.parametrize(("one", "other"), tuple(itertools.combinations(range(4), 2)))
def test_two_swapped_pins_of_the_shift_registers_show(one, other):
    names, gpios = zip(*pins.SHIFT, strict=True)
    mistake = wiring(SHIFT=tuple(zip(swapped(names, one, other), gpios, strict=True)))
    pico = wired("shift", wiring=mistake)
    if {one, other} != {2, 3}:  # the clock or the data
        with pytest.raises(NotModelled, match="sees only some of the pins"):
            pico.start(*POSITION)
        return
    pico.start(*POSITION)
    assert pico.lamps != ITS_MASKS


def test_pixels_at_another_pin_stay_dark():
    pico = wired("pixels", wiring=wiring(PIXELS=pins.COIN))
    pico.start(*POSITION)
    assert not any(pico.lamps)


# ---------------------------------------------------------------------- mistakes of the firmware

WRONG = {
    "the rows upside down": ("shift", "bytes(reversed(masks))", "bytes(masks)"),
    "a forgotten latch": ("shift", "self._latch.on()", "pass"),
    "enable the wrong way round": ("shift", "(100 - self._settings.brightness)", "100"),
    "a chain that never turns": ("pixels", "_WAYS[row % 2]", "_WAYS[0]"),
    "a lamp left out": ("pixels", '_TIMING, b"".join(each)', '_TIMING, b"".join(each[1:])'),
    "an inverted column": ("matrix", "masks[row] <<", "(masks[row] ^ 1) <<"),
    "the rows in another order": ("matrix", "columns | 1 << row)", "columns | 1 << (row ^ 1))"),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_it_shows(mistake, mistaken):
    display, before, after = WRONG[mistake]
    pico = wired(display, files=mistaken(f"nimatron/devices/lamps/{display}.py", before, after))
    pico.start(*POSITION)
    assert pico.lamps != ITS_MASKS


def test_spi_refuses_pins_that_it_cannot_have(mistaken):
    files = mistaken("nimatron/devices/pins.py", '("clock", ', '("clock", 1')
    pico = wired("shift", files=files)
    pico.run(1000)
    assert any("bad SCK pin" in line for line in pico.lines())


LAMPS = "        self._lamps = lamps.driver(settings)"
ENABLE = dict(pins.SHIFT)["enable"] ^ 16  # on the PWM slice of `enable`
REFUSED = {
    r"GP16 is in use as input .* not free as SPI": (
        "shift",
        *("devices/panel.py", LAMPS),
        f"        from machine import Pin\n        Pin(16, Pin.IN)\n{LAMPS}",
    ),
    f"GP{ENABLE} share a PWM slice": (
        *("shift", "devices/pins.py", "COIN ="),
        f"LEGENDS = ()\nSOUNDER = {ENABLE}\nCOIN =",
    ),
    "no WS2812B": (
        *("pixels", "devices/lamps/pixels.py"),
        *("(400, 850, 800, 450)", "(400, 850, 600, 450)"),
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_mistake_is_a_conflict_or_not_modelled(mistaken, why):
    display, name, before, after = REFUSED[why]
    files = mistaken(f"nimatron/{name}", before, after)
    with pytest.raises((PinConflict, NotModelled), match=why):
        wired(display, files=files).settle()


# ---------------------------------------------------------------------- a display that stops


@pytest.mark.parametrize(
    ("register", "value"),
    [
        (PIO_CTRL, 0),  # no state machine is enabled
        (DMA_ABORT, 1 << 0),  # the channel that sends
    ],
)
@pytest.mark.parametrize("moment_ms", [0, 0.25, 0.5, 0.75])
def test_a_matrix_that_has_stopped_is_noticed_and_started_again(register, value, moment_ms):
    pico = SimulatedPico()
    pico.start(3, 4, 5)
    pico.run(500 + moment_ms)
    pico.darkness.may_be_dark = True
    pico.circuit.chip.registers[register] = value
    pico.run(2000)
    assert pico.state == "attract" and any(pico.lamps)
    assert len(pico.resets) == 1
    assert f"event boot version={VERSION} mode=exhibit why=crash" in pico.lines()
    assert "lamps have stopped" in typed(pico, "log")[0]


def test_a_display_that_is_looked_at_late_has_not_stopped(mistaken):
    """An interrupt may delay the second look for exactly the duration of a frame."""
    late = (
        "time.sleep_us((150, 500)[self.__dict__.setdefault('n', []).append(0) or len(self.n) % 2])"
    )
    files = mistaken("nimatron/devices/lamps/matrix.py", "time.sleep_us(_LOOK_US)", late)
    pico = SimulatedPico(files=files)
    pico.settle()
    pico.run(60_000)
    assert pico.resets == []


def test_a_matrix_of_which_one_row_moves_is_not_started_again():
    pico = SimulatedPico()
    pico.start(3, 4, 5)
    pico.run(1000)
    for gpio in pins.ROWS[1:]:  # taken away from the state machine, which does not notice
        pico.circuit.chip.pads[gpio].function = OUT
    pico.run(5000)
    assert pico.resets == []
