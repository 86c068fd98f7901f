"""The chip of a Board that needs no MicroPython image: a simulated one with terminals for the
parts. Your files run on CPython, with the modules of mirror/.

What it does not model it refuses by name, with NotModelled, which no firmware can catch.
"""

import random
import shutil
import threading
import traceback
import weakref
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import Any, NoReturn

from greenlet import getcurrent, greenlet

from pico_testbench.boards import BOARDS, UNIQUE_ID, Board
from pico_testbench.clock import Clock
from pico_testbench.simulated import chip as simulated
from pico_testbench.simulated.documented import MODULES
from pico_testbench.simulated.files import Files
from pico_testbench.simulated.loader import SAME, Loader
from pico_testbench.simulated.signals import Pulses, Spi
from pico_testbench.simulated.stopping import Stuck, is_firmware, stuck_after
from pico_testbench.simulated.unreal import Fault, NotModelled

_BOOT_MS = 20  # about what the emulated chip takes to the first line of main.py
_SOFT_BOOT_MS = 20
_PATIENCE_S = 2  # of this computer's time, for firmware that lets no time pass
_CTRL_C, _CTRL_D = 3, 4
_NO_KEY = -1
_BANNER = 'MicroPython v1.26.1 (simulated); {}\nType "help()" for more information.\n>>> '
_INSTEAD = "the emulated one does"
# Of the modules that a Pico's MicroPython has, those that only the emulated Pico has.
_NOT_HERE = (
    *("_thread", "aioble", "bluetooth", "cmath", "cryptolib", "deflate", "dht", "ds18x20"),
    *(
        "framebuf",
        "lwip",
        "marshal",
        "mip",
        "neopixel",
        "network",
        "ntptime",
        "onewire",
        "platform",
    ),
    *("random", "re", "requests", "socket", "ssl", "tls", "vfs", "weakref", "websocket"),
)


class SimulatedPicos:
    """Simulated Picos with the same files on their flash, one after the other: each `start` is a
    power-on.

    files: {name on the flash: content}. folder: where they are on this computer, so that errors
    and debuggers find them there; without one they are written to a temporary folder.
    """

    def __init__(self, board: str, files: Mapping[str, bytes], folder: Path | None = None):
        self._board = BOARDS[board]
        self._chip: SimulatedChip | None = None
        root = folder or Path(mkdtemp(prefix="pico_testbench"))
        if not folder:
            weakref.finalize(self, shutil.rmtree, root, ignore_errors=True)
        self._installed = {name: root / name for name in files}
        self._contents: dict[str, str | bytes] = {}
        for name, content in files.items():
            if not folder:
                self._installed[name].parent.mkdir(parents=True, exist_ok=True)
                self._installed[name].write_bytes(content)
            if name.endswith(".mpy"):
                raise NotModelled(f"the simulated Pico runs no compiled file such as {name}")
            try:
                self._contents["/" + name] = content.decode()
            except UnicodeDecodeError:
                self._contents["/" + name] = content

    @property
    def files(self) -> dict[str, bytes]:
        """The files as they are now."""
        return {
            name[1:]: text.encode() if isinstance(text, str) else text
            for name, text in self._contents.items()
        }

    def start(
        self,
        clock: Clock,
        was_reset: Callable[[], None],
        moved: Callable[[int, int, int], None],
    ) -> "SimulatedChip":
        self._chip = SimulatedChip(
            self._board, self._installed, self._contents, clock, was_reset, moved
        )
        return self._chip

    def stop(self) -> None:
        """Cut the power."""
        if self._chip:
            self._chip.off()
            self._chip = None


class SimulatedChip:
    """The chip of a Board from power-on to power-off, with terminals; see parts.Chip. To the
    simulated chip inside it is the circuit that it is soldered into, and its host."""

    takes_us = None  # the CPU takes no time
    unique_id = UNIQUE_ID
    weak = staticmethod(weakref.ref)

    def __init__(
        self,
        board: Board,
        installed: dict[str, Path],
        contents: dict[str, str | bytes],
        clock: Clock,
        was_reset: Callable[[], None],
        moved: Callable[[int, int, int], None],
    ):
        self.board = board
        self.on_spi: list[Callable[[int | None, int | None, int], None]] = []
        self.since_us = 0  # when the first change came that has not been looked at
        self.settled = True  # at the end of each `run`
        self.files = Files()
        self.files.contents = contents
        self.scratch: dict[int, int] = {}  # the watchdog's registers
        self.memory: list[object] = []
        self.chip: Any = None
        self.wires = None  # nothing is known of them
        self.display = self  # all that moves a pin or sends something
        self.watching = self.dimmed_by = ()
        self.closed: dict[int, str] = {}  # the pins that are grounded from outside
        self.raised: set[int] = set()  # the pins that are at 3.3 V from outside
        self._watchers: dict[int, list[Callable[[int, int], None]]] = {}
        self._pixels: dict[int, Callable[[bytes], None]] = {}
        self._levels: dict[int, int] = {}  # as the watchers know them
        self._modules = {name.removeprefix("lib/"): path for name, path in installed.items()}
        self._modules |= installed
        self._names = {str(path): name for name, path in installed.items()}
        self._clock = clock
        self._was_reset = was_reset
        self._moved = moved
        self._powered_at = clock.now
        self._dice = random.Random(0)
        self._host = getcurrent()
        self._cpu: greenlet | None = None
        self._then: Callable[[], None] | None = None
        self._fault: BaseException | None = None
        self._looked: object = None
        clock.pause = lambda: self._host.switch()
        clock.settled = self._changed
        self._boot(simulated.CAUSE_POWER_ON)

    # ------------------------------------------------------------------ power

    def off(self) -> None:
        """Cut the power."""
        self._clock.settled = lambda: None
        self._die()

    def reset(self, cause: int) -> None:
        """Reset the chip, for machine.reset() and the watchdog; its CPU never returns."""

        def again() -> None:
            self._boot(cause)
            self._was_reset()

        if getcurrent() is self._cpu:
            self._then = again
            self._host.switch()
        else:
            again()

    def _boot(self, cause: int) -> None:
        self._die()
        _Chip(self._clock, self, cause, self)
        for gpio, level in self._levels.items():
            if level:
                self._tell(gpio, 0)
        self._cpu = greenlet(self._execute)

    def _die(self) -> None:
        if self.chip:
            self.chip.alive = False
        cpu, self._cpu = self._cpu, None
        if cpu:
            cpu.throw()

    def power_up(self) -> None:
        """The circuit has no state of its own."""

    def reads(self, gpio: int, level: int) -> int:
        """The level that a pad reads which the chip drives."""
        return level

    def reads_back(self, gpio: int) -> bool:
        """Whether a pad reads what the chip drives."""
        return True

    def falls(self, gpio: int, before: object, driven: object) -> NoReturn:
        raise NotModelled(
            f"when GP{gpio} reads low after it was let go: its capacitance is unknown"
        )

    def _execute(self) -> None:
        """The CPU, from the boot ROM to the end of time."""
        chip = self.chip
        chip.interrupt_key = _NO_KEY
        chip.sleep(_BOOT_MS * 1000)
        while True:
            loader = _Loader(
                self._modules,
                {"chip": chip},
                print=chip.usb.print,
                open=self._open,
                input=_refusing("input"),
            )
            ended = [self._run(loader, name) for name in ("boot.py", "main.py")]
            if True not in ended:
                self._prompt()
            chip.soft_reset()
            chip.usb.print("MPY: soft reboot")
            chip.sleep(_SOFT_BOOT_MS * 1000)

    def _run(self, loader: Loader, name: str) -> bool:
        """Run a file, if it is there; true if it wants to be run again."""
        chip = self.chip
        chip.interrupt_key = _CTRL_C
        try:
            if name in self._modules:
                loader.run(name)
        except Fault as fault:
            self._fail(fault)
        except SystemExit:
            return True
        except (Exception, KeyboardInterrupt) as failure:
            chip.interrupt_key = _NO_KEY
            chip.usb.write(self.traceback(failure))
        return False

    def _prompt(self) -> None:
        """Wait at MicroPython's prompt, of which only Ctrl-C and Ctrl-D are there."""
        chip = self.chip
        chip.interrupt_key = _NO_KEY
        chip.heed_no_interrupt()
        chip.usb.write(_BANNER.format(chip.board.machine))
        while _CTRL_D not in chip.received:
            if chip.received.strip(bytes([_CTRL_C])):
                chip.received.clear()
                self._fail(_not_modelled("prompt for a line that is typed when main.py has ended"))
            chip.received.clear()
            self._clock.wait(None)
        chip.received.clear()

    def _fail(self, fault: BaseException) -> None:
        """Let `run` raise this."""
        self._fault = fault
        if getcurrent() is self._cpu:
            self._host.switch()

    def _open(self, name: str, mode: str = "r") -> object:
        content = self.files.contents.get(name if name[:1] == "/" else "/" + name)
        if mode not in ("r", "w") or isinstance(content, bytes):
            raise _not_modelled(f"open({name!r}, {mode!r}), only text")
        return self.files.open(name, mode)

    # ------------------------------------------------------------------ what the chip asks of us

    def entropy(self, n: int) -> bytes:
        return self._dice.randbytes(n)

    def view(self, buffer: Any) -> memoryview:
        return memoryview(buffer).cast("B")

    def traceback(self, failure: BaseException) -> str:
        """As MicroPython prints it, of the firmware alone."""
        lines = ["Traceback (most recent call last):"]
        for frame, line in traceback.walk_tb(failure.__traceback__):
            if is_firmware(frame):
                path = frame.f_code.co_filename
                name = self._names.get(path, path)
                lines.append(f'  File "{name}", line {line}, in {frame.f_code.co_name}')
        return "\n".join([*lines, f"{type(failure).__name__}: {failure}", ""])

    # ------------------------------------------------------------------ time

    @property
    def us(self) -> int:
        """Microseconds since power-up."""
        return int(self._clock.now - self._powered_at)

    def run(self, us: float) -> None:
        """Run until `us`, or until something visible or readable has changed and the firmware has
        done whatever it does at once in response. Raises a Fault."""
        self._host = getcurrent()
        with _watched() as again:
            while self._cpu is not None:
                again()
                self._clock.limit = self._powered_at + round(us)
                self._cpu.switch()
                if self._fault:
                    fault, self._fault = self._fault, None
                    if isinstance(fault, Stuck):
                        raise NotModelled(
                            f"{fault}: on the simulated Pico time passes only while the firmware"
                            " sleeps, on the emulated one always"
                        )
                    raise fault
                if not self._then:
                    break
                then, self._then = self._then, None
                then()
        self._changed()

    def _changed(self) -> bool:
        """Whether anything has changed since the last look."""
        chip = self.chip
        now = chip, chip.changes, chip.tones
        if now == self._looked and not chip.sent:
            return False
        self._looked = now
        self.since_us = self.us
        return True

    # ------------------------------------------------------------------ what the chip shows us

    def output_moved(self, pad: simulated.Pad, level: int) -> None:
        """A pad is now an output at this level, or is none; its level is then 0."""
        if pad.function == simulated.OUT:
            self._moved(pad.gpio, level, self.us)
        if self._levels.get(pad.gpio, 0) != level:
            self._tell(pad.gpio, level)

    def _tell(self, gpio: int, level: int) -> None:
        self._levels[gpio] = level
        for watcher in self._watchers.get(gpio, ()):
            watcher(level, self.us)

    def see(self, piece: Spi | Pulses, ns: int) -> bool:
        """A peripheral sends something."""
        if isinstance(piece, Spi):
            for byte in piece.sent:
                for takes in self.on_spi:
                    takes(*piece.pins, byte)
        elif piece.gpio in self._pixels:
            self._pixels[piece.gpio](piece.sent)
        return True

    # ------------------------------------------------------------------ terminals

    def drive(self, gpio: int, level: int | None) -> None:
        self.raised.discard(gpio)
        self.closed.pop(gpio, None)
        if level:
            self.raised.add(gpio)
        elif level is not None:
            self.closed[gpio] = "what is soldered to it"
        self.chip.moved(gpio)

    def level(self, gpio: int) -> int:
        pad = self.chip.pads[gpio]
        if pad.function == simulated.PWM:
            raise _not_modelled(f"level of GP{gpio} at each moment of its PWM")
        return int(pad.out if pad.function == simulated.OUT else pad.level)

    def is_output(self, gpio: int) -> bool:
        return self.chip.pads[gpio].function in (simulated.OUT, simulated.PWM)

    def is_pwm(self, gpio: int) -> bool:
        return bool(self.chip.pads[gpio].function == simulated.PWM)

    def duty(self, gpio: int) -> float:
        return float(self.chip.pads[gpio].duty / 65535)

    def tone(self, gpio: int) -> int:
        return int(self.chip.tone(gpio))

    def pulse_us(self, gpio: int) -> float:
        return self.duty(gpio) / self.tone(gpio) * 1e6 if self.tone(gpio) else 0.0

    def watch(self, gpio: int, moved: Callable[[int, int], None]) -> None:
        self._watchers.setdefault(gpio, []).append(moved)

    def decode_pixels(
        self, gpio: int, order: str, shown: Callable[[list[tuple[int, ...]]], None]
    ) -> None:
        at = [order.index(colour) for colour in "RGBW" if colour in order]

        def takes(sent: bytes) -> None:
            pixels = [sent[n : n + len(order)] for n in range(0, len(sent), len(order))]
            shown([tuple(pixel[n] for n in at) for pixel in pixels if len(pixel) == len(order)])

        self._pixels[gpio] = takes

    def set_volts(self, gpio: int, volts: float) -> None:
        raise _not_modelled("ADC at a pin, as a Potentiometer needs")

    def join_i2c(self, device: object) -> None:
        raise _not_modelled("I2C, as an I2CDevice needs")

    def join_network(self, server: object) -> None:
        raise _not_modelled("network, as a Server needs")

    # ------------------------------------------------------------------ serial line

    def receive(self, data: bytes) -> None:
        self.chip.receive(data)

    def take_sent(self) -> bytes:
        return bytes(self.chip.take_sent())

    def plug(self, cable: str) -> None:
        self.chip.usb.plug(cable)

    @property
    def cable(self) -> str:
        return str(self.chip.usb.cable)


class _Chip(simulated.Chip):
    """The chip, which tells of its outputs, and whose pins can be raised from outside."""

    def _output_moved(self, pad: simulated.Pad, level: int) -> None:
        super()._output_moved(pad, level)
        self.circuit.output_moved(pad, level)

    def moved(self, gpio: int) -> None:
        pad = self.pads[gpio]
        if gpio in self.circuit.raised and pad.function != simulated.OUT:
            self.arrived(pad, 1)
        else:
            super().moved(gpio)

    @property
    def display(self) -> None:
        """The state machine that drives pads."""

    @display.setter
    def display(self, machine: object) -> None:
        if machine:
            raise _not_modelled("PIO that drives parts")


class _Loader(Loader):
    """Refuses what a real MicroPython might have and this one has not, instead of raising what the
    firmware could catch."""

    def _no_module(self, name: str) -> BaseException:
        old = name[:1] == "u" and name[1:] in (*SAME, *MODULES, "os", "sys", "select")
        if old or name in _NOT_HERE:
            return _not_modelled(f"module {name}")
        return super()._no_module(name)

    def _complete(self, module: ModuleType) -> None:
        super()._complete(module)

        def refuse(name: str) -> NoReturn:
            if name[:2] == "__":
                raise AttributeError(name)
            raise NotModelled(
                f"the simulated Pico has no {module.__name__}.{name}: try the emulated one"
            )

        vars(module)["__getattr__"] = refuse


def _watched() -> AbstractContextManager[Callable[[], object]]:
    if threading.current_thread() is threading.main_thread():
        return stuck_after(_PATIENCE_S)
    return nullcontext(lambda: None)


def _not_modelled(what: str) -> NotModelled:
    return NotModelled(f"the simulated Pico has no {what}: {_INSTEAD}")


def _refusing(name: str) -> Callable[..., NoReturn]:
    def refuse(*args: object, **more: object) -> NoReturn:
        raise _not_modelled(name)

    return refuse
