"""The legends: lit signs that say what is going on."""

from machine import Pin

from nimatron.devices import pins

NAMES = tuple([name for name, _ in pins.LEGENDS])


class Legends:
    def __init__(self):
        self._pins = [Pin(gpio, Pin.OUT, value=0) for _, gpio in pins.LEGENDS]

    def light(self, *names):
        """Light these of NAMES and no others."""
        for name, pin in zip(NAMES, self._pins):
            pin.value(name in names)
