"""The watchdog: it is fed, and the Pico's LED blinks, while every vital task meets its
deadline."""

import time

import machine
from micropython import const

from nimatron.devices import restart

_WATCHDOG_MS = const(8000)  # a Pico can wait 8388 at most
_GRACE_MS = const(2000)  # garbage collection and flash writes delay every task


class Watchdog:
    """The watchdog, which resets the Pico if it is not fed for 8 seconds, until
    `restart.at_prompt` stops it. `failed("led", why)` is called when the LED fails."""

    def __init__(self, failed):
        self._failed = failed
        self._led = None
        self._watchdog = machine.WDT(timeout=_WATCHDOG_MS)
        restart.stay()  # main.py has planned a restart until now

    def feed(self):
        """Feed the watchdog and toggle the LED. Call it about once a second, and only while no
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
        """Promise to renew or suspend the deadline within `ms`."""
        self._due = time.ticks_add(time.ticks_ms(), ms + _GRACE_MS)

    def suspend(self):
        """Have no deadline: the task waits for something that may never come."""
        self._due = None

    def missed(self):
        """True if the task has not kept its promise."""
        return self._due is not None and time.ticks_diff(time.ticks_ms(), self._due) > 0
