"""A Raspberry Pi Pico for the tests of any firmware: real MicroPython on an emulated RP2040, with
parts soldered to its pins.

`board.py` contains the Pico, `parts.py` the parts for its pins, and `plugin.py` the pytest
fixture. The simulated Pico, in `simulated/` and `mirror/`, is Nimatron's. It also runs on
MicroPython, with `boards`, `bounce`, `clock`, `console`, `displays` and `usb`.
"""
