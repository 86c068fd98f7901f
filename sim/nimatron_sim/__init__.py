"""A PC that is a Pico: the firmware folder, unmodified, on a simulated board.

The modules that vm/vm_main.py imports, and mirror/ except its asyncio and gc, run on CPython and
on the MicroPython VM alike, so they are written in MicroPython's Python; the other modules are for
CPython only.
"""
