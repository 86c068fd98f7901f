"""The functions that `nimatron deploy` runs on the Pico, through mpremote; for MicroPython 1.22 or
newer.

Each function prints what it finds and does, one line per file. Names are relative to the root.
With a few calls added, this file is also the main.py that finishes a deploy: see `finish`.
"""

import os
import sys

MAIN = "main.py"
PACKAGE = "nimatron"
ASIDE = "nimatron.new"  # where files wait until all have arrived, each under its own hash
STEPS = ASIDE + "/steps"  # what is left to do; exists only when all files have arrived
_DIRECTORY = 0x4000
_PIECE = 1024
_COME_BACK_MS = 600_000
_ENOENT, _EIO, _EEXIST, _ENOSPC = 2, 5, 17, 28
_SPARE = 8  # free blocks that littlefs needs to move files


def facts():
    """Print which MicroPython and board this is, its pins, and the display that is set."""
    os.chdir("/")
    what = sys.implementation
    print("platform", sys.platform)
    print("implementation", what.name, "%d.%d.%d" % tuple(what.version[:3]))
    print("mpy", getattr(what, "_mpy", 0))
    print("machine", getattr(what, "_machine", sys.platform))
    print("pins", " ".join(_pins()))
    try:
        import json

        with open("settings.json") as file:
            print("display", json.load(file)["display"])
    except Exception:  # none is set, or the firmware will not understand it either
        pass


def _pins():
    """The board's own names for its pins, such as GP13=GPIO13; none if it has no such names."""
    try:
        from machine import Pin

        for name in dir(Pin.board):
            number = str(getattr(Pin.board, name)).partition(",")[0]
            if number.startswith("Pin(GPIO"):
                yield name + "=" + number[4:]
    except (ImportError, AttributeError):
        pass


def come_back():
    """Reset in ten minutes, unless there is a restart before, in case the user has gone."""
    global _timer
    import machine

    try:
        _timer.deinit()
    except NameError:
        pass
    _timer = machine.Timer(  # kept: a collected one never fires
        mode=machine.Timer.ONE_SHOT,
        period=_COME_BACK_MS,
        callback=lambda timer: machine.reset(),
    )


def listing():
    """Every file that is ours, with its hash."""
    for name in _walk(""):
        if name == MAIN or name.startswith(PACKAGE + "/") or name.startswith(ASIDE + "/"):
            print("file", _hash(name), name)


def put(name, pieces, sha256):
    """Write a file, from base64, and read it back."""
    import binascii

    _make_folder(name)
    with open(name, "wb") as file:
        for piece in pieces:
            file.write(binascii.a2b_base64(piece))
    if _hash(name) != sha256:
        raise OSError(_EIO)
    print("put", name)


def room():
    """Raise OSError if the flash is too full for files to be moved."""
    _, _, blocks, free, *_ = os.statvfs("/")
    if not _SPARE <= free <= blocks:  # folders count twice, so free can be negative
        raise OSError(_ENOSPC)


def finish():
    """Carry out the steps in STEPS; False if there are none. Some may have been done before a
    power cut: each can be repeated, and the last ones remove the steps."""
    try:
        with open(STEPS) as file:
            steps = file.read().split("\n")
    except OSError as failure:
        if failure.errno == _ENOENT:
            return False
        raise
    for step in steps:
        verb, *names = step.split("\t")
        {"move": move, "remove": remove, "prune": prune}[verb](*names)
    return True


def resume():
    """Finish a deploy that was cut off, but only if main.py is its finisher. Otherwise a power cut
    during the steps would leave a mixture of two firmwares, so that deploy starts again."""
    if _is_finishing():
        finish()


def move(old, new):
    for _ in range(2):
        try:
            os.rename(old, new)
            return
        except OSError as failure:
            if failure.errno != _ENOENT:
                raise
        _make_folder(new)  # the folder may have been missing


def remove(name):
    try:
        os.remove(name)
        print("removed", name)
    except OSError as failure:
        if failure.errno != _ENOENT:
            raise


def prune(folder):
    """Remove a folder if it is empty."""
    try:
        os.rmdir(folder)
    except OSError:
        pass


def clear():
    """Remove the files that have arrived, unless the next start moves them into place: the
    firmware needs room to save."""
    try:
        names = list(_walk(ASIDE))
    except OSError:
        names = ()  # the folder does not exist
    for name in () if _is_finishing() else names:
        remove(name)
        while "/" in name:
            name = name.rpartition("/")[0]
            prune(name)


def restart(why):
    """Restart, and tell the firmware why if it supports that."""
    import time

    time.sleep_ms(100)  # until mpremote has closed the port
    try:
        from nimatron.devices import restart

        restart.restart(why)
    except Exception:
        import machine

        machine.reset()


def _is_finishing():
    try:
        with open(MAIN) as file:
            return "def finish():" in file.read()
    except (OSError, ValueError):  # it is missing, or not text
        return False


def _walk(folder):
    for entry in os.ilistdir(folder or "/"):
        name = folder + "/" + entry[0] if folder else entry[0]
        if entry[1] != _DIRECTORY:
            yield name
        elif name in (PACKAGE, ASIDE) or folder:
            yield from _walk(name)


def _hash(name):
    import binascii
    import hashlib

    sha = hashlib.sha256()
    buffer = memoryview(bytearray(_PIECE))
    with open(name, "rb") as file:
        while True:
            n = file.readinto(buffer)
            if not n:
                return binascii.hexlify(sha.digest()).decode()
            sha.update(buffer[:n])


def _make_folder(name):
    parts = name.split("/")[:-1]
    for depth in range(len(parts)):
        try:
            os.mkdir("/".join(parts[: depth + 1]))
        except OSError as failure:
            if failure.errno != _EEXIST:
                raise
