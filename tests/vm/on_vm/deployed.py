"""The scripts of a deploy on a real littlefs that loses power or is full.

As a program, it reads {"there": files, "library": text, "scripts": texts, "boot": text} and
prints, for each moment of a power cut, and for each number of free blocks, the files on the Pico
after the next start.
"""

import json
import os
import sys

import vfs
from flash import BLOCK, PowerCut, formatted, mount, put

_BLOCKS = 64
_FULL_FROM = 32  # tries up to this number of free blocks


class Machine:
    class Timer:
        ONE_SHOT = 0

        def __init__(self, **how):
            pass

        def deinit(self):
            pass

    mem32 = {None: 0}  # the firmware does not know this chip


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
    flash = mount(formatted(_BLOCKS))
    for name, text in given["there"].items():
        put(name, text.encode())
    return switch_off(flash)


def fill(data, spare):
    """Fill the flash except for `spare` blocks."""
    flash = mount(data)
    with open("filler", "w") as file:
        file.write("x" * (os.statvfs("/")[3] - spare - 1) * BLOCK)
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
