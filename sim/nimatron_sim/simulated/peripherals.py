"""The simulated chip's PIO, DMA and registers: enough to refresh a display forever, to check the
refresh, and to stop it.

These classes store the state of the hardware. The firmware's Python objects are only handles to it
(mirror/rp2.py).
"""

from nimatron_sim.simulated import chip_registers
from pico_testbench.faults import NotModelled

_CHANNELS = 12
_FIFO = 4  # the words in a FIFO


class Channel:
    """A DMA channel. `read`, `write`, `count` and `ctrl` are its settings. `frame` contains the
    bytes that the channel sends to a FIFO in an endless loop, or b"" while it sends nothing."""

    def __init__(self, number):
        self.number = number
        self.read = self.write = self.count = 0
        self.ctrl = None
        self.frame = b""
        self.rewound_by = None  # the channel that restarts it at the end of the frame
        self.sent = 0  # words, until `since`
        self.since = 0  # ns


class Dma:
    """The claimed DMA channels, by number."""

    def __init__(self, chip):
        self.channels = [None] * _CHANNELS
        self._chip = chip

    def claim(self):
        for number in range(_CHANNELS):
            if self.channels[number] is None:
                channel = self.channels[number] = Channel(number)
                return channel
        raise OSError(16)  # EBUSY

    def close(self, channel):
        """Disable, abort and unclaim an unused channel."""
        if self.channels[channel.number] is channel:
            self.channels[channel.number] = None
            self.abort(channel)
            for other in self.channels:
                if other and other.rewound_by is channel:
                    self.abort(other)  # no channel would start its next frame

    def abort(self, channel):
        channel.sent = self.sent(channel)
        channel.frame = b""
        self._chip.scanned_otherwise()

    def start(self, channel, frame, rewound_by):
        """Send the frame forever."""
        channel.frame = frame
        channel.rewound_by = rewound_by
        channel.sent = 0
        channel.since = self._chip.clock.now * 1000
        self._chip.scanned_otherwise()

    def feeding(self, fifo):
        """Return the channel that sends to this FIFO, or None."""
        for channel in self.channels:
            if channel and channel.frame and channel.write == fifo:
                return channel
        return None

    def sent(self, channel):
        """Return the number of words that the channel has sent. In this simulation the words leave
        the channel evenly. A real channel sends a row's words at once, as soon as its FIFO has
        room."""
        display = self._chip.display
        now = self._chip.clock.now * 1000
        if channel.frame and display and display.fifo == channel.write:
            pace = display.pace(channel.frame)
            if pace:
                return channel.sent + int((now - channel.since) / pace)
        return channel.sent

    def channel_at(self, address):
        """Return the channel whose READ_ADDR is at this address, or None."""
        number, rest = divmod(address - chip_registers.DMA_READ_ADDR, chip_registers.DMA_CHANNEL)
        if not rest and 0 <= number < _CHANNELS:
            return self.channels[number] or Channel(number)
        return None

    def read_address(self, channel):
        if not channel.count:
            return 0
        return channel.read + 4 * (self.sent(channel) % channel.count)

    def rewinds(self, address):
        """Return the channel that starts when its read address is written at this address."""
        number, rest = divmod(address - chip_registers.DMA_READ_ADDR, chip_registers.DMA_CHANNEL)
        if number < 0 or rest != chip_registers.DMA_READ_ADDR_TRIG:
            raise NotModelled("the simulated DMA cannot write to 0x%08x" % address)
        return self.channels[number]


class PioMachine:
    """A state machine of PIO 0 that runs a display's program. `run(words)` takes the words of one
    turn and returns [(levels, cycles)]. `turn` is the number of these words."""

    def __init__(self, chip, number, divider, turn, run):
        self._chip = chip
        self.number = number
        self.fifo = chip_registers.PIO_TXF0 + 4 * number
        self.divider = divider  # in 1/256, from bit 8
        self.control = 0  # EXECCTRL
        self._turn = 4 * turn  # bytes
        self._run = run
        self.enabled = False
        self.turns = {}  # the bytes of a turn: the result of `run`, and its total cycles
        self._levels = 0  # at its pins while it is not enabled
        self._since = 0  # ns: when it began to take a frame

    def enable(self, on):
        """Start or stop the machine. A stopped machine keeps its pins' levels, so a row may stay
        lit."""
        if on != self.enabled:
            if not on:
                self._levels = self._levels_now()
            self.enabled = on
            self._since = self._chip.clock.now * 1000
            self._chip.scanned_otherwise()

    def pace(self, frame):
        """Return the time in ns between two words from this frame, or 0 while the machine takes no
        words. All turns are assumed to be as long as the first."""
        turn = bytes(frame[: self._turn])
        return self.enabled and self._ran(turn)[1] * self._cycle() / (self._turn // 4)

    def state(self):
        """Return the state behind the picture: the received words, as bytes, and a number."""
        if not self.enabled:
            return self._levels.to_bytes(4, "little"), -1
        channel = self._chip.dma.feeding(self.fifo)
        return channel.frame if channel else b"", self.divider

    def frame(self):
        """Return [(levels, ns)] from the first word of a frame to its last word."""
        if not self.enabled:
            return [(self._levels, 1)]
        channel = self._chip.dma.feeding(self.fifo)
        if not channel:
            return [(self._segments(bytes(self._turn))[-1][0], 1)]  # it waits for its next word
        segments = []
        for turn in self._turns_of(bytes(channel.frame)):
            segments += self._segments(turn)
        return segments

    def _turns_of(self, frame):
        """Return the bytes of each turn of a frame."""
        if len(frame) % self._turn:
            raise NotModelled("a frame does not end where the program begins")
        return [frame[at : at + self._turn] for at in range(0, len(frame), self._turn)]

    def _segments(self, turn):
        """Return [(levels, ns)] for the bytes of a turn."""
        cycle = self._cycle()
        return [(levels, cycles * cycle) for levels, cycles in self._ran(turn)[0]]

    def _ran(self, turn):
        """Return [(levels, cycles)] for the bytes of a turn, and the sum of the cycles."""
        ran = self.turns.get(turn)
        if not ran:
            words = [int.from_bytes(turn[at : at + 4], "little") for at in range(0, len(turn), 4)]
            segments = self._run(words)
            ran = self.turns[turn] = segments, sum([cycles for _, cycles in segments])
        return ran

    def _cycle(self):
        """Return the length of a cycle in ns."""
        return 1e9 / self._chip.board.hertz * (self.divider >> 8) / 256

    def _levels_now(self):
        segments = self.frame()
        period = sum([ns for _, ns in segments])
        left = (self._chip.clock.now * 1000 - self._since) % period
        for levels, lasts in segments:
            left -= lasts
            if left < 0:
                return levels
        return levels  # a rounding error later


class Asked:
    """A state machine of PIO 0 that answers the CPU: it takes words, and answers each time it has
    enough of them. `run(words, pin)` returns the answer and the time in ns that it took, or None
    if it needs more words. Its jumps depend on `pin`. It stores its results in `turns`."""

    divider = 0  # it runs as fast as the chip

    def __init__(self, chip, number, turns, run):
        self._chip = chip
        self.number = number
        self.turns = turns
        self.enabled = False
        self.control = 0  # EXECCTRL
        self._run = run
        self._words = []
        self._answers = []  # (the moment in us, the word)

    def enable(self, on):
        self.enabled = on
        self._go()

    def put(self, word):
        """Add a word to its FIFO."""
        self._words.append(word)
        if len(self._words) > _FIFO:
            raise NotModelled("a CPU that waits for a FIFO with room")
        self._go()

    def _go(self):
        done = self.enabled and self._run(
            self._words, self.control >> chip_registers.PIO_JMP_PIN & 31
        )
        if done:
            answer, ns = done
            self._words.clear()
            self._answers.append((self._chip.clock.now + int(ns / 1000) + 1, answer))

    def answered(self):
        """Return the number of answers in the FIFO."""
        return sum([at <= self._chip.clock.now for at, _ in self._answers])

    def get(self):
        """Return the first answer in the FIFO."""
        if not self.answered():
            raise NotModelled("a CPU that waits for an answer of the PIO")
        return self._answers.pop(0)[1]


class Registers:
    """The chip's memory-mapped registers, by address. Registers of another chip do not exist."""

    def __init__(self, chip, watchdog):
        self._chip = chip
        self._control = watchdog + chip_registers.WATCHDOG_CTRL
        self.reason = watchdog + chip_registers.WATCHDOG_REASON
        self._edges = chip_registers.IO_INTR0[chip.board.chip]
        self._watchdog = chip.host.scratch
        for address in [self.reason] + [watchdog + at for at in chip_registers.WATCHDOG_SCRATCH]:
            self._watchdog.setdefault(address, 0)  # now, for a dict that grows takes memory

    def __getitem__(self, address):
        chip = self._chip
        if address in self._watchdog:
            return self._watchdog[address]
        channel = chip.dma.channel_at(address)
        if channel:
            return chip.dma.read_address(channel)
        if address == chip_registers.USB_SOF_RD:
            return chip.usb.frame_number
        if address == self._control:
            return chip_registers.WATCHDOG_ENABLE if chip.watchdog else 0
        if address == chip_registers.PIO_CTRL:
            return sum([m.enabled << m.number for m in chip.machines.values()])
        if address == chip_registers.DMA_ABORT:
            return 0  # all have been aborted
        machine = self._machine_at(address, chip_registers.PIO_CLKDIV0)
        if machine:
            return machine.divider
        machine = self._machine_at(address, chip_registers.PIO_EXECCTRL0)
        if machine:
            return machine.control
        first = self._first_pad(address)
        if first is not None:
            moving = chip.moving() >> first
            both = chip_registers.IO_EDGE_LOW | chip_registers.IO_EDGE_HIGH
            return sum([both << 4 * n for n in range(8) if moving >> n & 1])
        raise self._unknown(address)

    def __setitem__(self, address, value):
        chip, value = self._chip, value & 0xFFFFFFFF
        if address in self._watchdog:  # first, because a restart must work without memory
            self._watchdog[address] = value
            return
        machine = self._machine_at(address, chip_registers.PIO_CLKDIV0)
        executes = self._machine_at(address, chip_registers.PIO_EXECCTRL0)
        if machine:
            if machine.divider != value:
                machine.divider = value
                chip.scanned_otherwise()
        elif address == self._control and not value:
            chip.watchdog = None
        elif executes:
            executes.control = value
        elif address == chip_registers.PIO_IRQ:
            pass  # a measurement is never interrupted here
        elif address == chip_registers.PIO_CTRL and value < 1 << 4:
            for machine in chip.machines.values():
                machine.enable(bool(value >> machine.number & 1))
        elif address == chip_registers.DMA_ABORT:
            for channel in chip.dma.channels:
                if channel and value >> channel.number & 1:
                    chip.dma.abort(channel)
        elif self._first_pad(address) is None:
            raise self._unknown(address)

    def _machine_at(self, address, first):
        """Return the state machine that has a register at this address, or None. `first` is the
        address of that register for state machine 0."""
        number, rest = divmod(address - first, chip_registers.PIO_CLKDIV_STEP)
        return None if rest else self._chip.machines.get(number)

    def _first_pad(self, address):
        """Return the first of the eight pads whose edges are at this address, or None. Only a
        display's pads are modelled. These pads move all the time or not at all, so a write that
        clears their edges has no effect."""
        word, rest = divmod(address - self._edges, 4)
        return 8 * word if not rest and 0 <= word < 4 else None

    def _unknown(self, address):
        return NotModelled(
            "the simulated %s has no register at 0x%08x" % (self._chip.board.chip, address)
        )
