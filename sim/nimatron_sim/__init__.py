"""A PC that is a Pico: the firmware folder, unmodified, on a simulated board.

What vm/vm_main.py imports, and mirror/ but for its asyncio and gc, is plain Python that runs on
CPython and on the MicroPython VM alike; the other rooms are for CPython only.
"""
