"""MicroPython's time, with the functions of CPython's that the kiosk uses."""

from utime import *

_last = ticks_ms()
_passed = 0


def monotonic():
    """Seconds. MicroPython's own count of milliseconds wraps."""
    global _last, _passed
    now = ticks_ms()
    _passed += ticks_diff(now, _last)
    _last = now
    return _passed / 1000
