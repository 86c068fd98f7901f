"""The heartbeat: the LED on the Pico blinks while the app is alive; when it is not, start over."""

import time

import machine

from nimatron import pins

_FAREWELL_MS = 100  # the serial line takes this long to send what was printed


class Heartbeat:
    def __init__(self):
        self._led = machine.Pin(pins.LED, machine.Pin.OUT, value=0)

    def beat(self):
        """Once a second, say: the LED changes."""
        self._led.toggle()


def start_over():
    """Reset the Pico; does not return."""
    time.sleep_ms(_FAREWELL_MS)
    machine.reset()
