"""The log of the last few failures of the firmware, and the handling of a failure.

The log is on flash. Long texts are shortened.
"""

import io
import sys

import micropython
from micropython import const

from nimatron.devices import restart
from nimatron.devices.serial import Serial
from nimatron.devices.storage import Storage

FILE = "crashes.json"
_MOST = const(5)
_LONGEST = const(600)  # characters to keep of a traceback, from its beginning and end


class CrashLog:
    """The last 5 failures, in crashes.json, read from flash at each call."""

    def __init__(self, storage):
        self._storage = storage
        self.entries()  # to report a damaged file now

    def entries(self):
        """Return the failures as [{"why": …, "text": …}, …], from the oldest to the newest."""
        entries = self._storage.load(FILE).get("crashes")
        if not isinstance(entries, list):
            return []
        return [entry for entry in entries if isinstance(entry, dict)][-_MOST:]

    def add(self, why, text):
        """Add a failure: its reason, one of restart.WHY, and its output."""
        if len(text) > _LONGEST:
            text = text[: _LONGEST // 2] + "...\n" + text[-_LONGEST // 2 :]
        entries = self.entries()[1 - _MOST :] + [{"why": why, "text": text}]
        self._storage.save(FILE, {"crashes": entries})

    def add_once(self, why, text):
        """Add a failure, unless the log already contains the same entry."""
        if {"why": why, "text": text} not in self.entries():
            self.add(why, text)

    def clear(self):
        """Forget all failures."""
        self._storage.save(FILE, {"crashes": []})


def crashed(failure, panel, serial):
    """Log the failure, switch everything off and print the traceback, then restart. If one of
    these steps fails, continue with the next step. Printing comes last, because the host may not
    read. Pass None for a `panel` or `serial` that does not exist yet."""
    try:
        micropython.kbd_intr(-1)
        text = _try(_traceback, failure) or ""
        _try(_log, text)
        if panel:
            _try(panel.dark)
        _try(_print, text, serial)
    finally:
        restart.restart(restart.CRASH)


def report(event):
    """Send an event to the console, if the console still works."""
    _try(_print, "event " + event)


def _try(step, *args):
    try:
        return step(*args)
    except Exception:
        return None


def _traceback(failure):
    text = io.StringIO()
    sys.print_exception(failure, text)
    return text.getvalue()


def _log(text):
    CrashLog(Storage(report)).add(restart.CRASH, text)


def _print(text, serial=None):
    serial = serial or Serial()
    serial.flush()
    for line in text.split("\n"):
        serial.write_line(line)
