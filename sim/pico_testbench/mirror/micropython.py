"""MicroPython's `micropython` on the simulated chip: constants, and the key on the serial line
that interrupts a program."""

import chip


def const(value):
    return value


def kbd_intr(key):
    chip.interrupt_key = key
