"""MicroPython's `micropython` on the simulated chip: constants, and the interrupt key."""

import chip


def const(value):
    return value


def kbd_intr(key):
    chip.interrupt_key = key
