"""A Raspberry Pi Pico for the tests of any firmware: a real MicroPython on an emulated RP2040,
with parts soldered to its pins.

`board.py` has the Pico, `parts.py` the parts for its pins, `plugin.py` the fixture for pytest.
These also run on MicroPython: `boards`, `bounce`, `clock`, `console`, `displays`, `usb`, `mirror/`
except its gc, and the chip in `simulated/`.
"""
