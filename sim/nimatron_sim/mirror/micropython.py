"""MicroPython's `micropython` on the simulated chip: who may interrupt from the serial line."""

import chip


def kbd_intr(key):
    chip.interrupt_key = key
