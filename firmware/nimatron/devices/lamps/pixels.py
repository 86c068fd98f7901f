"""A chain of WS2812 pixels, which hold their colours without a refresh. The chain zigzags: row 1
from left to right, row 2 from right to left, and so on.

A USB port supplies 500 mA. All 28 lamps together take at most 300 mA, because _LAMP is about a
third of the brightest light of a pixel, which takes 20 mA for each colour at 255.

Sending a picture takes 0.84 ms, during which the Pico serves no interrupt. Therefore, a picture is
sent when it changes, and again once a second.
"""

from machine import Pin, bitstream

from nimatron import board
from nimatron.devices import pins

_TIMING = (400, 850, 800, 450)  # ns: high and low for a 0, then for a 1 (WS2812B data sheet)
_LAMP = {"r": 78, "g": 45, "b": 12}  # the colour of a light bulb, roughly
_DARK = bytes(len(_LAMP))
_WAYS = range(board.LAMPS), range(board.LAMPS - 1, -1, -1)  # through an odd row, and an even row


class Lamps:
    frames = "none"
    wired = False

    def __init__(self, settings):
        self._settings = settings
        self._pin = Pin(pins.PIXELS, Pin.OUT, value=0)
        self.show(board.DARK)  # a reset of the Pico does not reset the pixels

    def check(self):
        """Do nothing, because the lamps hold their picture without a refresh."""

    def show(self, masks):
        order, percent = self._settings.pixel_order, self._settings.brightness
        lamp = bytes([(_LAMP[colour] * percent + 50) // 100 for colour in order])
        rows = enumerate(masks)
        each = [lamp if mask >> n & 1 else _DARK for row, mask in rows for n in _WAYS[row % 2]]
        bitstream(self._pin, 0, _TIMING, b"".join(each))
