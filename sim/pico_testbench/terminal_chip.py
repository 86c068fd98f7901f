"""The chip of a Board: an emulated RP2040 with terminals for the parts."""

from collections.abc import Callable
from functools import partial
from typing import Any

from rp2040py.gpio_pin import FUNCTION_PWM, GPIOPinState
from rp2040py.peripherals.i2c import RPI2C, I2CMode

from pico_testbench import rp2040
from pico_testbench.clock import NEVER
from pico_testbench.models import PINS, RADIO, Model

_FUNCTION_UART, _FUNCTION_I2C, _FUNCTION_SIO = 2, 3, 5  # functions of a pad
_PWM_SLICE = 0x14  # bytes of registers for each of the eight slices
_SETTING_US = 50  # how long a program takes at most to write all registers of a slice
_BAUD_TOLERANCE = 0.04  # a receiver looks at the middle of the tenth bit
_GARBLED = 0xFE  # a byte at another baud rate
_TX_EMPTY = 1 << 4  # a bit in the raw interrupts of an I2C (RP2040 datasheet, 4.3.17)
_FIRST_ADC = 26
_ADC_TOP = 4095
_VOLTS = 3.3


class TerminalChip(rp2040.EmulatedChip):
    """An rp2040.EmulatedChip with terminals.

    moved(gpio, level, us) is called when the program has changed a pin that it drives itself, and,
    with None for the level, when it has changed the PWM of a pin. record(what, value) adds a
    record to the trace.
    """

    def __init__(
        self,
        image: bytes,
        files: bytes,
        reset: Callable[[], None],
        board: Model,
        moved: Callable[[int, int | None, int], None],
        record: Callable[[str, str], None],
        flashed: Callable[[], None],
    ):
        super().__init__(image, files, reset, lambda offset, content: flashed(), board)
        # TinyUSB queues up to 16 events, and MicroPython reads none of them while it works in C,
        # for example while it waits for the echo of an HC-SR04. It would lose the end of a
        # transfer and print nothing more. A chip's host opens the port later, so this is rare.
        self._cable.rest = 32
        self.since_us = NEVER  # the time of the first change since the last look
        self.moved = moved
        self.record = record
        self._pulling: dict[int, set[int]] = {}
        self._spi_devices: list[Any] = []  # parts.SPIDevice
        self._buses = [_Bus(self, f"I2C{n}", i2c) for n, i2c in enumerate(self._mcu.i2c)]
        if self._radio and self._radio.bus:
            self._radio.bus.nat_bridge = None  # no packet leaves this process
        self._wires: dict[tuple[int, int], _Wires] = {}
        self._setting: dict[int, int] = {}  # PWM slices being set, with the time of the last write
        rp2040.Window(self._mcu, self._mcu.pwm, self._pwm_written)
        for gpio in PINS if board.led == RADIO else (*PINS, board.led):
            self._mcu.gpio[gpio].add_listener(partial(self._pin_moved, gpio))

    def stir(self) -> None:
        """Report a change that `moved` does not report."""
        self.since_us = min(self.since_us, int(self.us))
        self._settle()

    def _settle(self) -> None:
        if self.settled:  # otherwise a pin that never rests would delay the look forever
            super().stir()

    def _pin_moved(self, gpio: int, new: GPIOPinState, old: GPIOPinState) -> None:
        driven = new in (GPIOPinState.HIGH, GPIOPinState.LOW)
        if self.is_pwm(gpio):
            return  # the registers have the level
        if driven and self._mcu.gpio[gpio].function_select == _FUNCTION_SIO:
            self.moved(gpio, int(new == GPIOPinState.HIGH), int(self.us))
            self._settle()
        else:
            self.stir()

    def _pwm_written(self, offset: int) -> None:
        """Report the pins of a PWM slice, once the program has written all of its registers."""
        number = offset // _PWM_SLICE
        if number not in self._setting:
            self.after(_SETTING_US, self._pwm_set, number)
        self._setting[number] = int(self.us)
        self._settle()

    def _pwm_set(self, number: int) -> None:
        us = self._setting.pop(number)
        for gpio in range(len(self._mcu.gpio)):
            if gpio >> 1 & 7 == number:
                self.moved(gpio, None, us)

    def stop(self) -> None:
        """End the current `run` at the next instruction."""
        self._stop()

    # ------------------------------------------------------------------ terminals

    def level(self, gpio: int) -> int:
        """Return the level at a pin, whatever drives the pin."""
        pin = self._mcu.gpio[gpio]
        if pin.value in (GPIOPinState.HIGH, GPIOPinState.LOW):
            return int(pin.value == GPIOPinState.HIGH)
        return int(pin.input_value)

    def is_pwm(self, gpio: int) -> bool:
        return bool(self._mcu.gpio[gpio].function_select == FUNCTION_PWM)

    def is_i2c(self, gpio: int) -> bool:
        return bool(self._mcu.gpio[gpio].function_select == _FUNCTION_I2C)

    def watch(self, gpio: int, moved: Callable[[int, int], None], released: int = 0) -> None:
        """Call moved(level, us) at each edge of an output. `released` is the level of a pin that
        the program does not drive."""
        driven = {GPIOPinState.LOW: 0, GPIOPinState.HIGH: 1}

        def listener(new: GPIOPinState, old: GPIOPinState) -> None:
            moved(driven.get(new, released), int(self.us))

        self._mcu.gpio[gpio].add_listener(listener)

    def pull(self, gpio: int, part: object, low: bool) -> None:
        """Let a part pull down a wire that has a pull-up resistor, or release it."""
        pulling = self._pulling.setdefault(gpio, set())
        (pulling.add if low else pulling.discard)(id(part))
        self.drive(gpio, 0 if pulling else 1)

    def set_volts(self, gpio: int, volts: float) -> None:
        """Apply a voltage to an ADC pin."""
        value = min(_ADC_TOP, max(0, round(volts / _VOLTS * _ADC_TOP)))
        self._mcu.adc.channel_values[gpio - _FIRST_ADC] = value

    def join_uart(self, line: Any) -> Callable[[int], None]:
        """Connect a parts.UARTLine. Return the function that sends the program a byte."""
        uart = self._mcu.uart[(line.pins[0] + 4 >> 3) & 1]

        def runs() -> bool:
            selected = [self._mcu.gpio[pin].function_select for pin in line.pins]
            close = abs(uart.baud_rate - line.baudrate) < line.baudrate * _BAUD_TOLERANCE
            return close and selected == [_FUNCTION_UART] * 2

        def feed(byte: int) -> None:
            if self._mcu.gpio[line.pins[1]].function_select == _FUNCTION_UART:
                uart.feed_byte(byte if runs() else _GARBLED)

        uart.on_byte = lambda byte: line.takes(byte if runs() else _GARBLED)
        return feed

    def join_spi(self, device: Any) -> None:
        """Connect a parts.SPIDevice to the SPI on its pins."""
        self._spi_devices.append(device)

    def spi_answer(self, miso: int | None, clock: int | None, byte: int) -> int:
        answer = 0xFF  # of a wire that floats, with the pull-up of an SD card
        for device in self._spi_devices:
            sck, _, its_miso, select = device.pins
            if sck == clock and not self.level(select):
                answer = device.swap(byte) if its_miso == miso else device.swap(byte) | 0xFF
        return answer

    def join_i2c(self, device: Any) -> None:
        """Connect a parts.I2CDevice to the bus on its pins, which has pull-up resistors."""
        sda, scl = device.pins
        self._buses[sda >> 1 & 1].devices.append(device)
        if (sda, scl) not in self._wires:
            self._wires[sda, scl] = _Wires(self, sda, scl)
        self._wires[sda, scl].devices.append(device)


class _Bus:
    """One of the two I2C buses. A device is on the bus that the program has put on the device's
    pins."""

    def __init__(self, chip: TerminalChip, name: str, i2c: RPI2C):
        self.devices: list[Any] = []
        self._chip, self._name = chip, name
        self._i2c = i2c
        self._device: Any = None  # that is spoken to
        i2c.on_connect = self._connect
        i2c.on_write_byte = self._write
        i2c.on_read_byte = self._read
        i2c.on_stop = self._stop

    def _connect(self, address: int, mode: I2CMode) -> None:
        self._device = next(filter(partial(self._hears, address), self.devices), None)
        if self._device:
            self._device.started(bool(mode))
        self._i2c.complete_connect(self._device is not None)
        if not self._device:
            self._chip.record(self._name, f"no answer from 0x{address:02x}")
            # The waiting output is flushed. See docs/explanation/emulators.md.
            self._i2c.int_raw |= _TX_EMPTY
            self._i2c.check_interrupts()

    def _hears(self, address: int, device: Any) -> bool:
        wired = [self._chip.is_i2c(pin) for pin in device.pins]
        return device.plugged and device.address == address and all(wired)

    def _write(self, byte: int) -> None:
        if self._device:
            self._device.takes(byte)
        self._i2c.complete_write(True)

    def _stop(self) -> None:
        if self._device:
            self._device.stopped()
        self._i2c.complete_stop()

    def _read(self, acknowledged: bool) -> None:
        self._i2c.complete_read(self._device.sends() if self._device else 0xFF)


class _Wires:
    """The two wires of an I2C bus, for programs that drive the pins directly. MicroPython does so
    in SoftI2C, and for every write without data, such as the writes by `scan`
    (ports/rp2/machine_i2c.c)."""

    def __init__(self, chip: TerminalChip, sda: int, scl: int):
        self.devices: list[Any] = []
        self._chip, self._sda = chip, sda
        self._device: Any = None  # that is spoken to
        self._bits = self._count = 0  # bits of the current byte. The ninth bit acknowledges
        self._sending = self._addressed = False
        for pin in (sda, scl):
            chip.drive(pin, 1)
        self._levels = [1, 1]
        chip.watch(sda, lambda level, us: self._moved(0, sda))
        chip.watch(scl, lambda level, us: self._moved(1, scl))

    def _moved(self, wire: int, pin: int) -> None:
        level = self._chip.level(pin)
        if self._chip.is_i2c(pin) or level == self._levels[wire]:
            return
        self._levels[wire] = level
        if wire == 1:
            (self._rose if level else self._fell)()
        elif self._levels[1] and not self._pulled:
            (self._stop if level else self._start)()

    _pulled = False  # by a device

    def _pull(self, low: bool) -> None:
        self._pulled = low
        self._chip.drive(self._sda, 0 if low else 1)
        self._levels[0] = self._chip.level(self._sda)

    def _start(self) -> None:
        self._bits = self._count = 0
        self._sending = False
        self._addressed = True  # the next byte is an address
        self._device = None

    def _stop(self) -> None:
        if self._device:
            self._device.stopped()
        self._device = None
        self._addressed = self._sending = False

    def _rose(self) -> None:
        if self._count < 8:
            self._bits = self._bits << 1 | self._chip.level(self._sda)
        elif self._sending and self._chip.level(self._sda):
            self._sending = False  # the program wants no more bytes
            if self._device:
                self._device.stopped()
            self._device = None
        self._count += 1

    def _fell(self) -> None:
        if self._count == 8 and not self._sending:
            self._pull(self._took(self._bits & 0xFF))
        elif self._count == 8:
            self._pull(False)
        elif self._count == 9:
            self._bits = self._count = 0
            self._pull(False)
            if self._device and self._reads:
                self._sending = True
                self._out = self._device.sends()
        if self._sending and self._count < 8:
            self._pull(not self._out >> (7 - self._count) & 1)

    def _took(self, byte: int) -> bool:
        """Take a byte. Return True to acknowledge the byte."""
        if self._addressed:
            self._addressed = False
            self._reads = bool(byte & 1)
            called = (d for d in self.devices if d.plugged and d.address == byte >> 1)
            self._device = next(called, None)
            if self._device:
                self._device.started(self._reads)
        elif self._device:
            self._device.takes(byte)
        return self._device is not None
