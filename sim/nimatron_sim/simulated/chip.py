"""The simulated RP2040 or RP2350 from power-up to reset: its pads, interrupts, PIO, DMA and serial
line. The mirror (the modules that the firmware imports) uses the chip from inside, and the circuit
uses it from outside.
"""

import sys

from nimatron_sim.simulated.chip_registers import WATCHDOG
from nimatron_sim.simulated.peripherals import Dma, Registers
from nimatron_sim.simulated.usb import Usb
from pico_testbench.faults import Fault, NotModelled, PinConflict  # noqa: F401
from pico_testbench.models import CAUSE_POWER_ON

PADS = 31  # the last pad belongs to the radio
BOOT_MS = 200  # from power-on or reset to the first line of main.py

# The tick counter of a Pico wraps after 12.4 days. Here it starts half a minute before that, to
# reveal code that compares ticks without ticks_diff.
TICKS = 1 << 30
FIRST_TICK = TICKS - 30_000

IN, OUT, PWM, PIO, SPI = "input", "output", "PWM output", "PIO output", "SPI"


class Pad:
    """One GPIO pad. An unclaimed pad has the `function` None."""

    def __init__(self, gpio):
        self.gpio = gpio
        self.function = None
        self.user = None
        self.out = 0
        self.pull = 0  # +1 for a pull-up, -1 for a pull-down
        self.hertz = 0
        self.duty = 0  # out of 65536
        self.dims = False  # True if the duty decides the brightness of the display
        self.level = 0  # as last seen by the edge detector. An open input without a pull keeps it
        self.pin = None  # the Pin to pass to its interrupt handlers
        self.rising = self.falling = None
        self.latched = False  # an edge has come while interrupts were off


class SimulatedChip:
    """The chip. `circuit` is the circuit at the pads, and `cause` is one of CAUSE_….

    `host` provides services of the Python that runs the simulation. reset(cause) does not return.
    entropy(n) returns n random bytes. view(buffer) gives access to the bytes of a buffer.
    weak(thing) returns a weak reference, if this Python supports them. `host` also keeps
    everything that survives a reset: `files`, the watchdog's registers by address in `scratch`,
    and the buffers in SRAM in `memory`.
    """

    def __init__(self, clock, circuit, cause, host):
        self.clock = clock
        self.idle = clock.wait  # called between two turns of asyncio's tasks
        self.circuit = circuit
        self.board = host.board
        self.cause = cause
        self.host = host
        self.booted_at = clock.now
        self.alive = True
        self.pads = [Pad(gpio) for gpio in range(PADS)]
        self.changes = 0  # the number of output changes, except those of PWM outputs
        self.tones = 0  # the number of changes to PWM outputs
        self.steady = 0  # the outputs that are high, as a mask, except PIO outputs
        self.dma = Dma(self)
        self.machines = {}  # the state machines of PIO 0 in use, by number
        self.display = None  # the state machine that drives pads
        self.frame, self.speed = b"", 0  # the display's state, which decides the whole picture
        self.registers = Registers(self, WATCHDOG[host.board.chip])
        self.received = bytearray()  # bytes from the host, not yet read by the firmware
        self.interrupt_key = 3  # Ctrl-C, or -1 for none
        self.interrupted = False  # True if the host has sent the interrupt key
        self.timers = []  # the alarms of machine.Timer
        self.watchdog = None  # the running WDT, or None
        self._masked = None  # while interrupts are off: the pending ones, as functions
        self.sent = []  # pieces from the firmware, text or bytes, not yet looked at
        self.usb = Usb(self)
        circuit.chip = self
        if cause == CAUSE_POWER_ON:
            circuit.power_up()

    # ------------------------------------------------------------------ time

    def ms(self):
        """Return the number of milliseconds since this boot."""
        return (self.clock.now - self.booted_at) // 1000

    def call_in(self, us, ring):
        """Set an alarm that rings in `us` from now, unless the chip is reset before then."""
        return self.clock.call_at(self.clock.now + us, lambda: self.alive and ring())

    def interrupt(self, serve):
        """Call serve(), when interrupts are on."""
        if self._masked is None:
            serve()
        else:
            self._masked.append(serve)

    def stall(self, us):
        """Halt the CPU and its interrupts for `us`, as a flash erase does. Several edges at a pin
        then cause one late interrupt."""
        self._masked = []
        end = self.clock.now + us
        while self.clock.now < end:
            self.clock.wait(end)
        waiting, self._masked = self._masked, None
        for serve in waiting:
            serve()
        for pad in self.pads:
            if pad.latched:
                pad.latched = False
                self._serve(pad, pad.rising or pad.falling)

    def soft_reset(self):
        """Apply MicroPython's soft reset to the hardware (ports/rp2/main.c). Everything else, such
        as output levels and the watchdog with its registers, stays as it is."""
        for machine in self.machines.values():
            machine.enable(False)
        for channel in self.dma.channels:
            if channel:
                self.dma.close(channel)  # from 1.27 on
        for alarm in self.timers:
            self.clock.cancel(alarm)
        self.timers = []
        for pad in self.pads:
            pad.user = pad.pin = pad.rising = pad.falling = None
            pad.latched = False
            if pad.function == PWM:
                pad.duty = 65535 if pad.duty > 32767 else 0  # it stops where it is
        self.changes += 1
        self.tones += 1
        self.interrupt_key = -1
        self.interrupted = False

    def wait(self, until):
        """Let the CPU idle and serve only interrupts (see Clock.wait). Raises KeyboardInterrupt if
        the host has sent the interrupt key."""
        self.clock.wait(until)
        if self.interrupted:
            self.heed_interrupt()

    def heed_interrupt(self):
        self.interrupted = False
        raise KeyboardInterrupt

    def sleep(self, us):
        """Let the CPU idle for `us` and serve only interrupts."""
        end = self.clock.now + us
        while self.clock.now < end:
            self.wait(end)

    def work(self, what):
        """Keep the CPU at work for the time that the host allots to `what`."""
        if self.host.takes_us:
            self.sleep(self.host.takes_us(what))

    # ------------------------------------------------------------------ pads

    def claim(self, gpio, function, previous=None):
        """Give the pad a function. Return its user. Raises PinConflict, which names both users, if
        the pad has a user other than `previous`."""
        if not 0 <= gpio < PADS:
            raise ValueError("there is no GP%d" % gpio)
        pad = self.pads[gpio]
        user = "%s in %s" % (function, _caller())
        if pad.user and pad.user != previous:
            raise PinConflict("GP%d is in use as %s, not free as %s" % (gpio, pad.user, user))
        if PWM in (pad.function, function):
            self.tones += 1
            pad.dims = gpio in self.circuit.display.dimmed_by
        pad.function = function
        pad.user = user
        self._output_moved(pad, pad.out if function == OUT else 0)
        return user

    def drive(self, gpio, level):
        """Set the level of an output."""
        pad = self.pads[gpio]
        if pad.function != OUT:
            raise PinConflict("GP%d is %s, it cannot be driven" % (gpio, pad.user or "unused"))
        if pad.out != level:
            pad.out = level
            self._output_moved(pad, level)

    def _output_moved(self, pad, level):
        """Handle a change of a pad. `level` is its level as an output, or 0 for an input."""
        gpio, circuit, display = pad.gpio, self.circuit, self.circuit.display
        self.changes += 1
        if self.steady >> gpio & 1 != level:
            self.steady ^= 1 << gpio
            if gpio in display.watching:
                self.changes += display.edge(gpio, level, self.clock.now * 1000)
        if pad.function != OUT or pad.rising or pad.falling or gpio in circuit.closed:
            self.moved(gpio)
        else:
            pad.level = level

    def send(self, piece, ns):
        """Show the circuit a piece (see displays.py) that a peripheral sends, starting at `ns`."""
        if piece.sent and self.circuit.display.see(piece, ns):
            self.changes += 1

    def scanned_otherwise(self):
        """Record a change to the display's state machine or DMA."""
        self.changes += 1
        if self.display:
            self.frame, self.speed = self.display.state()

    def read(self, gpio):
        """Return the level at the pad, whatever drives the pad."""
        pad = self.pads[gpio]
        if pad.function != OUT:
            return pad.level
        closed = self.circuit.closed
        if pad.out and gpio in closed:
            raise PinConflict("GP%d, %s, is shorted by %s" % (gpio, pad.user, closed[gpio]))
        wires = self.circuit.wires
        return int(wires.reads(gpio, pad.out)) if wires else pad.out

    def moved(self, gpio):
        """Check the pad for an edge. The chip or its surroundings may have changed the level."""
        pad = self.pads[gpio]
        if pad.function == OUT:
            level = self.read(gpio)
        elif gpio in self.circuit.closed:
            level = 0
        elif gpio in self.circuit.raised:
            level = 1
        elif pad.pull:
            level = 1 if pad.pull > 0 else 0
        else:
            return  # it floats, and keeps its level
        self.arrived(pad, level)

    def arrived(self, pad, level):
        """Store the current level of a pad, and serve its interrupt."""
        if level != pad.level:
            pad.level = level
            handler = pad.rising if level else pad.falling
            if handler and self._masked is None:
                self._serve(pad, handler)
            elif handler:
                pad.latched = True

    def _serve(self, pad, handler):
        """Serve the interrupt of a pin."""
        try:
            handler(pad.pin)
        except Exception as failure:  # no other code would see it
            self.usb.put(self.host.traceback(failure).encode())

    # ------------------------------------------------------------------ serial line

    def receive(self, data):
        """Take bytes from the host."""
        if not self.usb.hears:
            return
        if self.interrupt_key >= 0 and self.interrupt_key in data:
            self.interrupted = True
            data = data.replace(bytes([self.interrupt_key]), b"")
        self.received += data
        self.clock.stirs += 1

    def take_sent(self):
        """Return the bytes from the firmware since the last call."""
        try:
            sent = "".join(self.sent).encode()
        except TypeError:  # some of it is bytes
            sent = b"".join([p if isinstance(p, bytes) else p.encode() for p in self.sent])
        self.sent.clear()
        return sent

    # ------------------------------------------------------------------ looking at it

    def driven(self):
        """Return the pads over one frame: [(levels of all pads as a mask, ns), …]. If no display
        is being scanned, the list has a single entry of 1 ns."""
        if not self.display:
            return [(self.steady, 1)]
        return [(self.steady | levels, ns) for levels, ns in self.display.frame()]

    def moving(self):
        """Return the pads that the display keeps moving, as a mask."""
        if not self.display:
            return 0
        ever, always = 0, -1
        for levels, _ in self.display.frame():
            ever, always = ever | levels, always & levels
        moves, wires = ever & ~always, self.circuit.wires
        for pad in self.pads:
            if pad.function != PIO or (wires and not wires.reads_back(pad.gpio)):
                moves &= ~(1 << pad.gpio)
        return moves

    def tone(self, gpio):
        """Return the frequency of a PWM output in Hz, or 0 if the output is silent."""
        pad = self.pads[gpio]
        return pad.hertz if 0 < pad.duty < 65535 and pad.function == PWM else 0

    def share(self, gpio):
        """Return the fraction of the time for which a pad is driven high, or None for an input."""
        pad = self.pads[gpio]
        if pad.function == PWM:
            return pad.duty / 65535
        return float(pad.out) if pad.function == OUT else None


def _caller():
    """Return the file and line that are running outside the mirror, if available."""
    if not hasattr(sys, "_getframe"):
        return "the firmware"
    frame = sys._getframe(1)
    while "/nimatron_sim/simulated/" in frame.f_code.co_filename.replace("\\", "/"):
        frame = frame.f_back
    return "%s:%d" % (frame.f_code.co_filename.replace("\\", "/").split("/")[-1], frame.f_lineno)
