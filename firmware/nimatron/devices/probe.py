"""Measure how fast a column of the matrix discharges, during a pause of the display.

The column is charged, then its pad becomes an input with a pull-down. This resistor alone
discharges the column slowly. Through a lamp whose row is on, the voltage of the column drops at
once to the voltage of the LED.

The display's state machine waits with all lamps off while an interrupt flag of the PIO is set. The
state machine of the probe sets the flag, waits until the display must be dark, measures, and
clears the flag. It has both of its words before it begins, so a busy CPU does not make the pause
longer.
"""

import machine
import rp2
from machine import mem32

from nimatron import board
from nimatron.devices import pins, registers
from nimatron.wires import AMONG_HIGH, NEVER

_WIDTH = board.ROWS + board.LAMPS  # pins, from the first row to the last column
_ALL = (1 << _WIDTH) - 1
_COLUMNS = _ALL >> board.ROWS << board.ROWS
_REST = 32 - _WIDTH  # the other bits of a word


@rp2.asm_pio(out_init=(rp2.PIO.OUT_LOW,) * _WIDTH, out_shiftdir=rp2.PIO.SHIFT_RIGHT)
def discharge(width=_WIDTH, rest=_REST):
    """Measure one column. The first word contains the pins that are high during the measurement,
    and the maximum count minus one. The second word contains the pins to charge before, and the
    pins that stay outputs. The answer is the remaining count."""
    pull(block)
    mov(isr, osr)
    pull(block)
    irq(4)
    set(y, 15)  # 16 times 1026 cycles: longer than a row
    label("wait")
    set(x, 31)
    label("pause")
    jmp(x_dec, "pause")[31]
    jmp(y_dec, "wait")
    out(pins, width)[31]
    nop()[31]  # the column is charged after 0.5 us
    out(pindirs, width)
    mov(osr, isr)
    out(pins, width)
    out(x, rest)
    label("count")
    jmp(pin, "high")
    jmp("low")
    label("high")
    jmp(x_dec, "count")
    label("low")
    mov(pins, null)
    mov(osr, invert(null))
    out(pindirs, width)
    irq(clear, 4)
    mov(isr, x)
    push(noblock)


class Probe:
    """The state machine that measures. It needs the display's program, which waits for flag 4."""

    def __init__(self):
        first = machine.Pin(pins.ROWS[0])
        self._machine = rp2.StateMachine(1, discharge, freq=machine.freq(), out_base=first)
        self._machine.active(1)

    def begin(self, column, way):
        """Begin to measure a column, counted from 0. `way` is one of the ways in wires.py."""
        bit = 1 << board.ROWS + column
        charged = _COLUMNS if way == AMONG_HIGH else bit
        meanwhile = 1 << way if way < board.ROWS else charged ^ bit
        other = mem32[registers.PIO_EXECCTRL1] & ~(31 << registers.PIO_JMP_PIN)
        mem32[registers.PIO_EXECCTRL1] = other | pins.COLUMNS[column] << registers.PIO_JMP_PIN
        self._machine.put((NEVER - 1) << _WIDTH | meanwhile)
        self._machine.put((_ALL ^ bit) << _WIDTH | charged)

    def result(self):
        """Return the fall time of the column in counts of two cycles, or None if it is not known
        yet. NEVER means that the column did not fall within the limit, 66 us at 125 MHz."""
        if not self._machine.rx_fifo():
            return None
        return min(NEVER, NEVER - 1 - self._machine.get() & 0xFFFFFFFF)
