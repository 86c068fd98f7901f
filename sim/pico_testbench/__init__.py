"""A Raspberry Pi Pico for the tests of any firmware: real MicroPython on an emulated RP2040, with
parts soldered to its pins.

`board.py` contains the Pico, `parts.py` the parts for its pins, and `plugin.py` the pytest
fixture. MicroPython itself runs `boards`, `bounce`, `clock`, `console`, `displays` and `usb`, for
Nimatron's simulated Pico.
"""
