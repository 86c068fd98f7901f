"""MicroPython's `time`, with the functions from CPython's `time` that the kiosk uses."""

from utime import *

_last = ticks_ms()
_passed = 0


def monotonic():
    """Return a time in seconds that never wraps, unlike MicroPython's own milliseconds."""
    global _last, _passed
    now = ticks_ms()
    _passed += ticks_diff(now, _last)
    _last = now
    return _passed / 1000
