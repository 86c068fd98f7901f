"""Repeated saves of statistics on a littlefs that counts erases. Runs on MicroPython."""

import json
import os
import sys

import vfs

from nimatron.devices.storage import Storage
from nimatron.statistics import Statistics

_BLOCKS, _BLOCK, _PAGE = 352, 4096, 256  # as ports/rp2 of MicroPython has them
_ERASED = b"\xff" * _BLOCK
_COUNT, _SIZE, _ERASE = 4, 5, 6  # of the block device's protocol


class Flash:
    def __init__(self):
        self._blocks = [bytearray(_ERASED) for _ in range(_BLOCKS)]
        self.erases = [0] * _BLOCKS

    def readblocks(self, number, buffer, offset=0):
        buffer[:] = memoryview(self._blocks[number])[offset : offset + len(buffer)]

    def writeblocks(self, number, buffer, offset=0):
        self._blocks[number][offset : offset + len(buffer)] = buffer

    def ioctl(self, request, argument):
        if request == _COUNT:
            return _BLOCKS
        if request == _SIZE:
            return _BLOCK
        if request == _ERASE:
            self.erases[argument] += 1
            self._blocks[argument][:] = _ERASED
        return 0


def main():
    """Read {"files": {name: bytes}, "statistics": the saved statistics, "saves": the number of
    saves} from standard input. Print {"sizes": the bytes of the first and last save, "erases": the
    erases of each block, "worst": the most erases of a save}."""
    given = json.loads(sys.stdin.read())
    flash = Flash()
    vfs.VfsLfs2.mkfs(flash, progsize=_PAGE)
    vfs.mount(vfs.VfsLfs2(flash, progsize=_PAGE), "/flash")
    os.chdir("/flash")
    for name, size in given["files"].items():
        put(name, bytes(size))
    statistics = Statistics(given["statistics"])
    storage = Storage(print)
    played = [list(statistics.data[group]) for group in ("played", "openings", "levels")]
    deployed = list(flash.erases)
    sizes, worst = [], 0
    for number in range(given["saves"]):
        before = sum(flash.erases)
        statistics.game("machine", *[names[number % len(names)] for names in played])
        assert storage.save("statistics.json", statistics.data)
        worst = max(worst, sum(flash.erases) - before)
        if number in (0, given["saves"] - 1):
            sizes.append(os.stat("statistics.json")[6])
    erases = [after - before for after, before in zip(flash.erases, deployed)]
    print(json.dumps({"sizes": sizes, "erases": erases, "worst": worst}))


def put(name, content):
    folders = name.split("/")[:-1]
    for depth in range(len(folders)):
        try:
            os.mkdir("/".join(folders[: depth + 1]))
        except OSError:
            pass  # it exists
    with open(name, "wb") as file:
        file.write(content)
