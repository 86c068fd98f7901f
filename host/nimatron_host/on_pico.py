"""What `nimatron deploy` runs on the Pico, through mpremote: MicroPython of any port and age.

It says what it finds and does, a line each. Names are relative to the root.
"""

import os
import sys

MAIN = "main.py"
PACKAGE = "nimatron"
ASIDE = "nimatron.new"  # where files wait until all have arrived, each under its own hash
_DIRECTORY = 0x4000
_PIECE = 1024


def facts():
    """What this is."""
    os.chdir("/")
    what = sys.implementation
    print("platform", sys.platform)
    print("implementation", what.name, "%d.%d.%d" % tuple(what.version[:3]))
    print("mpy", getattr(what, "_mpy", 0))
    print("machine", getattr(what, "_machine", sys.platform))


def listing():
    """Every file that is ours, with its hash."""
    for name in _walk(""):
        if name == MAIN or name.startswith((PACKAGE + "/", ASIDE + "/")):
            print("file", _hash(name), name)


def put(name, pieces):
    """Write a file, from base64."""
    import binascii

    _make_folder(name)
    with open(name, "wb") as file:
        for piece in pieces:
            file.write(binascii.a2b_base64(piece))
    print("put", name)


def move(old, new):
    if old != new:
        _make_folder(new)
        os.rename(old, new)


def remove(name):
    os.remove(name)
    print("removed", name)


def prune(folder):
    """Remove a folder if it is empty."""
    try:
        os.rmdir(folder)
    except OSError:
        pass


def restart(why):
    """Start over; a firmware that can is told why."""
    import time

    time.sleep_ms(100)  # until mpremote has closed the port
    try:
        from nimatron import restart

        restart.restart(why)
    except Exception:
        import machine

        machine.reset()


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
        except OSError:
            pass  # it is there
