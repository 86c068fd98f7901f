"""The bundle: the compiled modules in one file, mounted as a read-only file system.

MicroPython looks for each module as a folder, as .py and as .mpy, and littlefs takes milliseconds
for each look. `nimatron deploy` writes the bundle: the size of its index in bytes (4 bytes,
little-endian), its index, and the modules. The index has a line of folders, then a line for each
module: its name, such as games/nim, where it begins in the bundle, and its size, both in bytes.
Modules are in the order in which they are imported at the start, so each is found at once.
"""

import io
import os
import sys

ROOT = "/rom"
_BUNDLE = "/nimatron/bundle"
_BEFORE, _AFTER = len("/nimatron/"), -len(".mpy")  # the parts of a path that the index omits
_FOLDER, _FILE = (0x4000,) + (0,) * 9, (0x8000,) + (0,) * 9  # as os.stat returns them
# What MicroPython brings. At each import it would first look for a file of that name.
_BUILT_IN = (
    "array asyncio binascii errno gc hashlib io json machine micropython os rp2 select sys time"
    " uctypes"
)


class Bundle:
    """The file system."""

    def __init__(self, file):
        self._file = open(file, "rb")
        self._index = self._file.read(int.from_bytes(self._file.read(4), "little"))
        folders = self._index[: self._index.find(b"\n")].decode().split()
        self._folders = {folder: _FOLDER for folder in folders}
        self._at = 0  # the line of the module that was looked for last

    def mount(self, readonly, mkfs):
        """Do nothing, as os.mount wants."""

    def umount(self):
        """Do nothing, as os.umount wants."""

    def stat(self, path):
        """As os.stat. For a path that does not exist, a KeyError is enough for import, and is
        raised faster than an OSError."""
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
        """The module that was looked for last, as a stream of bytes."""
        end = self._index.find(b"\n", self._at + 1)
        _, at, size = self._index[self._at : end].split(b" ")
        self._file.seek(int(at))
        return io.BytesIO(self._file.read(int(size)))


_path = [ROOT] + sys.path[1:]  # in place of this file's folder
sys.path[:] = (".frozen",)  # of the image. Not on flash
for _name in _BUILT_IN.split():
    sys.modules[_name] = __import__(_name)
os.mount(Bundle(_BUNDLE), ROOT)
sys.path[:] = _path
