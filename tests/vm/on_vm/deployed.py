"""The scripts of a deploy on a real littlefs that loses power or is full.

As a program, it reads {"there": files, "library": text, "scripts": texts, "boot": text} and
prints, for each moment of a power cut, and for each number of free blocks, the files on the Pico
after the next start.
"""

import json
import os
import sys

import vfs

_BLOCK, _BLOCKS = 4096, 64
_READ, _PROGRAM = 256, 256
_ERASED = b"\xff" * _BLOCK
_FULL_FROM = 32  # tries up to this number of free blocks


class PowerCut(Exception):
    pass


class Flash:
    """A flash. `left` is the number of halves of erasures and writes that are done before the
    power is cut. Half a write can already contain all important data."""

    def __init__(self, data):
        self.data = data
        self.left = None
        self.off = False

    def readblocks(self, block, buffer, offset=0):
        if not self.off:  # otherwise the garbage collection closes an open file
            start = block * _BLOCK + offset
            buffer[:] = self.data[start : start + len(buffer)]

    def writeblocks(self, block, buffer, offset=0):
        self._change(block * _BLOCK + offset, buffer)

    def ioctl(self, request, argument):
        if request == 4:
            return _BLOCKS
        if request == 5:
            return _BLOCK
        if request == 6:
            self._change(argument * _BLOCK, _ERASED)
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


class Machine:
    class Timer:
        ONE_SHOT = 0

        def __init__(self, **how):
            pass

        def deinit(self):
            pass

    mem32 = {None: 0}  # the firmware does not know this chip


def mount(data):
    flash = Flash(data)
    drive = vfs.VfsLfs2(flash, readsize=_READ, progsize=_PROGRAM)
    vfs.mount(drive, "/")
    os.chdir("/")
    return flash


def switch_off(flash):
    """Switch the Pico off, which loses all open files."""
    vfs.umount("/")
    flash.off = True
    return flash.data


def files(folder=""):
    """Return {name: content} for all files."""
    found = {}
    for entry in os.ilistdir(folder or "/"):
        name = folder + "/" + entry[0] if folder else entry[0]
        if entry[1] == 0x4000:
            found.update(files(name))
        else:
            with open(name) as file:
                found[name] = file.read()
    return found


def execute(texts):
    """Run scripts as mpremote does. Return the failure if one fails."""
    room = {"print": lambda *what: None}
    for text in texts:
        try:
            exec(text, room)
        except (OSError, PowerCut) as failure:
            return failure


def started(data, boot):
    """Return the files after a Pico with this flash has started and has run for a minute."""
    flash = mount(data)
    execute([boot])
    found = files()
    switch_off(flash)
    return found


def prepared(given):
    data = bytearray(_ERASED * _BLOCKS)
    vfs.VfsLfs2.mkfs(Flash(data), readsize=_READ, progsize=_PROGRAM)
    flash = mount(data)
    for name, text in given["there"].items():
        parts = name.split("/")
        for depth in range(1, len(parts)):
            try:
                os.mkdir("/".join(parts[:depth]))
            except OSError:
                pass
        with open(name, "w") as file:
            file.write(text)
    return switch_off(flash)


def fill(data, spare):
    """Fill the flash except for `spare` blocks."""
    flash = mount(data)
    with open("filler", "w") as file:
        file.write("x" * (os.statvfs("/")[3] - spare - 1) * _BLOCK)
    data = switch_off(flash)
    return data, free(data)


def free(data):
    flash = mount(data)
    blocks = os.statvfs("/")[3]
    switch_off(flash)
    return blocks


def main():
    sys.modules["machine"] = Machine
    given = json.loads(sys.stdin.read())
    library, scripts = given["library"], given["scripts"]
    boot = given["boot"] + "\n_place()\nkeep()\n"
    before = prepared(given)
    left, cut = 0, True
    while cut:
        flash = mount(bytearray(before))
        flash.left = left
        cut = execute([library] + scripts + [boot])
        print(json.dumps({"cut": left, "files": started(switch_off(flash), boot)}))
        left += 1
    for spare in range(_FULL_FROM):
        data, was_free = fill(bytearray(before), spare)
        flash = mount(data)
        failure = execute([library] + scripts)
        switch_off(flash)
        if failure:
            flash = mount(data)
            execute([library, "remove(ASIDE)"])
            switch_off(flash)
        found = started(data, boot)
        found.pop("filler")
        told = {"failed": repr(failure), "was": was_free, "free": free(data), "files": found}
        print(json.dumps(told))


if __name__ == "__main__":
    main()
