"""A chain of WS2812 pixels, row after row, which hold their colours without a refresh.

Sending a picture takes 0.84 ms. During this time the Pico serves no interrupt. So a picture is
sent only when it changes, and once a second.
"""

from machine import Pin, bitstream

from nimatron import board
from nimatron.devices import pins

_TIMING = (400, 850, 800, 450)  # ns: high and low for a 0, then for a 1 (WS2812B data sheet)
_LAMP = (147, 255, 41)  # green, red, blue: the colour of a light bulb, roughly
_DARK = bytes(len(_LAMP))


class Lamps:
    frames = "none"
    wired = False

    def __init__(self, settings):
        self._settings = settings
        self._pin = Pin(pins.PIXELS, Pin.OUT, value=0)
        self.show(board.DARK)  # a reset of the Pico does not reset the pixels

    def check(self):
        """Do nothing: the lamps hold their picture without a refresh."""

    def show(self, masks):
        lamp = bytes([part * self._settings.brightness // 100 for part in _LAMP])
        each = [lamp if mask >> n & 1 else _DARK for mask in masks for n in range(board.LAMPS)]
        bitstream(self._pin, 0, _TIMING, b"".join(each))
