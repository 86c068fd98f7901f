"""Storage: small JSON objects on flash that a power cut cannot spoil.

A file is written aside and renamed over the old one. littlefs does that in one step, so a cut at
any moment leaves the old file or the new one, whole.
"""

import errno
import json
import os

_ASIDE = ".new"
_DAMAGED = ".bad"


class Storage:
    """`report(line)` is called with key=value words for each file that cannot be read or saved."""

    def __init__(self, report):
        self._report = report

    def load(self, name):
        """The object in a file; an empty one if there is none or it is damaged. A damaged file is
        reported, and put aside for whoever wants to look."""
        try:
            with open(name) as file:
                value = json.loads(file.read())
            if isinstance(value, dict):
                return value
        except OSError as failure:
            if failure.errno != errno.ENOENT:
                self._report("file=%s unreadable=%s using=defaults" % (name, failure.errno))
            return {}
        except ValueError:
            pass
        self._report("file=%s damaged=kept-as-%s using=defaults" % (name, name + _DAMAGED))
        try:
            os.rename(name, name + _DAMAGED)
        except OSError:
            pass
        return {}

    def save(self, name, value):
        """Put an object in a file; False, and reported, if the flash does not take it. What the
        file held before is lost only when the new one is complete."""
        try:
            with open(name + _ASIDE, "w") as file:
                file.write(json.dumps(value))
            os.rename(name + _ASIDE, name)
        except OSError as failure:
            self._report("file=%s unsaved=%s" % (name, failure.errno))
            return False
        return True
