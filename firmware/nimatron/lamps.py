"""The lamps: a 4 x 7 matrix that one PIO state machine and two DMA channels refresh for ever.

The CPU only writes the frame: four words, one a row. One channel sends the four to the state
machine, the other rewinds it, so the lamps stay right while flash is written, memory collected or
a traceback printed, for as long as there is power.
"""

import array

import rp2
import uctypes
from machine import Pin

from nimatron import board, pins

_WIDTH = 11  # pins, from the first row to the last column
_FREQ = 320_000  # Hz: 64 cycles or 0.2 ms a row, 1250 frames a second; DMA runs 4 rows ahead

# RP2040 datasheet: 2.5.7 (a channel's registers), 2.5.3 (requests), 3.7 (PIO registers).
_TX_FIFO = 0x50200010  # PIO 0, state machine 0
_TX_REQUEST = 0
_DMA = 0x50000000
_DMA_CHANNEL = 0x40
_READ_ADDRESS_TRIGGER = 0x3C


@rp2.asm_pio(out_init=(rp2.PIO.OUT_LOW,) * _WIDTH, out_shiftdir=rp2.PIO.SHIFT_RIGHT)
def matrix():
    """A word holds the pins twice: first the columns alone, then the columns and their row."""
    mov(pins, null)  # 1 cycle: all dark, no ghost of the row before
    pull(block)  # 1: without data it waits here, in the dark
    out(pins, 11)  # 1: the columns settle
    out(pins, 11)[31]  # 32: the row is on
    nop()[28]  # 29


class Lamps:
    """28 lamps, all the same brightness."""

    def __init__(self):
        self._frame = array.array("I", [0] * board.ROWS)
        self._rewound = array.array("I", [uctypes.addressof(self._frame)])
        self._machine = rp2.StateMachine(0, matrix, freq=_FREQ, out_base=Pin(pins.ROWS[0]))
        send = rp2.DMA()
        rewind = rp2.DMA()
        send.config(
            read=self._frame,
            write=_TX_FIFO,
            count=board.ROWS,
            ctrl=send.pack_ctrl(inc_write=False, treq_sel=_TX_REQUEST, chain_to=rewind.channel),
        )
        rewind.config(
            read=self._rewound,
            write=_DMA + send.channel * _DMA_CHANNEL + _READ_ADDRESS_TRIGGER,
            count=1,
            ctrl=rewind.pack_ctrl(inc_read=False, inc_write=False),
            trigger=True,
        )
        self._machine.active(1)

    def show(self, masks):
        """Light the lamps of four row masks, bit 0 the leftmost lamp, until told otherwise."""
        for row in range(board.ROWS):
            columns = masks[row] << board.ROWS
            self._frame[row] = columns | (columns | 1 << row) << _WIDTH
