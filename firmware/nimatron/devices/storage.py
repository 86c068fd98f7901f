"""Storage: small JSON objects on flash that a power cut cannot corrupt.

A new file is written under another name, then renamed over the old file. littlefs renames it in
one step, so a power cut at any moment leaves either the old file or the new file complete.
"""

import errno
import json
import os

from micropython import const

_ASIDE = const(".new")
_DAMAGED = const(".bad")
_PIECE = const(1000)  # characters per read. MicroPython allocates the whole request up front
_LONGEST = const(16_000)  # the most characters in a file
_DEEPEST = const(400)  # the most objects and lists in a file
_TRIES = const(3)  # attempts to read a file, which may be readable a moment later


class Storage:
    """The files. For each file that cannot be read or saved, it calls `report(line)` with
    key=value words."""

    def __init__(self, report):
        self._report = report

    def load(self, name):
        """Return the object in a file, or an empty object if the file is missing or damaged. A
        damaged file is reported, and kept under another name."""
        damage = "damaged"
        for _ in range(_TRIES):
            try:
                value = _read(name)
                if value is not None:
                    return value
                break
            except OSError as failure:
                if failure.errno == errno.ENOENT:
                    return {}
                damage = "unreadable-%s" % failure.errno
        self._report("file=%s %s=kept-as-%s using=defaults" % (name, damage, name + _DAMAGED))
        try:
            os.rename(name, name + _DAMAGED)
        except OSError:
            pass
        return {}

    def save(self, name, value):
        """Save an object to a file. If this fails, report it and return False. The old contents
        are replaced only when the new file is complete."""
        try:
            text = json.dumps(value)
            with open(name + _ASIDE, "w") as file:
                file.write(text)
            os.rename(name + _ASIDE, name)
        except Exception as failure:
            why = failure.errno if isinstance(failure, OSError) else type(failure).__name__
            self._report("file=%s unsaved=%s" % (name, why))
            return False
        return True


def _read(name):
    """Return the object in a file, or None if the file contains no object or an object larger than
    any that we save. A larger object would leave too little memory for the show."""
    with open(name) as file:
        try:
            text = piece = file.read(_PIECE)
            while piece and len(text) <= _LONGEST:
                piece = file.read(_PIECE)
                text += piece
            if len(text) > _LONGEST or text.count("{") + text.count("[") > _DEEPEST:
                return None
            value = json.loads(text)
        except ValueError:
            return None
    return value if isinstance(value, dict) else None
