"""MicroPython's `os` on the simulated chip: only the functions that the firmware uses."""

import chip

rename = chip.host.files.rename
remove = chip.host.files.remove
ilistdir = chip.host.files.ilistdir
stat = chip.host.files.stat

_BLOCK = 4096


def statvfs(path):
    blocks = chip.board.file_system[1] // _BLOCK
    free = blocks - chip.host.files.blocks(_BLOCK)
    return (_BLOCK, _BLOCK, blocks, free, free, 0, 0, 0, 0, 255)


def urandom(n):
    return chip.host.entropy(n)
