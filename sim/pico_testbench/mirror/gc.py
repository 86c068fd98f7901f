"""MicroPython's `gc` on CPython, which collects on its own. The VM brings its own."""

import chip


def collect():
    chip.work("collect")


def mem_free():
    return 150_000  # about as much as on a Pico
