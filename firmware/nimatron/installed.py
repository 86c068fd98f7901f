"""The installed firmware: its files on flash, read while the show continues.

A Pico takes 0.8 s to read them: too long for `version`, which every program sends first.
"""

import asyncio
import binascii
import hashlib
import os

_PIECE = 512  # bytes. Their SHA-256 takes a Pico 0.6 ms
_IS_FOLDER = 0x4000


async def look(each):
    """Await each(name, SHA-256 in hex) for every file of ours, and return how many there are, and
    a digest of all their names and contents.

    Other tasks get a turn every millisecond, except while littlefs opens a folder or a file: up to
    2 and 4 ms on a Pico.
    """
    count, digest = 0, 0
    buffer = memoryview(bytearray(_PIECE))
    folders = [""]
    while folders:
        folder = folders.pop()
        for entry in os.ilistdir(folder or "/"):
            await asyncio.sleep_ms(0)
            name = folder + "/" + entry[0] if folder else entry[0]
            if not folder and not is_ours(name):
                continue
            if entry[1] == _IS_FOLDER:
                folders.append(name)
                continue
            sha256 = await _sha256(name, buffer)
            await each(name, sha256)
            count, digest = count + 1, digest ^ mark(name, sha256)
    return count, in_hex(digest)


def is_ours(name):
    """True for the firmware's files and folders in the root, but not for other firmware that is
    kept next to it while an update is on trial."""
    return name == "main.py" or name.startswith("nimatron") and name[-4:] not in (".old", ".bad")


def mark(name, sha256):
    """A file's part of the digest, an integer. The digest is the exclusive or of all parts, so the
    order in which the flash lists the files does not matter."""
    return int.from_bytes(hashlib.sha256((name + " " + sha256).encode()).digest(), "big")


def in_hex(digest):
    return "%064x" % digest


async def _sha256(name, buffer):
    sha = hashlib.sha256()
    with open(name, "rb") as file:
        while True:
            await asyncio.sleep_ms(0)
            n = file.readinto(buffer)
            if not n:
                return binascii.hexlify(sha.digest()).decode()
            sha.update(buffer[:n])
