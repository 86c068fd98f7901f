"""A matrix of lamps that one PIO state machine and two DMA channels refresh for ever.

The CPU only writes the frame, one word per row. One channel sends the words to the state machine,
one at each beat of a DMA timer; the other rewinds it. So the lamps stay right while flash is
written, memory collected or a traceback printed, for as long as there is power.

Between two beats the state machine lights one row and then waits in the dark. The slower it runs,
the brighter the lamps: that costs no instruction, and the beat stays the same.
"""

import array
import time

import machine
import rp2
import uctypes
from machine import mem32
from micropython import const

from nimatron import board
from nimatron.devices import pins, registers

_WIDTH = board.ROWS + board.LAMPS  # pins, from the first row to the last column
_BEAT = const(5000)  # rows per second, in 1250 frames: 0.2 ms per row
_BEATS_US = const(300)  # more than one
_LOOKS = const(5)  # an interrupt may delay one of them by a whole frame
_FREQ = const(320_000)  # Hz at full brightness: 63 cycles take 0.197 ms, 60 lit ones 94 %


@rp2.asm_pio(out_init=(rp2.PIO.OUT_LOW,) * _WIDTH, out_shiftdir=rp2.PIO.SHIFT_RIGHT)
def matrix(width=_WIDTH):  # a default: the assembler sees no globals
    """A word holds the pins twice: first the columns alone, then the columns and their row."""
    mov(pins, null)  # 1 cycle: all dark, no ghost of the row before
    pull(block)  # 1: without data it waits here, in the dark
    out(pins, width)  # 1: the columns settle
    out(pins, width)[31]  # 32: the row is on
    nop()[27]  # 28


class Lamps:
    def __init__(self, settings):
        self._settings = settings
        clock = machine.freq()
        self._divider = clock * 256 // (_FREQ * 100)  # for each percent
        mem32[registers.DMA_TIMER0] = 1 << 16 | clock // _BEAT
        self._frame = array.array("I", [0] * board.ROWS)
        self._rewound = array.array("I", [uctypes.addressof(self._frame)])
        first = machine.Pin(pins.ROWS[0])
        self._machine = rp2.StateMachine(0, matrix, freq=_FREQ, out_base=first)
        send = rp2.DMA()
        rewind = rp2.DMA()
        send.config(
            read=self._frame,
            write=registers.PIO_TXF0,
            count=board.ROWS,
            ctrl=send.pack_ctrl(
                inc_write=False, treq_sel=registers.TREQ_TIMER0, chain_to=rewind.channel
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
        self._channels = send, rewind  # MicroPython 1.27 and newer stop a channel with its object
        self._machine.active(1)
        self._was_sent = None

    def check(self):
        """Raise RuntimeError unless the channel that sends the frame moves on, and the state
        machine takes what it sends."""
        if mem32[registers.PIO_FSTAT] & registers.PIO_TXFULL:
            raise RuntimeError("the lamps have stopped: the state machine takes no rows")
        for _ in range(_LOOKS):
            if mem32[self._sent] != self._was_sent:
                break
            time.sleep_us(_BEATS_US)  # one look in four may find the same row again
        else:
            raise RuntimeError("the lamps have stopped: no rows are sent")
        self._was_sent = mem32[self._sent]

    def show(self, masks):
        mem32[registers.PIO_CLKDIV0] = self._divider * self._settings.brightness << 8
        for row in range(board.ROWS):
            columns = masks[row] << board.ROWS
            self._frame[row] = columns | (columns | 1 << row) << _WIDTH
