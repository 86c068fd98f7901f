"""The bundle: the compiled modules in one file, mounted as a read-only file system.

MicroPython looks for each module as a folder, as .py and as .mpy, and each look-up takes
milliseconds in littlefs. `nimatron deploy` writes the bundle: the size of its index in bytes (4
bytes, little-endian), its index, and the modules. The index contains a line with the folders, then
a line for each module, with its name, such as games/nim, and its offset and size in bytes. The
modules are in the order of the imports at the start, so each module is found at once.
"""

import io
import os
import sys

ROOT = "/rom"
_BUNDLE = "/nimatron/bundle"
_BEFORE, _AFTER = len("/nimatron/"), -len(".mpy")  # the index omits these parts of a path
_LARGE = 4096  # bytes
_FOLDER, _FILE = (0x4000,) + (0,) * 9, (0x8000,) + (0,) * 9  # as os.stat returns them
# MicroPython's own modules. Each import would first look for a file with the same name.
_BUILT_IN = (
    "array asyncio binascii errno gc hashlib io json machine micropython os rp2 select sys time"
    " uctypes"
)


class Bundle:
    """The read-only file system in the bundle."""

    def __init__(self, file):
        self._file = open(file, "rb")
        self._index = self._file.read(int.from_bytes(self._file.read(4), "little"))
        folders = self._index[: self._index.find(b"\n")].decode().split()
        self._folders = {folder: _FOLDER for folder in folders}
        self._at = 0  # the index of the line for the last module that import looked up

    def mount(self, readonly, mkfs):
        """Do nothing. os.mount calls this."""

    def umount(self):
        """Do nothing. os.umount calls this."""

    def stat(self, path):
        """Return the result of os.stat for `path`. Raises KeyError if the path does not exist,
        which is enough for import and faster than an OSError."""
        if path[_AFTER:] == ".mpy":
            line = b"\n%s " % path[_BEFORE:_AFTER]
            at = self._index.find(line, self._at)
            if at < 0:
                at = self._index.find(line)
            if at >= 0:
                self._at = at
                return _FILE
        return self._folders[path]

    def open(self, path, mode):
        """Return the last module that `stat` has found, as a stream of bytes. A large module is
        read piece by piece, because fragmented memory has no room for it as a whole."""
        end = self._index.find(b"\n", self._at + 1)
        _, at, size = self._index[self._at : end].split(b" ")
        large = int(size) > _LARGE
        file = open(_BUNDLE, "rb") if large else self._file  # MicroPython closes what it has read
        file.seek(int(at))
        return file if large else io.BytesIO(file.read(int(size)))


_path = [ROOT] + sys.path[1:]  # ROOT replaces the folder of this file
sys.path[:] = (".frozen",)  # only the image, not the flash
for _name in _BUILT_IN.split():
    sys.modules[_name] = __import__(_name)
os.mount(Bundle(_BUNDLE), ROOT)
sys.path[:] = _path
