"""The heartbeat: the LED on the Pico blinks while the app is alive; when it is not, start over."""

import machine
from nimatron import pins


class Heartbeat:
    def __init__(self):
        self._led = machine.Pin(pins.LED, machine.Pin.OUT, value=0)

    def beat(self):
        """Once a second, say: the LED changes."""
        self._led.toggle()


def start_over():
    """Reset the Pico; does not return."""
    machine.reset()
