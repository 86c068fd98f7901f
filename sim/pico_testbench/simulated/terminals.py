"""A simulated Pico for a Board, which needs no MicroPython image: its core, and terminals for the
parts. Your files run on CPython, with the modules of mirror/.

An unmodelled feature is refused by name, with NotModelled, which no firmware can catch.
"""

import random
import shutil
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from pico_testbench.boards import BOARDS
from pico_testbench.clock import Clock
from pico_testbench.parts import Display
from pico_testbench.simulated import chip as simulated
from pico_testbench.simulated.core import SimulatedCore
from pico_testbench.simulated.files import Files
from pico_testbench.simulated.signals import Pulses, Spi
from pico_testbench.simulated.stopping import Stuck, stuck_after
from pico_testbench.simulated.unreal import NotModelled, lacking

_PATIENCE_S = 2  # of this computer's time, for firmware that lets no time pass
_BANNER = 'MicroPython v1.26.1 (simulated); {}\nType "help()" for more information.\n>>> '


class _WatchedChip(simulated.SimulatedChip):
    """A chip that reports its outputs."""

    def _output_moved(self, pad: simulated.Pad, level: int) -> None:
        super()._output_moved(pad, level)
        self.circuit.output_moved(pad, level)

    @property
    def display(self) -> None:
        """The state machine that drives pads."""

    @display.setter
    def display(self, machine: object) -> None:
        if machine:
            raise lacking("PIO that drives parts")


class StrictCore(SimulatedCore):
    """The core of a Board's simulated Pico.

    files: {name on the flash: content}. folder: their place on this computer, which errors and
    debuggers use, by default a temporary folder.
    look: called whenever something has changed and the firmware has done its immediate work.
    moved: see Terminals.
    """

    chip_class = _WatchedChip
    boot_ms = 20  # about as long as the emulated chip needs to the first line of main.py

    def __init__(
        self,
        board: str,
        files: Mapping[str, bytes],
        folder: Path | None,
        clock: Clock,
        look: Callable[[], None],
        restarted: Callable[[int | None], None],
        moved: Callable[[int, int, int], None],
    ):
        root = folder or Path(mkdtemp(prefix="pico_testbench"))
        if not folder:
            weakref.finalize(self, shutil.rmtree, root, ignore_errors=True)
        flash = Files()
        modules = {}
        for name, content in files.items():
            modules[name] = root / name
            if not folder:
                modules[name].parent.mkdir(parents=True, exist_ok=True)
                modules[name].write_bytes(content)
            if name.endswith(".mpy"):
                raise NotModelled(f"the simulated Pico runs no compiled file such as {name}")
            try:
                flash.contents["/" + name] = content.decode()
            except UnicodeDecodeError:
                flash.contents["/" + name] = content
        modules |= {name.removeprefix("lib/"): path for name, path in modules.items()}
        self._look = look
        self._tell_board = restarted
        self._looked: object = None
        self._again: Callable[[], object] = lambda: None
        terminals = Terminals(clock, moved)
        super().__init__(
            BOARDS[board],
            clock,
            terminals,
            modules,
            flash,
            random.Random(0).randbytes,
            self._has_restarted,
        )
        clock.settled = self._settled

    @property
    def chip(self) -> "Terminals | None":
        """The terminals of the chip, if it has power."""
        terminals: Terminals = self.circuit
        return terminals if terminals.chip else None

    @property
    def contents(self) -> dict[str, bytes]:
        """Return the current files."""
        return {
            name[1:]: text.encode() if isinstance(text, str) else text
            for name, text in self.files.contents.items()
        }

    def _has_restarted(self, cause: int | None) -> None:
        if cause is not None:
            self.circuit.let_go()
        self._tell_board(cause)

    def _prompt(self, chip: Any) -> None:
        chip.usb.write(_BANNER.format(chip.board.machine))
        super()._prompt(chip)

    def _typed(self, data: bytearray) -> None:
        if data.strip(b"\x03"):
            self.fail(lacking("prompt for a line that is typed when main.py has ended"))

    def run_to(self, us: int) -> None:
        with _watched() as self._again:
            self._again()
            try:
                super().run_to(us)
            except Stuck as fault:
                raise NotModelled(
                    f"{fault}: on the simulated Pico time passes only while the firmware sleeps,"
                    " on the emulated one always"
                ) from None

    def _settled(self) -> None:
        self._again()
        chip = self._chip
        if chip and (chip.sent or self._looked != (chip, chip.changes, chip.tones)):
            self._looked = chip, chip.changes, chip.tones
            self.guarded(self._look)


class Terminals:
    """The circuit around the simulated chip of a Board: a terminal at each pin, for the parts. See
    parts.Chip.

    moved(gpio, level, us) is called when the program has changed a pin that it drives itself.
    """

    wires = None  # the wiring is unknown
    dimmed_by = ()

    def __init__(self, clock: Clock, moved: Callable[[int, int, int], None]):
        self.chip: Any = None
        self.display = self  # all that moves a pin or sends something
        self._clock = clock
        self._moved = moved
        self.power_up()

    def power_up(self) -> None:
        """Forget the parts: they connect to each chip that powers up."""
        self.closed: dict[int, str] = {}  # the pins that are grounded from outside
        self.raised: set[int] = set()  # the pins that are at 3.3 V from outside
        self.watching: tuple[int, ...] = ()  # all pins of the displays
        self._displays: list[Display] = []
        self._watchers: dict[int, list[Callable[[int, int], None]]] = {}
        self._levels: dict[int, int] = {}  # as the watchers know them
        self._powered_at = self._clock.now

    @property
    def us(self) -> int:
        """Microseconds since power-up."""
        return int(self._clock.now - self._powered_at)

    since_us = us  # the first change that has not been looked at: each moment is looked at

    # ------------------------------------------------------------------ calls from the chip

    def output_moved(self, pad: simulated.Pad, level: int) -> None:
        """Handle a pad that is now an output at this level, or an input, with the level 0."""
        if pad.function == simulated.OUT:
            self._moved(pad.gpio, level, self.us)
        if self._levels.get(pad.gpio, 0) != level:
            self._tell(pad.gpio, level)

    def let_go(self) -> None:
        """Handle a reset, which makes each pin an input."""
        for gpio, level in self._levels.items():
            if level:
                self._tell(gpio, 0)

    def _tell(self, gpio: int, level: int) -> None:
        self._levels[gpio] = level
        for watcher in self._watchers.get(gpio, ()):
            watcher(level, self.us)

    def edge(self, gpio: int, level: int, ns: int) -> bool:
        """Handle an output that is now at this level, and that a display is watching."""
        return any([each.edge(gpio, level, ns) for each in self._displays])

    def see(self, piece: Spi | Pulses, ns: int) -> bool:
        """Handle a piece that a peripheral sends."""
        return any([each.see(piece, ns) for each in self._displays])

    # ------------------------------------------------------------------ terminals

    def drive(self, gpio: int, level: int | None) -> None:
        self.raised.discard(gpio)
        self.closed.pop(gpio, None)
        if level:
            self.raised.add(gpio)
        elif level is not None:
            self.closed[gpio] = "a part"
        self.chip.moved(gpio)

    def level(self, gpio: int) -> int:
        pad = self.chip.pads[gpio]
        if pad.function == simulated.PWM:
            raise lacking(f"level of GP{gpio} at each moment of its PWM")
        return int(pad.out if pad.function == simulated.OUT else pad.level)

    def is_pwm(self, gpio: int) -> bool:
        return bool(self.chip.pads[gpio].function == simulated.PWM)

    def share(self, gpio: int) -> float | None:
        share: float | None = self.chip.share(gpio)
        return share

    def tone(self, gpio: int) -> int:
        return int(self.chip.tone(gpio))

    def watch(self, gpio: int, moved: Callable[[int, int], None]) -> None:
        self._watchers.setdefault(gpio, []).append(moved)

    def show(self, display: Display) -> None:
        self._displays.append(display)
        self.watching += display.watching

    def set_volts(self, gpio: int, volts: float) -> None:
        raise lacking("ADC at a pin, as a Potentiometer needs")

    def join_i2c(self, device: object) -> None:
        raise lacking("I2C, as an I2CDevice needs")

    def join_network(self, server: object) -> None:
        raise lacking("network, as a Server needs")

    # ------------------------------------------------------------------ serial line

    def receive(self, data: bytes) -> None:
        self.chip.receive(data)

    def take_sent(self) -> bytes:
        return bytes(self.chip.take_sent())


def _watched() -> AbstractContextManager[Callable[[], object]]:
    if threading.current_thread() is threading.main_thread():
        return stuck_after(_PATIENCE_S)
    return nullcontext(lambda: None)
