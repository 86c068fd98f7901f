"""A matrix of lamps that one PIO state machine and two DMA channels refresh forever.

The CPU only writes the frame, which contains a word for each row. One channel sends the words to
the state machine whenever the FIFO has room. The other channel rewinds the first channel. Only the
state machine keeps the time, so the lamps stay right while flash is written, garbage is collected
or a traceback is printed.

The brightness depends on the number of dark cycles that follow the lit cycles of a row. With more
dark cycles, the state machine runs faster, so that the number of frames per second stays the same.
"""

import array
import sys
import time

import machine
import rp2
import uctypes
from machine import mem32
from micropython import const

from nimatron import board
from nimatron.devices import pins, registers, restart

_WIDTH = board.ROWS + board.LAMPS  # pins, from the first row to the last column
_TIME = 32 - 2 * _WIDTH  # bits for the dark time in each word
_HALF = const(16)  # bits in half a word. Two small integers take no memory, but a whole word may
_ROWS_HZ = const(10_000)  # rows per second: 2500 frames
_CYCLES = const(50)  # cycles per row at full brightness. The row is lit for 44 of them
_LOOKS = const(5)
_LOOK_US = const(150)  # enough time to send a word. In all looks, each row is switched on


@rp2.asm_pio(out_init=(rp2.PIO.OUT_LOW,) * _WIDTH, out_shiftdir=rp2.PIO.SHIFT_RIGHT)
def matrix(width=_WIDTH, bits=_TIME):  # defaults, because assembly has no globals
    """Light one row per word. A word contains the pin levels twice: first the columns only, then
    the columns and their row. The number of extra dark cycles follows."""
    pull(block)  # 1 cycle: without data, it waits here in the dark
    out(pins, width)  # 1: the columns settle
    out(pins, width)[31]  # 32: the row is on
    nop()[11]  # 12
    mov(pins, null)  # 1: all dark, no ghost of this row in the next row
    out(x, bits)  # 1
    wait(0, irq, 4)  # 1, unless a column is being measured: see probe.py
    label("dark")
    jmp(x_dec, "dark")  # 1 and x


class Lamps:
    wired = True

    def __init__(self, settings):
        self._settings = settings
        self._brightness = None  # the brightness of the current picture
        self._clock = machine.freq() // _ROWS_HZ
        self._frame = array.array("H", [0] * 2 * board.ROWS)
        self._rewound = array.array("I", [uctypes.addressof(self._frame)])
        if not (restart.in_sram(self._frame) and restart.in_sram(self._rewound)):
            raise RuntimeError("the lamps' frame is not in the SRAM: the heap is in PSRAM")
        mem32[registers.PIO_IRQ] = 1 << 4  # an interrupted measurement may have left it set
        first = machine.Pin(pins.ROWS[0])
        self._machine = rp2.StateMachine(0, matrix, freq=_ROWS_HZ * _CYCLES, out_base=first)
        self.show([0] * board.ROWS)
        send = rp2.DMA()
        rewind = rp2.DMA()
        send.config(
            read=self._frame,
            write=registers.PIO_TXF0,
            count=board.ROWS,
            ctrl=send.pack_ctrl(
                inc_write=False, treq_sel=registers.TREQ_PIO_TX0, chain_to=rewind.channel
            ),
        )
        # The address of the next word to send.
        self._sent = registers.DMA_READ_ADDR + send.channel * registers.DMA_CHANNEL
        rewind.config(
            read=self._rewound,
            write=self._sent + registers.DMA_READ_ADDR_TRIG,
            count=1,
            ctrl=rewind.pack_ctrl(inc_read=False, inc_write=False),
            trigger=True,
        )
        self._channels = send, rewind  # MicroPython 1.27 or newer stops a collected channel
        self._machine.active(1)
        self._was_sent = None
        self.still = ()  # rows whose pads do not move
        self.frames = "unknown"  # until a check has found moving pads
        edges = registers.find(sys.implementation._machine)[2]
        self._edges = [(edges + gpio // 8 * 4, gpio % 8 * 4) for gpio in pins.ROWS]

    def check(self):
        """Raise RuntimeError if no words are sent, or if all pads have stopped changing. Pads that
        never change are not an error, because some emulators do not connect outputs to inputs."""
        for _ in range(_LOOKS):
            if mem32[self._sent] != self._was_sent:
                break
            time.sleep_us(_LOOK_US)  # one check in four finds the same word as before
        else:
            raise RuntimeError("the lamps have stopped: no rows are sent")
        self._was_sent = mem32[self._sent]
        still = list(range(board.ROWS))
        for _ in range(_LOOKS):  # a button's interrupt may just have cleared the edges of all pins
            still = [row for row in still if not self._has_risen(row)]
            if not still:
                break
            time.sleep_us(_LOOK_US)
        self.still = tuple(still)
        if len(still) < board.ROWS:
            self.frames = "alive"
        elif self.frames == "alive":
            raise RuntimeError("the lamps have stopped: no pin moves")

    def _has_risen(self, row):
        """Return True if the level at the row's pad has risen since the last call."""
        address, shift = self._edges[row]
        rose = registers.IO_EDGE_HIGH << shift
        seen = mem32[address] & rose
        mem32[address] = rose
        return seen

    def show(self, masks):
        if self._brightness != self._settings.brightness:
            self._dim()
        frame, dark = self._frame, self._dark
        rows, width = board.ROWS, _WIDTH  # a press waits for each look-up
        for row in range(rows):
            columns = masks[row] << rows
            both = columns | (columns | 1 << row) << width
            frame[2 * row] = both & 0xFFFF
            frame[2 * row + 1] = both >> _HALF | dark

    def _dim(self):
        self._brightness = self._settings.brightness
        dark = min(100 * _CYCLES // self._brightness - _CYCLES, (1 << _TIME) - 1)
        mem32[registers.PIO_CLKDIV0] = self._clock * 256 // (_CYCLES + dark) << 8
        self._dark = dark << 2 * _WIDTH - _HALF
