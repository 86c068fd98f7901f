"""The emulated RP2040 from pico_testbench, soldered into a Circuit. The circuit uses it like the
simulated chip, through `steady`, `driven()`, `frame`, `speed`, `tone()`, `share()` and `moved()`.
The display sees the edges on the pins that it is watching."""

import itertools
from collections.abc import Callable
from typing import Any, cast

from rp2040py.gpio_pin import GPIOPinState

from nimatron_sim.cabinet import Circuit, Matrix
from pico_testbench import rp2040
from pico_testbench.models import RADIO, Model

_names = itertools.count()  # names for frames, unique across all chips


class SolderedChip(rp2040.EmulatedChip):
    """A pico_testbench.rp2040.EmulatedChip that is soldered into a circuit."""

    def __init__(
        self,
        image: bytes,
        files: bytes,
        circuit: Circuit,
        reset: Callable[[], None],
        flashed: Callable[[int, bytes], None],
        board: Model,
    ) -> None:
        super().__init__(image, files, reset, flashed, board)
        self.steady = 0  # the outputs that stay high for a while, as a mask
        self.speed = 0  # the speed of the display. Here it is part of the frame
        self._circuit = circuit
        wiring = circuit.wiring
        circuit.power_up()
        self._display = cast(Any, circuit.display)  # one of cabinet.DISPLAYS
        self._scope = Scope(self._mcu, self._display.scanned, self._frame_over)
        self.show(self._display)
        if isinstance(self._display, Matrix):
            for column in wiring.COLUMNS:
                _Column(self._mcu, column, wiring.ROWS + wiring.COLUMNS, circuit)
        self._steady_pins = [gpio for _, gpio in wiring.LEGENDS] + [wiring.COIN]
        if board.led != RADIO:
            self._steady_pins.append(board.led)
        for gpio in self._steady_pins:
            self._mcu.gpio[gpio].add_listener(self._output_moved)
        for _, gpio in wiring.BUTTONS:
            self.moved(gpio)

    def restarted(self) -> None:
        self._output_moved()
        self._scope.restart()

    def moved(self, gpio: int) -> None:
        """Handle a contact to ground at this pad that has closed or opened. While the contact is
        open, the pull-up decides the level, if the firmware has enabled it."""
        self.drive(gpio, 0 if gpio in self._circuit.closed else None)

    def driven(self) -> list[tuple[int, float]]:
        """Return the pads over the last frame: [(levels of all pads as a mask, ns), …]."""
        return [(self.steady | levels, ns) for levels, ns in self._scope.frame]

    @property
    def frame(self) -> bytes:
        """A name for the last frame. While the name stays the same, all frames look the same."""
        return self._scope.name

    @property
    def tones(self) -> int:
        """The number of times that a tone may have changed."""
        return self.changes

    def _output_moved(self, new: object = None, old: object = None) -> None:
        steady = 0
        for gpio in self._steady_pins:
            steady |= (self._mcu.gpio[gpio].value == GPIOPinState.HIGH) << gpio
        self.steady = steady
        self.stir()

    def _frame_over(self, changed: bool) -> None:
        polled = self.poll()
        if changed or polled != self._polled:
            self._polled = polled
            self.stir()

    def poll(self) -> object:
        return self.tone(self._circuit.wiring.SOUNDER), self._display.state(self)


_DRIVEN = GPIOPinState.LOW, GPIOPinState.HIGH
_DECIDED = 50.0  # ns after a pin was released, when its other settings have usually changed too


class _Column:
    """The pad for a column in the matrix, which keeps its charge for a while after a release."""

    def __init__(self, mcu: Any, gpio: int, gpios: tuple[int, ...], circuit: Circuit) -> None:
        self._mcu, self._gpio, self._gpios, self._circuit = mcu, gpio, gpios, circuit
        self._before: dict[int, int] = {}
        self._alarm = mcu.clock.create_alarm(self._ring)
        self._released = 0.0  # ns
        mcu.gpio[gpio].add_listener(self._moved)

    def _driven(self) -> dict[int, int]:
        values = {gpio: self._mcu.gpio[gpio].value for gpio in self._gpios}
        return {
            gpio: int(value == GPIOPinState.HIGH)
            for gpio, value in values.items()
            if value in _DRIVEN
        }

    def _moved(self, new: GPIOPinState, old: GPIOPinState) -> None:
        pad = self._mcu.gpio[self._gpio]
        if new in _DRIVEN:
            self._alarm.cancel()
            pad.release_input()
        elif old == GPIOPinState.HIGH:
            self._before = {**self._driven(), self._gpio: 1}
            self._released = self._mcu.clock.nanos
            pad.set_input_value(True)
            self._alarm.schedule(_DECIDED)

    def _ring(self) -> None:
        """Let the column fall, or look again after the same time, because a busy CPU delays the
        PIO's next instruction, which switches the row on."""
        passed = self._mcu.clock.nanos - self._released
        falls = self._circuit.wires.falls(self._gpio, self._before, self._driven())
        if falls is not None and falls < passed + 1:
            self._mcu.gpio[self._gpio].set_input_value(False)
        else:
            self._alarm.schedule(passed if falls is None else min(falls - passed, passed))


Sample = tuple[list[int], list[float]]  # masks of the high pins, and how many ns each mask lasted


class Scope:
    """An oscilloscope with its probes on pins.

    A frame begins when the first pin is switched on, or after 10 ms. `frame` is [(mask of the pins
    that are driven high, ns), ...] for the last frame that came twice in a row, because the eye
    cannot see a frame that comes only once. `name` changes with `frame`. over(changed) is called
    after each frame.
    """

    _LONGEST = 10_000_000.0  # ns
    _ALIKE = 1 / 512  # a fraction of a frame. Brightness 5 % and 6 % differ by more

    def __init__(self, mcu: Any, gpios: tuple[int, ...], over: Callable[[bool], None]) -> None:
        self.frame = [(0, 1.0)]
        self.name = b""
        self._clock = mcu.clock
        self._over = over
        self._pins = [mcu.gpio[gpio] for gpio in gpios]
        for number, pin in enumerate(self._pins):
            pin.add_listener(self._probe(1 << pin.index, triggers=not number))
        self._timeout = self._clock.create_alarm(self._end_frame)
        self._shown: Sample = ([], [])
        self._last: Sample = ([], [])
        self.restart()

    def restart(self) -> None:
        """Read the pins again, because a reset moves them without an edge."""
        self._since = self._clock.nanos
        high = [pin.index for pin in self._pins if pin.value == GPIOPinState.HIGH]
        self._level = sum([1 << gpio for gpio in high])
        self._levels: list[int] = []
        self._stays: list[float] = []
        self._timeout.schedule(self._LONGEST)

    def _probe(self, bit: int, triggers: bool) -> Callable[[object, object], None]:
        high = GPIOPinState.HIGH

        def moved(new: object, old: object) -> None:
            self._note()
            if new is high:
                if triggers:
                    self._end_frame()
                self._level |= bit
            else:
                self._level &= ~bit

        return moved

    def _note(self) -> None:
        now = self._clock.nanos
        if now != self._since:
            self._levels.append(self._level)
            self._stays.append(now - self._since)
            self._since = now

    def _end_frame(self) -> None:
        self._note()
        frame = self._levels, self._stays
        self._levels, self._stays = [], []
        self._timeout.schedule(self._LONGEST)
        changed = not self._alike(frame, self._shown) and self._alike(frame, self._last)
        self._last = frame
        if changed:
            self._shown = frame
            self.frame = list(zip(*frame, strict=True))
            self.name = b"%d" % next(_names)
        self._over(changed)

    def _alike(self, one: Sample, other: Sample) -> bool:
        if one[0] != other[0]:
            return False
        tolerance = sum(one[1]) * self._ALIKE
        return all(abs(a - b) < tolerance for a, b in zip(one[1], other[1], strict=True))
