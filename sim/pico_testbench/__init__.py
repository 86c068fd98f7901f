"""A Raspberry Pi Pico for the tests of any firmware: a real MicroPython on an emulated RP2040,
with parts soldered to its pins.

`board.py` has the Pico, `parts.py` what can be soldered to it, `plugin.py` the fixture for pytest.
`boards`, `bounce`, `clock`, `console`, `displays`, `usb`, `mirror/` except its gc, and the chip in
`simulated/` run on
MicroPython too.
"""
