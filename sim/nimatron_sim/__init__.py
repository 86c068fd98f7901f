"""A PC that is a Pico: the firmware folder, unmodified, on a simulated board.

The modules that web/web_main.py imports run on CPython and on MicroPython alike, so they are
written in MicroPython's Python; the other modules are for CPython only.
"""
