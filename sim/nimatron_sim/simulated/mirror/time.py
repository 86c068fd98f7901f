"""MicroPython's `time` on the simulated chip's clock."""

import chip

from nimatron_sim.simulated.chip import FIRST_TICK as _FIRST
from nimatron_sim.simulated.chip import TICKS as _TICKS

_MASK = _TICKS - 1
_HALF = _TICKS >> 1
_SHIFT = _FIRST * 1000 - chip.booted_at
_clock = chip.clock


def ticks_ms():
    return (_clock.now + _SHIFT) // 1000 & _MASK


def ticks_us():
    return (_clock.now + _SHIFT) & _MASK


def ticks_add(ticks, delta):
    return (ticks + delta) & _MASK


def ticks_diff(end, start):
    return ((end - start + _HALF) & _MASK) - _HALF


def sleep_ms(ms):
    chip.sleep(ms * 1000)


def sleep_us(us):
    chip.sleep(us)
