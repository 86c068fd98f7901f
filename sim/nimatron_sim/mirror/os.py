"""MicroPython's `os` on the simulated chip: no more than the firmware uses."""

import chip

rename = chip.host.files.rename
remove = chip.host.files.remove
ilistdir = chip.host.files.ilistdir


def urandom(n):
    return chip.host.entropy(n)
