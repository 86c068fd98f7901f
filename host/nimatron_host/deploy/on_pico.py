"""The functions that `nimatron deploy` runs on the Pico, on MicroPython 1.22 or newer.

Each function prints its findings and actions, one line per file. Names are relative to the root.
"""

import os
import sys

MAIN = "main.py"
PACKAGE = "nimatron"
ASIDE = "nimatron.new"  # the folder for new files until all have arrived
READY = "nimatron.ready"  # the next start moves this to /nimatron: see firmware/nimatron_boot.py
_DIRECTORY = 0x4000
_PIECE = 1024
_COME_BACK_MS = 600_000
_EIO, _EEXIST, _ENOSPC = 5, 17, 28
_SPARE = 8  # free blocks that littlefs needs to move files


def facts():
    """Print the version of MicroPython, the board, its pins, and the display in the settings."""
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
    except Exception:  # no display is set, or the firmware cannot read the setting either
        pass


def _pins():
    """Yield the board's names for its pins, such as GP13=GPIO13. Some boards have no names."""
    try:
        from machine import Pin

        for name in dir(Pin.board):
            number = str(getattr(Pin.board, name)).partition(",")[0]
            if number.startswith("Pin(GPIO"):
                yield name + "=" + number[4:]
    except (ImportError, AttributeError):
        pass


def come_back():
    """Schedule a reset in ten minutes, in case the user leaves. An earlier restart cancels it."""
    global _timer
    import machine

    try:
        _timer.deinit()
    except NameError:
        pass
    _timer = machine.Timer(  # kept, because a collected timer never fires
        mode=machine.Timer.ONE_SHOT,
        period=_COME_BACK_MS,
        callback=lambda timer: machine.reset(),
    )


def listing():
    """Print every file of the firmware with its hash."""
    for name in _walk(""):
        if name == MAIN or name.startswith(PACKAGE):
            print("file", _hash(name), name)


def put(name, pieces, sha256):
    """Write a file from base64 text, and read it back."""
    import binascii

    _make_folder(name)
    with open(name, "wb") as file:
        for piece in pieces:
            file.write(binascii.a2b_base64(piece))
    if _hash(name) != sha256:
        raise OSError(_EIO)
    print("put", name)


def copy(name):
    """Copy a file of the firmware to the folder for new files."""
    _make_folder(ASIDE + "/" + name)
    with open(name, "rb") as old, open(ASIDE + "/" + name, "wb") as new:
        while True:
            piece = old.read(_PIECE)
            if not piece:
                return
            new.write(piece)


def room():
    """Raise OSError if the flash is too full to move files."""
    _, _, blocks, free, *_ = os.statvfs("/")
    if not _SPARE <= free <= blocks:  # folders count twice, so free can be negative
        raise OSError(_ENOSPC)


def move_aside():
    """Rename another project's programs, which would run before ours or be lost."""
    for name in MAIN, "boot.py":
        if _is_file(name) and not _is_ours(name):
            os.rename(name, name + ".before-nimatron")
            print("aside", name)


def commit():
    """Commit the files that have arrived, so that the next start runs them."""
    arrived = [entry[0] for entry in os.ilistdir(ASIDE) if entry[1] != _DIRECTORY]
    for name in arrived:
        if name != MAIN:
            os.rename(ASIDE + "/" + name, name)
    remove(READY)
    if _exists(ASIDE + "/" + PACKAGE):
        os.rename(ASIDE + "/" + PACKAGE, READY)
    if MAIN in arrived:  # last, because main.py uses the other files
        os.rename(ASIDE + "/" + MAIN, MAIN)
    os.rmdir(ASIDE)


def remove(name):
    """Remove a file, or a folder with its contents. Do nothing if it does not exist."""
    if _is_file(name):
        os.remove(name)
    elif _exists(name):
        for entry in list(os.ilistdir(name)):
            remove(name + "/" + entry[0])
        os.rmdir(name)
    else:
        return
    print("removed", name)


def restart(why):
    """Restart, with the reason `why` if the firmware supports it."""
    import time

    time.sleep_ms(100)  # wait until mpremote has closed the port
    sys.path[:0] = ["/nimatron", "/rom"]
    try:
        __import__("loader")
    except Exception:  # the bundle is missing or damaged
        pass
    try:
        from nimatron.devices import restart

        restart.restart(why)
    except Exception:
        import machine

        machine.reset()


def _is_ours(name):
    with open(name, "rb") as file:
        return b"imatron" in file.read()


def _exists(name):
    try:
        os.stat(name)
    except OSError:
        return False
    return True


def _is_file(name):
    return _exists(name) and not os.stat(name)[0] & _DIRECTORY


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
