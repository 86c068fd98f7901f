"""Sensors that answer after a delay, each modelled on its data sheet."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from pico_testbench.clock import NEVER
from pico_testbench.parts import Part

if TYPE_CHECKING:
    from pico_testbench.terminal_chip import TerminalChip

_Talk = Generator["int | None", int, None]


class Ultrasonic(Part):
    """An HC-SR04, which measures the distance to the nearest object, from 2 to 400 cm. Its echo is
    high for 58 us per cm. The trace records the echo.

    `cm` is the distance, or None if no object is near.
    """

    def __init__(self, trigger: int, echo: int, cm: float | None = None):
        super().__init__(trigger, echo)
        self.cm = cm

    def powered(self, chip: TerminalChip) -> None:
        super().powered(chip)
        self._rose, self._ready = NEVER, 0
        self._echo(0)
        chip.watch(self.pins[0], self._triggered)

    def _triggered(self, level: int, us: int) -> None:
        if level:
            self._rose = us
        elif us - self._rose >= 10 and us >= self._ready:
            near = self.cm is not None and 2 <= self.cm <= 400
            high = 58 * self.cm if near and self.cm else 38_000
            self.note(f"{self.cm} cm" if near else "no echo")
            self._rose, self._ready = NEVER, us + 450 + round(high)
            self.after(450, self._echo, 1)
            self.after(450 + high, self._echo, 0)

    def _echo(self, level: int) -> None:
        if self.chip:
            self.chip.drive(self.pins[1], level)
            self.chip.moved(self.pins[1], level, int(self.chip.us))


class OneWire(Part):
    """The base class of sensors on a single wire. A pull-up resistor holds the wire high, and the
    program and the sensors pull it low. Override `fell` and `rose`."""

    shares = fast = True

    def __init__(self, pin: int):
        super().__init__(pin)

    def powered(self, chip: TerminalChip) -> None:
        super().powered(chip)
        self._level, self._fell_at = 1, 0
        self.pull(False)
        chip.watch(self.pins[0], self._moved, released=1)

    def _moved(self, level: int, us: int) -> None:
        if level == self._level:
            return
        self._level = level
        if level:
            self.rose(us - self._fell_at)
        else:
            self._fell_at = us
            self.fell()

    def fell(self) -> None:
        """Handle the start of a pulse, when the program has pulled the wire low."""

    def rose(self, low_us: int) -> None:
        """Handle the end of a pulse, when the program has released the wire."""

    def pull(self, low: bool) -> None:
        """Pull the wire low, or release it."""
        if self.chip:
            self.chip.pull(self.pins[0], self, low)


class DHT22(OneWire):
    """A DHT22 or AM2302, with `degrees` in Celsius and `humidity` in percent. It needs two seconds
    between measurements."""

    shares = False

    def __init__(self, pin: int, degrees: float = 20.0, humidity: float = 50.0):
        super().__init__(pin)
        self.degrees, self.humidity = degrees, humidity

    def rose(self, low_us: int) -> None:
        if low_us < 800:
            return
        tenths = round(abs(self.degrees) * 10) | (0x8000 if self.degrees < 0 else 0)
        data = round(self.humidity * 10).to_bytes(2, "big") + tenths.to_bytes(2, "big")
        data += bytes([sum(data) & 0xFF])
        self.note(f"{self.degrees} C, {self.humidity} %")
        bits = "".join(f"{byte:08b}" for byte in data)
        at = 30.0
        for high in (80, *(70 if bit == "1" else 26 for bit in bits)):
            low = 80 if high == 80 else 50
            self.after(at, self.pull, True)
            self.after(at + low, self.pull, False)
            at += low + high
        self.after(at, self.pull, True)
        self.after(at + 50, self.pull, False)


_SEARCH, _MATCH, _READ_ROM, _SKIP = 0xF0, 0x55, 0x33, 0xCC
_CONVERT, _WRITE_SCRATCHPAD, _READ_SCRATCHPAD = 0x44, 0x4E, 0xBE


class DS18B20(OneWire):
    """A DS18B20 thermometer, with `degrees` in Celsius. Several fit on one wire if each has a
    different `serial` number. A conversion takes 750 ms. Until the first conversion has ended, the
    sensor reads 85 degrees."""

    def __init__(self, pin: int, degrees: float = 20.0, serial: int = 1):
        super().__init__(pin)
        self.degrees = degrees
        self.rom = _with_crc(b"\x28" + serial.to_bytes(6, "little"))

    def powered(self, chip: TerminalChip) -> None:
        super().powered(chip)
        self._measured, self._busy = 85.0, False
        self._settings = b"\x4b\x46\x7f"  # two alarms, and 12 bits
        self._talk: _Talk | None = None
        self._sends: int | None = None  # the bit for the next slot, or None to receive one

    def fell(self) -> None:
        if self._talk and self._sends == 0:
            self.pull(True)
            self.after(30, self.pull, False)

    def rose(self, low_us: int) -> None:
        if low_us >= 400:  # a reset, which the sensor answers with a presence pulse
            self._talk = self._listen()
            self._sends = next(self._talk)
            self.after(30, self.pull, True)
            self.after(150, self.pull, False)
        elif self._talk:
            try:
                self._sends = self._talk.send(int(low_us < 30))
            except StopIteration:
                self._talk = None

    def _listen(self) -> _Talk:
        """Handle the slots after a reset. Yield each bit to send, or None to receive one."""
        command = yield from _byte()
        if command == _SEARCH:
            for bit in _bits(self.rom):
                yield bit
                yield 1 - bit
                if (yield None) != bit:
                    return
        elif command == _MATCH:
            for bit in _bits(self.rom):
                if (yield None) != bit:
                    return
        elif command == _READ_ROM:
            yield from _bits(self.rom)
        elif command != _SKIP:
            return
        command = yield from _byte()
        if command == _CONVERT:
            self._busy = True
            self.after(750_000, self._convert)
            while True:
                yield int(not self._busy)
        elif command == _READ_SCRATCHPAD:
            value = round(self._measured * 16).to_bytes(2, "little", signed=True)
            self.note(f"{self._measured} C")
            yield from _bits(_with_crc(value + self._settings + b"\xff\x0c\x10"))
        elif command == _WRITE_SCRATCHPAD:
            settings = b""
            for _ in range(3):
                settings += bytes([(yield from _byte())])
            self._settings = settings

    def _convert(self) -> None:
        self._measured, self._busy = self.degrees, False


def _bits(data: bytes) -> Generator[int, int, None]:
    for byte in data:
        for bit in range(8):
            yield byte >> bit & 1


def _byte() -> Generator[int | None, int, int]:
    byte = 0
    for bit in range(8):
        byte |= (yield None) << bit
    return byte


def _with_crc(data: bytes) -> bytes:
    """Return the bytes and their check byte (Maxim application note 27)."""
    crc = 0
    for bit in _bits(data):
        crc = crc >> 1 ^ (0x8C if (crc ^ bit) & 1 else 0)
    return data + bytes([crc])
