"""The last resort if the firmware cannot be loaded or has crashed six times in a row. The lamps in
the corners light up, and the prompt is open for a new deploy.

This module shares no code with the failed firmware, so it repeats the pin numbers.
"""

import json

import machine
import micropython
from machine import Pin

_CTRL_C = 3
_CORNERS = (0x41, 0, 0, 0x41)  # a mask for each row


def matrix():
    """Light the corners of a matrix, with rows 1 and 4 and columns 1 and 7 on. Each lamp gets half
    of its column's current."""
    for gpio in range(2, 13):
        Pin(gpio, Pin.OUT, value=gpio in (2, 5, 6, 12))


def shift():
    clock, data, latch, enable = [Pin(gpio, Pin.OUT, value=0) for gpio in (2, 3, 4, 5)]
    for mask in _CORNERS[::-1]:
        for bit in range(7, -1, -1):
            data.value(mask >> bit & 1)
            clock.on()
            clock.off()
    latch.on()
    latch.off()


def pixels():
    lamps = [mask >> n & 1 for mask in _CORNERS for n in range(7)]
    colours = bytes([part * lamp for lamp in lamps for part in (147, 255, 41)])
    machine.bitstream(Pin(6, Pin.OUT, value=0), 0, (400, 850, 800, 450), colours)


def display():
    """Return the display in the settings, or the matrix by default."""
    try:
        with open("/settings.json") as file:
            return {"shift": shift, "pixels": pixels}.get(json.load(file)["display"], matrix)
    except Exception:  # no display is set, or the file is damaged
        return matrix


def main():
    print("Nimatron has failed. It starts again in ten minutes, or with Ctrl-D")
    micropython.kbd_intr(_CTRL_C)
    display()()
