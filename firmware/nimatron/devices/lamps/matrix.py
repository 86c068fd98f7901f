"""A matrix of lamps that one PIO state machine and two DMA channels refresh for ever.

The CPU only writes the frame: two words for each row. One channel sends them to the state machine
whenever that has room for one; the other rewinds it. The state machine alone keeps the time. So
the lamps stay right while flash is written, memory collected or a traceback printed, for as long
as there is power.

Brightness is how many cycles a row stays dark after those that it is lit for. The more there are,
the faster the state machine runs: the number of frames per second stays the same.
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
_BITS = 2 * _WIDTH  # used of a word
_ROWS_HZ = const(8000)  # 2000 frames per second
_CYCLES = const(44)  # of a row at full brightness; it is lit for 40 of them
_LOOKS = const(5)
_LOOK_US = const(150)  # enough to send two words or three, of eight


@rp2.asm_pio(
    out_init=(rp2.PIO.OUT_LOW,) * _WIDTH,
    out_shiftdir=rp2.PIO.SHIFT_RIGHT,
    autopull=True,
    pull_thresh=_BITS,
)
def matrix(width=_WIDTH, bits=_BITS):  # as defaults, because no global is there during assembly
    """The first word of a row holds its pins twice, the columns alone and then with their row; the
    second one says for how many cycles more it is dark."""
    out(pins, width)  # 1 cycle: the columns settle; without data it waits here, in the dark
    out(pins, width)[31]  # 32: the row is on
    nop()[7]  # 8
    mov(pins, null)  # 1: all dark, no ghost of this row in the next one
    out(x, bits)  # 1: or it waits here
    label("dark")
    jmp(x_dec, "dark")  # 1 and x


class Lamps:
    refreshed = True

    def __init__(self, settings):
        self._settings = settings
        self._clock = machine.freq() // _ROWS_HZ
        self._frame = array.array("I", [0] * 2 * board.ROWS)
        self._rewound = array.array("I", [uctypes.addressof(self._frame)])
        first = machine.Pin(pins.ROWS[0])
        self._machine = rp2.StateMachine(0, matrix, freq=_ROWS_HZ * _CYCLES, out_base=first)
        self.show([0] * board.ROWS)
        send = rp2.DMA()
        rewind = rp2.DMA()
        send.config(
            read=self._frame,
            write=registers.PIO_TXF0,
            count=len(self._frame),
            ctrl=send.pack_ctrl(
                inc_write=False, treq_sel=registers.TREQ_PIO_TX0, chain_to=rewind.channel
            ),
        )
        # Where the next word comes from that is sent.
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
        """Raise RuntimeError unless words are sent, which they are only while the state machine
        takes them."""
        for _ in range(_LOOKS):
            if mem32[self._sent] != self._was_sent:
                break
            time.sleep_us(_LOOK_US)  # one look in eight finds the same word as before
        else:
            raise RuntimeError("the lamps have stopped: no rows are sent")
        self._was_sent = mem32[self._sent]

    def show(self, masks):
        cycles = 100 * _CYCLES // self._settings.brightness
        mem32[registers.PIO_CLKDIV0] = self._clock * 256 // cycles << 8
        for row in range(board.ROWS):
            columns = masks[row] << board.ROWS
            self._frame[2 * row] = columns | (columns | 1 << row) << _WIDTH
            self._frame[2 * row + 1] = cycles - _CYCLES
