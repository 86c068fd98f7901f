"""A PC that is a Pico: the firmware folder, unmodified, on a simulated board.

These run on CPython and on the MicroPython VM alike, so they are written in MicroPython's Python:
clock, circuit, lamps, recorder, usb, simulated/chip, files, peripherals and unreal,
vm/vm_main, and mirror/ but for asyncio and gc. All other modules are for CPython only.
"""
