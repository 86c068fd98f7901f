"""The heartbeat: while all vital parts live the LED on the Pico blinks and the watchdog is fed."""

import machine

from nimatron.devices import pins

_WATCHDOG_MS = 8000  # an RP2040 can wait 8388 at most


class Heartbeat:
    """`failed("led", why)` is called when the LED fails."""

    def __init__(self, failed):
        self._failed = failed
        self._led = None
        self._watchdog = None

    def watch(self):
        """Start the watchdog. It cannot be stopped, and resets a Pico whose heart has stopped."""
        self._watchdog = machine.WDT(timeout=_WATCHDOG_MS)

    def beat(self):
        """To be called about once a second, and only while all vital parts live."""
        if self._watchdog:
            self._watchdog.feed()
        try:
            if not self._led:
                self._led = machine.Pin(pins.LED, machine.Pin.OUT, value=0)
            self._led.toggle()
        except Exception as why:
            self._failed("led", why)
