"""Parts to solder to a Pico's pins, with effects that a person sees or a meter shows.

You describe a part, with the numbers of its GPIOs, before any Pico exists. Each Board makes its
own copy of the part, so you can use one description in many tests.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pico_testbench.bounce import Bounce
from pico_testbench.displays import CrossedLamps, PixelChain, ShiftChain

if TYPE_CHECKING:
    from pico_testbench.terminal_chip import TerminalChip

_SEEN_US = 20_000  # faster flicker looks steady
_FLICKERS = 3  # a pin flickers if it changes this often in that time
_FAINT = 0.01  # a share of full brightness: a brighter lamp counts as lit
_ADC_PINS = (26, 27, 28)
_I2C_ADDRESSES = range(0x08, 0x78)  # all other addresses are reserved (UM10204, 3.1.12)
_VOLTS = 3.3


class Part:
    """The base class of all parts, including yours.

    pins: the GPIOs that the part is soldered to.
    shares: True if another part may be soldered to the same pins.
    fast: True if its pins move so often that the trace omits their edges.

    Your part overrides `powered`, calls `super().powered(chip)`, and then talks to the chip:
    chip.watch(pin, moved) calls moved(level, us) at each edge of an output, chip.drive(pin, 1)
    drives an input, chip.drive(pin, None) releases it, and chip.level(pin) returns a pin's level.
    `after` acts after a delay, and `note` writes to the trace.
    """

    shares = False
    fast = False
    board: Any  # the Board, which sets this before `soldered`

    def __init__(self, *pins: int):
        self.pins = pins
        self.chip: TerminalChip | None = None  # the chip, while it has power

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse a misspelled attribute of a part on a board. Your own parts may have any."""
        ours = type(self).__module__.startswith(__name__.partition(".")[0])
        if ours and hasattr(self, "board") and not (hasattr(self, name) or name[0] == "_"):
            raise AttributeError(f"{type(self).__name__} has no {name}")
        super().__setattr__(name, value)

    def powered(self, chip: TerminalChip) -> None:
        """Connect the part to a chip that is about to start."""
        self.chip = chip

    def unpowered(self) -> None:
        """Handle a power cut."""
        self.chip = None

    def look(self) -> object:
        """Return the part's value. The trace records it at each change, unless it is None."""
        return None

    def after(self, us: float, call: Callable[..., object], *args: object) -> None:
        """Call `call` after `us` microseconds, unless the power is cut before that."""
        if self.chip:
            self.chip.after(us, call, *args)

    def note(self, value: object) -> None:
        """Record a value in the trace, with the current time."""
        self.board.note(self, value)


class Wire(Part):
    """A wire to a pin, to measure or set the pin's level."""

    def __init__(self, pin: int):
        super().__init__(pin)
        self._given: int | None = None

    @property
    def level(self) -> int:
        """The level at the pin, 0 or 1. It is 0 without power."""
        return self.chip.level(self.pins[0]) if self.chip else 0

    def drive(self, level: int) -> None:
        """Connect the wire to ground (0) or to 3.3 V (1)."""
        self._given = level
        self._connect()

    def release(self) -> None:
        """Disconnect the wire."""
        self._given = None
        self._connect()

    def powered(self, chip: TerminalChip) -> None:
        super().powered(chip)
        self._connect()

    def _connect(self) -> None:
        if self.chip:
            self.chip.drive(self.pins[0], self._given)


class LED(Part):
    """An LED with a resistor from the pin to ground, or from 3.3 V to the pin if `active_low`."""

    def __init__(self, pin: int, active_low: bool = False):
        super().__init__(pin)
        self._active_low = active_low

    def powered(self, chip: TerminalChip) -> None:
        super().powered(chip)
        self._seen = _Seen(chip, self.pins)

    @property
    def brightness(self) -> float:
        """The brightness from 0 (dark) to 1 (full), averaged over 20 ms if the pin flickers."""
        pin = self.pins[0]
        if self.chip and not self.chip.is_pwm(pin):
            return self._bright(self._seen.shares().get(1 << pin, 0.0))
        return self._bright()

    def _bright(self, mean: float | None = None) -> float:
        """Return the current brightness, or the brightness for this mean level of the pin."""
        now = self.chip.share(self.pins[0]) if self.chip else None
        if now is None:
            return 0.0
        share = now if mean is None else mean
        return 1 - share if self._active_low else share

    @property
    def lit(self) -> bool:
        return self.brightness > _FAINT

    def look(self) -> object:
        """Return the current brightness in percent."""
        return round(100 * self._bright())


class Button(Part):
    """A push button from the pin to ground, or to 3.3 V with `to_3v3`. While the button is
    released, the pin floats, and the firmware's pull-up or pull-down decides the level.

    The contact bounces for `bounce_ms`, or not at all if this is 0. `seed` seeds the noise.
    """

    def __init__(self, pin: int, to_3v3: bool = False, bounce_ms: int = 3, seed: int = 1):
        super().__init__(pin)
        self._closed_level = int(to_3v3)
        self._bounce = Bounce(bounce_ms * 1000, seed)
        self.is_pressed = False

    def press(self) -> None:
        """Push the button down, and keep it down. The contact bounces while time runs."""
        self._move(True)

    def release(self) -> None:
        self._move(False)

    def tap(self, times: int = 1, down_ms: int = 80, up_ms: int = 120) -> None:
        """Press and release the button like a person, while time runs."""
        for _ in range(times):
            self.press()
            self.board.run(down_ms)
            self.release()
            self.board.run(up_ms)

    def powered(self, chip: TerminalChip) -> None:
        super().powered(chip)
        self._connect(self.is_pressed)

    def _move(self, pressed: bool) -> None:
        if pressed == self.is_pressed:
            return
        self.is_pressed = pressed
        self.note("pressed" if pressed else "released")
        self._connect(pressed)
        for number, us in enumerate(self._bounce.moments()):
            self.after(us, self._connect, pressed == number % 2)

    def _connect(self, closed: bool) -> None:
        if self.chip:
            self.chip.drive(self.pins[0], self._closed_level if closed else None)


class Buzzer(Part):
    """A passive buzzer, which sounds at the frequency of the pin's PWM."""

    def __init__(self, pin: int):
        super().__init__(pin)

    @property
    def hertz(self) -> int:
        """The frequency in Hz, or 0 for silence."""
        return self.chip.tone(self.pins[0]) if self.chip else 0

    def look(self) -> object:
        return self.hertz


class Servo(Part):
    """A hobby servo, which holds the angle of the last pulse that it understood.

    A pulse of `min_us` means 0 degrees, and a pulse of `max_us` means 180 degrees.
    """

    _PERIODS = range(2_500, 25_001)  # us between the pulses of a digital or an analogue servo

    def __init__(self, pin: int, min_us: int = 500, max_us: int = 2500):
        super().__init__(pin)
        self._min, self._max = min_us, max_us
        self._angle: float | None = None

    @property
    def angle(self) -> float | None:
        """The angle in degrees, to a tenth, or None before the first pulse. Pulses outside min_us
        to max_us do not move the servo, nor do pulses at less than 40 Hz or more than 400 Hz."""
        hertz = self.chip.tone(self.pins[0]) if self.chip else 0
        if self.chip and hertz:
            period = 1e6 / hertz
            self._turn(period, (self.chip.share(self.pins[0]) or 0) * period)
        return self._angle

    def powered(self, chip: TerminalChip) -> None:
        super().powered(chip)
        self._rose, self._period = 0, 0
        chip.watch(self.pins[0], self._moved)

    def _moved(self, level: int, us: int) -> None:
        """Measure a pulse that is not from PWM."""
        if level:
            self._period, self._rose = us - self._rose, us
        elif self.chip and not self.chip.is_pwm(self.pins[0]):
            self._turn(self._period, us - self._rose)

    def _turn(self, period: float, pulse: float) -> None:
        if round(period) in self._PERIODS and self._min - 1 <= pulse <= self._max + 1:
            self._angle = round(180 * (pulse - self._min) / (self._max - self._min), 1)

    def look(self) -> object:
        return None if self.angle is None else round(self.angle)


class Potentiometer(Part):
    """A potentiometer from ground to 3.3 V, whose wiper is at an ADC pin: GP26, GP27 or GP28."""

    def __init__(self, pin: int, position: float = 0.0):
        super().__init__(pin)
        if pin not in _ADC_PINS:
            raise ValueError(f"GP{pin} has no ADC: use GP26, GP27 or GP28")
        self.position = position

    def turn_to(self, position: float) -> None:
        """Turn the wiper to a position from 0 (ground) to 1 (3.3 V)."""
        if not 0 <= position <= 1:
            raise ValueError(f"a potentiometer turns from 0 to 1, not to {position}")
        self.position = position
        self.note(position)
        if self.chip:
            self.chip.set_volts(self.pins[0], position * _VOLTS)

    def powered(self, chip: TerminalChip) -> None:
        super().powered(chip)
        chip.set_volts(self.pins[0], self.position * _VOLTS)


class Matrix(Part):
    """A matrix of lamps. A lamp is lit while its row and its column are at their `on` level."""

    fast = True

    def __init__(
        self, rows: tuple[int, ...], columns: tuple[int, ...], row_on: int = 1, column_on: int = 1
    ):
        super().__init__(*rows, *columns)
        self._columns = len(columns)
        low = ((not row_on) * rows) + ((not column_on) * columns)
        self._lamps = CrossedLamps(rows, columns, sum(1 << pin for pin in low))

    def powered(self, chip: TerminalChip) -> None:
        super().powered(chip)
        self._seen = _Seen(chip, self.pins)

    def brightness(self, row: int, column: int) -> float:
        """Return the fraction of the last 20 ms for which a lamp was lit. Full brightness in a
        four-row matrix is 0.25."""
        return self._brightness()[row * self._columns + column] if self.chip else 0.0

    def _brightness(self) -> list[float]:
        return self._lamps.lasts(self._seen.shares().items()) if self.chip else []

    @property
    def lit(self) -> set[tuple[int, int]]:
        """Return (row, column) for each lamp that is lit, even faintly."""
        seen = enumerate(self._brightness())
        return {divmod(lamp, self._columns) for lamp, share in seen if share > _FAINT}


class _Chain(Part):
    """A chain that receives its picture bit by bit, and loses it with the power."""

    fast = True

    def __init__(self, *pins: int):
        super().__init__(*pins)
        self._chain = self._dark()

    def _dark(self) -> Any:
        """Return the chain as it powers up, one of displays.py."""
        raise NotImplementedError

    def powered(self, chip: TerminalChip) -> None:
        super().powered(chip)
        chip.show(self._chain)

    def unpowered(self) -> None:
        super().unpowered()
        self._chain = self._dark()


class ShiftRegister(_Chain):
    """A chain of 8-bit shift registers such as the 74HC595, which the firmware controls by SPI or
    pin by pin. A rising clock shifts a bit in, and a rising latch shows the bits."""

    def __init__(self, clock: int, data: int, latch: int, chips: int = 1):
        self._chips = chips
        super().__init__(clock, data, latch)

    def _dark(self) -> ShiftChain:
        clock, data, latch = self.pins
        return ShiftChain(clock, data, latch, self._chips)

    @property
    def outputs(self) -> tuple[int, ...]:
        """The levels of the outputs. They begin with output 0 of the first chip."""
        return tuple(self._chain.shown >> bit & 1 for bit in range(8 * self._chips))

    def look(self) -> object:
        return "".join(map(str, self.outputs))


class Pixels(_Chain):
    """A chain of WS2812 pixels. `order` is the order in which the colours are sent."""

    def __init__(self, pin: int, count: int, order: str = "GRB"):
        self._count, self._order = count, order
        super().__init__(pin)

    def _dark(self) -> PixelChain:
        return PixelChain(self.pins[0], self._count, 8 * len(self._order))

    @property
    def colours(self) -> list[tuple[int, ...]]:
        """(red, green, blue) for each pixel, followed by white if `order` contains white."""
        bits = [8 * self._order[::-1].index(colour) for colour in "RGBW" if colour in self._order]
        return [tuple(each >> bit & 255 for bit in bits) for each in self._chain.colours]

    def look(self) -> object:
        return tuple(self.colours)


class BusDevice(Part):
    """The base class of devices on a bus. The trace records their messages."""

    shares = fast = True
    _said = ""

    def said(self, direction: str, byte: int) -> None:
        """Add a byte to the current message. `direction` is "write" or "read", as seen by the
        program."""
        if not self._said.startswith(direction):
            self.stopped()
            self._said = direction
        self._said += f" {byte:02x}"

    def stopped(self) -> None:
        """End the current message."""
        if self._said:
            self.note(self._said)
        self._said = ""


class I2CDevice(BusDevice):
    """A device on I2C with byte registers. A write names a register, and then fills this register
    and the next ones. A read continues from that register.

    `address` has 7 bits. `registers` is {number: value} at power-up. All other registers are 0.

    For a device that does more, override `read` and `write`. The trace records each message, for
    example "write 07 ff".
    """

    def __init__(self, sda: int, scl: int, address: int, registers: dict[int, int] | None = None):
        super().__init__(sda, scl)
        if sda & 1 or not scl & 1 or sda >> 1 & 1 != scl >> 1 & 1:
            raise ValueError(f"GP{sda} and GP{scl} are not SDA and SCL of one I2C of the RP2040")
        if address not in _I2C_ADDRESSES:
            raise ValueError(
                f"0x{address:02X} is not a 7-bit address, 0x08 to 0x77. If a data sheet includes"
                " the read bit, divide its address by two"
            )
        self.address = address
        self.registers = dict(registers or {})
        self.plugged = True
        self._at: int | None = None

    def unplug(self) -> None:
        """Disconnect the device from the bus. It no longer answers."""
        self.plugged = False
        self.note("unplugged")

    def plug_in(self) -> None:
        self.plugged = True
        self.note("plugged in")

    def read(self, register: int) -> int:
        """Return the byte that the firmware reads from a register."""
        return self.registers.get(register, 0)

    def write(self, register: int, value: int) -> None:
        """Take a byte that the firmware writes to a register."""
        self.registers[register] = value

    def powered(self, chip: TerminalChip) -> None:
        super().powered(chip)
        self._at = 0
        chip.join_i2c(self)

    def started(self, reads: bool) -> None:
        """Handle the start of a message from or to the device."""
        self.stopped()
        if not reads:
            self._at = None  # the next byte names a register

    def takes(self, byte: int) -> None:
        """Take a byte from the bus."""
        self.said("write", byte)
        if self._at is None:
            self._at = byte
        else:
            self.write(self._at, byte)
            self._at += 1

    def sends(self) -> int:
        """Return the next byte for the bus."""
        register, self._at = self._at or 0, (self._at or 0) + 1
        byte = self.read(register) & 0xFF
        self.said("read", byte)
        return byte


class SPIDevice(BusDevice):
    """A device on the chip's SPI (not SoftSPI), which listens while `select` is low. Override
    `selected` and `answer`. The trace records both sides of each message."""

    def __init__(self, sck: int, mosi: int, miso: int, select: int):
        super().__init__(sck, mosi, miso, select)
        units = {pin >> 3 & 1 for pin in (sck, mosi, miso)}
        if (sck & 3, mosi & 3, miso & 3) != (2, 3, 0) or len(units) > 1:
            raise ValueError(
                f"GP{sck}, GP{mosi} and GP{miso} are not SCK, TX and RX of one SPI of the RP2040"
            )
        self._sent: list[int] = []

    def selected(self) -> None:
        """Handle the start of a message."""

    def answer(self, byte: int) -> int:
        """Return the byte that the device sends while it receives this byte."""
        return 0xFF

    def powered(self, chip: TerminalChip) -> None:
        super().powered(chip)
        chip.join_spi(self)
        chip.watch(self.pins[3], self._select_moved)

    def _select_moved(self, level: int, us: int) -> None:
        if not level:
            self.selected()
            return
        self.stopped()
        for byte in self._sent:
            self.said("read", byte)
        self._sent.clear()
        self.stopped()

    def swap(self, byte: int) -> int:
        self.said("write", byte)
        self._sent.append(self.answer(byte) & 0xFF)
        return self._sent[-1]


class UARTLine(Part):
    """The device at the other end of a UART. The program sends on the pin `tx` and receives on the
    pin `rx`. If the baud rates differ, the bytes are garbled."""

    fast = True

    def __init__(self, tx: int, rx: int, baudrate: int = 9600):
        super().__init__(tx, rx)
        if tx & 3 or rx != tx + 1:
            raise ValueError(f"GP{tx} and GP{rx} are not TX and RX of one UART of the RP2040")
        self.baudrate = baudrate
        self.received = b""  # all bytes from the program

    def powered(self, chip: TerminalChip) -> None:
        super().powered(chip)
        self._feed = chip.join_uart(self)
        self._free = 0.0  # us: when the line to the program is free

    def send(self, data: bytes) -> None:
        """Send bytes to the program, at the baud rate, while time runs."""
        if not self.chip:
            return
        self.note(f"read {data!r}")
        for byte in data:
            self._free = max(self._free, self.chip.us) + 10e6 / self.baudrate
            self.after(self._free - self.chip.us, self._feed, byte)

    def takes(self, byte: int) -> None:
        """Handle a byte from the program. Override this method for a device that answers."""
        self.received += bytes([byte])
        if byte == ord("\n"):
            self.note(f"write {self.received.splitlines()[-1]!r}")


class _Seen:
    """The pins of a part as an eye sees them, averaged over 20 ms."""

    def __init__(self, chip: TerminalChip, pins: tuple[int, ...]):
        self._chip = chip
        self._past: deque[tuple[int, int]] = deque()  # (us since then, their levels)
        self._now = 0
        for pin in pins:
            self._now |= chip.level(pin) << pin
            chip.watch(pin, self._watcher(1 << pin))
        self._past.append((int(chip.us), self._now))

    def _watcher(self, bit: int) -> Callable[[int, int], None]:
        def moved(level: int, us: int) -> None:
            self._now = self._now | bit if level else self._now & ~bit
            self._past.append((us, self._now))
            while len(self._past) > 1 and self._past[1][0] <= us - _SEEN_US:
                self._past.popleft()

        return moved

    def shares(self) -> dict[int, float]:
        """Return the levels of the pins over the last 20 ms, as masks of GPIOs, each with its
        share of the time. If the pins do not flicker, return only the current levels."""
        end = int(self._chip.us)
        start = end - _SEEN_US
        lasted: dict[int, int] = {}
        changes, until = 0, end
        for us, levels in reversed(self._past):
            since = max(us, start)
            lasted[levels] = lasted.get(levels, 0) + until - since
            until = since
            if us <= start:
                break
            changes += 1
        if changes < _FLICKERS or until == end:
            return {self._now: 1.0}
        return {levels: us / (end - until) for levels, us in lasted.items()}
