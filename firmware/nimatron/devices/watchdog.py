"""The watchdog. It is fed, and the LED blinks, while every vital task meets its deadline."""

import time

import machine
from micropython import const

from nimatron.devices import restart

_WATCHDOG_MS = const(8000)  # the maximum on a Pico is 8388
_GRACE_MS = const(2000)  # garbage collection and flash writes delay every task


class Watchdog:
    """The watchdog, which resets the Pico if it is not fed for 8 seconds. `restart.at_prompt`
    stops it. If the LED fails, it calls `failed("led", why)`."""

    def __init__(self, failed):
        self._failed = failed
        self._led = None
        self._watchdog = machine.WDT(timeout=_WATCHDOG_MS)
        restart.stay()  # cancel the restart that main.py has planned

    def feed(self):
        """Feed the watchdog and toggle the LED. Call this about once a second, but only while no
        deadline is missed."""
        self._watchdog.feed()
        try:
            if not self._led:
                self._led = machine.Pin("LED", machine.Pin.OUT, value=0)
            self._led.toggle()
        except Exception as why:
            self._failed("led", why)


class Deadline:
    """The time by which a task must renew its deadline, with 2 seconds of grace. The watchdog is
    not fed while a deadline is missed."""

    def __init__(self):
        self._due = None

    def renew(self, ms):
        """Set the deadline to `ms` from now. The task must renew or suspend it in time."""
        self._due = time.ticks_add(time.ticks_ms(), ms + _GRACE_MS)

    def suspend(self):
        """Remove the deadline, because the task waits for something that may never come."""
        self._due = None

    def missed(self):
        """Return True if the task has missed its deadline."""
        return self._due is not None and time.ticks_diff(time.ticks_ms(), self._due) > 0
