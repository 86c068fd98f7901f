"""MicroPython's `os` on the simulated chip: no more than the firmware uses."""

import chip


def urandom(n):
    return chip.host.entropy(n)
