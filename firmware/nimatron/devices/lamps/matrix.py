"""A matrix of lamps that one PIO state machine and two DMA channels refresh for ever.

The CPU only writes the frame: a word for each row. One channel sends them to the state
machine, one at each beat of a DMA timer; the other rewinds it. So the lamps stay right while flash
is written, memory collected or a traceback printed, for as long as there is power.

Between two beats the state machine lights one row and then waits in the dark. Brightness is how
slowly it runs: that costs no instruction, and the beat stays the same.
"""

import array
import time

import machine
import rp2
import uctypes
from machine import mem32

from nimatron import board
from nimatron.devices import pins

_WIDTH = board.ROWS + board.LAMPS  # pins, from the first row to the last column
_BEAT = 5000  # rows a second, 1250 frames: 0.2 ms a row
_BEATS_US = 300  # more than one
_FREQ = 320_000  # Hz at full brightness: 63 cycles take 0.197 ms, 60 lit ones 0.94 of a beat

# RP2040 datasheet: 2.5.7 (DMA: a channel's registers, timers), 2.5.3 (requests), 3.7 (PIO).
_FIFO_STATUS = 0x50200004  # PIO 0
_FULL = 1 << 16  # the transmit FIFO of state machine 0
_TX_FIFO = 0x50200010  # PIO 0, state machine 0
_CLOCK_DIVIDER = 0x502000C8  # the same; in 1/256, from bit 8
_DMA = 0x50000000
_DMA_CHANNEL = 0x40
_READ_ADDRESS_TRIGGER = 0x3C
_TIMER = 0x50000420  # timer 0: numerator and denominator, of the system clock
_TIMER_REQUEST = 0x3B


@rp2.asm_pio(out_init=(rp2.PIO.OUT_LOW,) * _WIDTH, out_shiftdir=rp2.PIO.SHIFT_RIGHT)
def matrix(width=_WIDTH):  # as a default: while it is assembled no global is there
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
        mem32[_TIMER] = 1 << 16 | clock // _BEAT
        self._frame = array.array("I", [0] * board.ROWS)
        self._rewound = array.array("I", [uctypes.addressof(self._frame)])
        first = machine.Pin(pins.ROWS[0])
        self._machine = rp2.StateMachine(0, matrix, freq=_FREQ, out_base=first)
        send = rp2.DMA()
        rewind = rp2.DMA()
        send.config(
            read=self._frame,
            write=_TX_FIFO,
            count=board.ROWS,
            ctrl=send.pack_ctrl(inc_write=False, treq_sel=_TIMER_REQUEST, chain_to=rewind.channel),
        )
        rewind.config(
            read=self._rewound,
            write=_DMA + send.channel * _DMA_CHANNEL + _READ_ADDRESS_TRIGGER,
            count=1,
            ctrl=rewind.pack_ctrl(inc_read=False, inc_write=False),
            trigger=True,
        )
        self._channels = send, rewind  # MicroPython 1.27 and newer stop a channel with its object
        self._sent = _DMA + send.channel * _DMA_CHANNEL  # its read address
        self._machine.active(1)
        self._was_sent = None

    def check(self):
        """Raise RuntimeError unless the channel that sends the frame moves on, and the state
        machine takes what it sends."""
        if mem32[_FIFO_STATUS] & _FULL:
            raise RuntimeError("the lamps have stopped: the state machine takes no rows")
        sent = mem32[self._sent]
        if sent == self._was_sent:  # as happens every fourth time
            time.sleep_us(_BEATS_US)
            if mem32[self._sent] == sent:
                raise RuntimeError("the lamps have stopped: no rows are sent")
        self._was_sent = sent

    def show(self, masks):
        mem32[_CLOCK_DIVIDER] = self._divider * self._settings.brightness << 8
        for row in range(board.ROWS):
            columns = masks[row] << board.ROWS
            self._frame[row] = columns | (columns | 1 << row) << _WIDTH
