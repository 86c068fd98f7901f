"""A PC that is a Pico: the firmware folder, unmodified, on a simulated board.

What vm/vm_main.py imports, and mirror/ except its asyncio and gc, runs on CPython and on the
MicroPython VM alike, so it is written in MicroPython's Python; the other modules are for CPython
only.
"""
