"""MicroPython's `gc` on CPython, which collects automatically. The VM has its own `gc`."""

import chip


def collect():
    chip.work("collect")


def mem_free():
    return 150_000  # about as much as on a Pico
