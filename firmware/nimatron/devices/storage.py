"""Storage: small JSON objects on flash that a power cut cannot spoil.

A file is written aside and renamed over the old one. littlefs does that in one step, so a cut at
any moment leaves the old file or the new one, whole.
"""

import errno
import json
import os

from micropython import const

_ASIDE = const(".new")
_DAMAGED = const(".bad")
_PIECE = const(1000)  # characters per read: MicroPython allocates the whole request up front
_LONGEST = const(16_000)  # characters of a file
_DEEPEST = const(400)  # objects and lists in it
_TRIES = const(3)  # it may be readable a moment later


class Storage:
    """The files. `report(line)` is called with key=value words for each one that cannot be read
    or saved."""

    def __init__(self, report):
        self._report = report

    def load(self, name):
        """The object in a file, or an empty one if the file is missing or damaged. A damaged file
        is reported, and kept under another name."""
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
        """Save an object to a file. If the flash does not take it, report that and return False.
        The old contents are lost only when the new file is complete."""
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
    """The object in a file, or None if it holds none, or one larger than any we save: that would
    leave the show too little memory."""
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
