"""The simulated chip's PIO, DMA and registers: enough to refresh a display for ever, to check that
it still does, and to stop it.

This is the state of the hardware. No Python object of the firmware owns it: those are only handles
(mirror/rp2.py).
"""

from nimatron.devices import registers
from nimatron_sim.simulated.unreal import NotModelled

CYCLE = 8  # ns, of the system clock

# Registers that the firmware does not use, from the RP2040 datasheet: 2.5.7 (DMA), 3.7 (PIO).
ABORT = registers.DMA_READ_ADDR + 0x444  # a bit for each channel
PIO_CTRL = registers.PIO_FSTAT - 4  # bits 0 to 3: which state machines are enabled
_TXEMPTY = registers.PIO_TXFULL << 8
_NONE_FULL = 0x0F000F00  # FSTAT while all eight FIFOs are empty
_CHANNELS = 12
_DEPTH = 4  # words
_CLKDIV_STEP = 0x18  # from one state machine to the next
_WATCHDOG = (registers.WATCHDOG_REASON,) + registers.WATCHDOG_SCRATCH


class Channel:
    """A DMA channel. `read`, `write`, `count` and `ctrl` are as configured; `frame` is what it
    sends to a FIFO again and again, as bytes, b"" while it sends nothing."""

    def __init__(self, number):
        self.number = number
        self.read = self.write = self.count = 0
        self.ctrl = None
        self.frame = b""
        self.rewound_by = None  # the channel that starts it again at the end of the frame
        self.sent = 0  # words, until `since`
        self.since = 0  # ns


class Dma:
    """The claimed channels, by number, and the timer that paces them."""

    def __init__(self, chip):
        self.channels = [None] * _CHANNELS
        self.timer = 0
        self._chip = chip

    def claim(self):
        for number in range(_CHANNELS):
            if self.channels[number] is None:
                channel = self.channels[number] = Channel(number)
                return channel
        raise OSError(16)  # EBUSY

    def close(self, channel):
        """Disable, abort and unclaim a channel that is no longer wanted."""
        if self.channels[channel.number] is channel:
            self.channels[channel.number] = None
            self.abort(channel)
            for other in self.channels:
                if other and other.rewound_by is channel:
                    self.abort(other)  # nothing starts its next frame

    def abort(self, channel):
        self._settle()
        channel.frame = b""
        self._chip.scanned_otherwise()

    def start(self, channel, frame, rewound_by):
        """Send the frame for ever."""
        channel.frame = frame
        channel.rewound_by = rewound_by
        channel.sent = 0
        channel.since = self._chip.clock.now * 1000
        self._chip.scanned_otherwise()

    @property
    def beat(self):
        """The time between two requests of the timer, in ns; 0 if it makes none."""
        numerator = self.timer >> 16
        return CYCLE * (self.timer & 0xFFFF) / numerator if numerator else 0

    def set_timer(self, value):
        if value != self.timer:
            self._settle()
            self.timer = value
            self._chip.scanned_otherwise()

    def feeding(self, fifo):
        """The channel that sends to this FIFO, or None."""
        for channel in self.channels:
            if channel and channel.frame and channel.write == fifo and self.beat:
                return channel
        return None

    def sent(self, channel):
        """How many words a channel has sent, and how many ns ago the last one."""
        beat = self.beat
        if not channel.frame or not beat:
            return channel.sent, 0
        ns = self._chip.clock.now * 1000 - channel.since
        words = int(ns / beat)
        return channel.sent + words, ns - words * beat

    def _settle(self):
        """Count what was sent so far, because the pace may change now."""
        for channel in self.channels:
            if channel:
                channel.sent, _ = self.sent(channel)
                channel.since = self._chip.clock.now * 1000

    def channel_at(self, address):
        """The channel whose READ_ADDR is at this address; None if there is none."""
        number, rest = divmod(address - registers.DMA_READ_ADDR, registers.DMA_CHANNEL)
        if not rest and 0 <= number < _CHANNELS:
            return self.channels[number] or Channel(number)
        return None

    def read_address(self, channel):
        if not channel.count:
            return 0
        words, _ = self.sent(channel)
        return channel.read + 4 * (words % channel.count)

    def rewinds(self, address):
        """The channel that a write to this address starts, after setting its read address."""
        number, rest = divmod(address - registers.DMA_READ_ADDR, registers.DMA_CHANNEL)
        if number < 0 or rest != registers.DMA_READ_ADDR_TRIG:
            raise NotModelled("the simulated DMA cannot write to 0x%08x" % address)
        return self.channels[number]


class Machine:
    """A state machine of PIO 0 with a display's program. `run(word)` gives [(levels, cycles)] for
    a word, from pull to pull."""

    def __init__(self, chip, number, divider, run):
        self._chip = chip
        self.number = number
        self.fifo = registers.PIO_TXF0 + 4 * number
        self.divider = divider  # in 1/256, from bit 8
        self.run = run
        self.enabled = False
        self.words = {}  # word: the result of `run`
        self._levels = 0  # at its pins while it is not enabled
        self._taken = 0  # how many words its channel had sent when it stopped

    def enable(self, on):
        """Start or stop it. When it stops, its pins keep their levels: a row may stay lit."""
        if on != self.enabled:
            if not on:
                self._levels = self._levels_now()
                self._taken = self._sent()
            self.enabled = on
            self._chip.scanned_otherwise()

    @property
    def clogged(self):
        """True if it has stopped and its FIFO is full; its channel's words are then lost."""
        return not self.enabled and self._sent() - self._taken >= _DEPTH

    def _sent(self):
        channel = self._chip.dma.feeding(self.fifo)
        return self._chip.dma.sent(channel)[0] if channel else 0

    def state(self):
        """The two values that decide all that it shows: the words it gets, as bytes, and a
        number."""
        if not self.enabled:
            return self._levels.to_bytes(4, "little"), -1
        channel = self._chip.dma.feeding(self.fifo)
        return channel.frame if channel else b"", self.divider

    def frame(self):
        """[(levels, ns)] from the first word of a frame to the last."""
        if not self.enabled:
            return [(self._levels, 1)]
        channel = self._chip.dma.feeding(self.fifo)
        if not channel:
            return [(self.run(0)[-1][0], 1)]  # waiting at its pull, with the levels there
        segments = []
        for at in range(0, len(channel.frame), 4):
            segments += self._segments(channel.frame[at : at + 4])
        return segments

    def _segments(self, word):
        """[(levels, ns)] of a word until the next one comes."""
        word = int.from_bytes(bytes(word), "little")
        if word not in self.words:
            self.words[word] = self.run(word)
        cycle = CYCLE * (self.divider >> 8) / 256
        segments = [(levels, cycles * cycle) for levels, cycles in self.words[word]]
        left = self._chip.dma.beat - sum([ns for _, ns in segments])
        if left < 0:
            raise NotModelled("the display is slower than its beat: rows would be lost")
        segments.append((segments[-1][0], left))
        return segments

    def _levels_now(self):
        channel = self._chip.dma.feeding(self.fifo)
        if not channel:
            return self.run(0)[-1][0]
        words, ns = self._chip.dma.sent(channel)
        at = 4 * (words % (len(channel.frame) // 4))
        for levels, lasts in self._segments(channel.frame[at : at + 4]):
            ns -= lasts
            if ns < 0:
                return levels
        return levels  # a rounding error later


class Registers:
    """The chip's memory-mapped registers, by address, for reading and writing."""

    def __init__(self, chip):
        self._chip = chip
        for address in _WATCHDOG:
            chip.host.scratch.setdefault(address, 0)  # now: growing a dict later takes memory

    def __getitem__(self, address):
        chip = self._chip
        if address in _WATCHDOG:
            return chip.host.scratch[address]
        if address == registers.DMA_TIMER0:
            return chip.dma.timer
        if address == PIO_CTRL:
            return sum([m.enabled << m.number for m in chip.machines.values()])
        if address == registers.PIO_FSTAT:
            full = [machine.number for machine in chip.machines.values() if machine.clogged]
            return _NONE_FULL + sum(
                [(registers.PIO_TXFULL - _TXEMPTY) << number for number in full]
            )
        if address == registers.USB_SOF_RD:
            return chip.usb.frame_number
        if address == ABORT:
            return 0  # all are aborted
        machine = self._divided(address)
        if machine:
            return machine.divider
        channel = chip.dma.channel_at(address)
        if channel:
            return chip.dma.read_address(channel)
        raise self._unknown(address)

    def __setitem__(self, address, value):
        chip, value = self._chip, value & 0xFFFFFFFF
        if address in _WATCHDOG:  # first: a restart must work even with no memory left
            chip.host.scratch[address] = value
            return
        machine = self._divided(address)
        if machine:
            if machine.divider != value:
                machine.divider = value
                chip.scanned_otherwise()
        elif address == registers.DMA_TIMER0:
            chip.dma.set_timer(value)
        elif address == PIO_CTRL and value < 1 << 4:
            for machine in chip.machines.values():
                machine.enable(bool(value >> machine.number & 1))
        elif address == ABORT:
            for channel in chip.dma.channels:
                if channel and value >> channel.number & 1:
                    chip.dma.abort(channel)
        else:
            raise self._unknown(address)

    def _divided(self, address):
        """The state machine whose clock divider is at this address."""
        number, rest = divmod(address - registers.PIO_CLKDIV0, _CLKDIV_STEP)
        return None if rest else self._chip.machines.get(number)

    def _unknown(self, address):
        return NotModelled("the simulated chip has no register at 0x%08x" % address)
