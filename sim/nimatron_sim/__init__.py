"""A PC that is a Pico: the firmware folder, unmodified, on a simulated board.

clock, chip, circuit, lamps, recorder, script and mirror/ are plain Python that runs on CPython and
on the MicroPython VM alike; the other rooms are for CPython only.
"""
