"""A flash as a block device, whose power can be cut and which counts erasures. Runs on
MicroPython."""

import os

import vfs

BLOCK, PAGE = 4096, 256  # as ports/rp2 of MicroPython has them
_ERASED = b"\xff" * BLOCK
_COUNT, _SIZE, _ERASE = 4, 5, 6  # of the block device's protocol


class PowerCut(Exception):
    pass


class Flash:
    """A flash. `left` is the number of halves of erasures and writes that are done before the
    power is cut. Half a write can already contain all important data."""

    def __init__(self, data):
        self.data = data
        self.left = None
        self.off = False
        self.erases = [0] * (len(data) // BLOCK)

    def readblocks(self, block, buffer, offset=0):
        if not self.off:  # otherwise the garbage collection closes an open file
            start = block * BLOCK + offset
            buffer[:] = memoryview(self.data)[start : start + len(buffer)]

    def writeblocks(self, block, buffer, offset=0):
        self._change(block * BLOCK + offset, buffer)

    def ioctl(self, request, argument):
        if request == _COUNT:
            return len(self.data) // BLOCK
        if request == _SIZE:
            return BLOCK
        if request == _ERASE:
            self.erases[argument] += 1
            self._change(argument * BLOCK, _ERASED)
        return 0

    def _change(self, start, content):
        if self.off:
            return
        size = len(content)
        if self.left is not None:
            self.off = self.left < 2
            size = size * min(self.left, 2) // 2
            self.left -= 2
        self.data[start : start + size] = content[:size]
        if self.off:
            raise PowerCut


def formatted(blocks):
    """Return the contents of an empty littlefs."""
    data = bytearray(_ERASED * blocks)
    vfs.VfsLfs2.mkfs(Flash(data), readsize=PAGE, progsize=PAGE)
    return data


def mount(data):
    """Mount a littlefs as the root, and return its flash."""
    flash = Flash(data)
    vfs.mount(vfs.VfsLfs2(flash, readsize=PAGE, progsize=PAGE), "/")
    os.chdir("/")
    return flash


def put(name, content):
    """Write a file, and create its folders."""
    folders = name.split("/")[:-1]
    for depth in range(len(folders)):
        try:
            os.mkdir("/".join(folders[: depth + 1]))
        except OSError:
            pass  # it exists
    with open(name, "wb") as file:
        file.write(content)
