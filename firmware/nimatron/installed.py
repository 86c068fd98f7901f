"""The files of the installed firmware on flash, read while the show continues.

A Pico takes 0.8 s to read all files. The `version` command must be faster, because every program
sends it first.
"""

import asyncio
import binascii
import hashlib
import os

_PIECE = 512  # bytes, for whose SHA-256 a Pico needs 0.6 ms
_IS_FOLDER = 0x4000


async def look(each):
    """Await each(name, SHA-256 in hex) for every file of the firmware. Return the number of files,
    and a digest of all names and contents.

    Other tasks run every millisecond, except while littlefs opens a folder or a file, which takes
    up to 2 or 4 ms on a Pico.
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
    """Return True if `name` is a file or folder of the firmware in the root, but not of the other
    firmware that is kept while an update is on trial."""
    return name == "main.py" or name.startswith("nimatron") and name[-4:] not in (".old", ".bad")


def mark(name, sha256):
    """Return a file's part of the digest, an integer. The digest is the exclusive or of all parts,
    so the order of the files on the flash does not matter."""
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
