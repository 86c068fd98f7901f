"""The flight recorder: the last presses and their effects, for `nimatron replay`.

The recording is in one piece of memory, which the next start recovers (restart.py). Therefore the
firmware need not save anything during a crash or a hang.

The memory has two halves. When one half is full, the recorder starts again in the other half. A
half begins with a scene, if possible, which is a state of the exhibit that a replay can start
from.

A record contains a code for the event (one byte) and the milliseconds since the previous record
(three bytes, little-endian). A scene or a console line adds its length (two bytes) and its text. A
state adds the lit row masks at its start. A zero byte ends a half.
"""

import json
import time
from binascii import b2a_base64

from nimatron import board
from nimatron.board import BUTTONS
from nimatron.states import STATES

FILE = "flight.json"  # the recording of the last run that failed

# Codes for events. The first three are added to the index of a button or a state.
PRESS, RELEASE, STATE = 0x10, 0x20, 0x30
SCENE, LINE = 0x40, 0x41
LOST = 0x42  # no scene was available

MAGIC = b"NIM1"
HEAD = 8  # bytes: MAGIC, the index of the newer half, unused
HALF = 2048  # bytes: about 300 presses and releases, with their effects
SIZE = HEAD + 2 * HALF
_DUE = HALF // 2  # after this many bytes, begin the other half at the next scene
_LONGEST_MS = 0xFFFFFF  # the longest time between two records: four and a half hours


def encoded(memory):
    """Return the memory of a recorder as text."""
    return b2a_base64(memory).decode().strip()


def save(storage, memory, failure):
    """Save the memory of a run that ended with `failure`, an entry in the crash log."""
    if memory[: len(MAGIC)] == MAGIC:
        storage.save(FILE, dict(failure, flight=encoded(memory)))


class Flight:
    """The recorder. `scene`, a dict, is the state of the exhibit at the start."""

    def __init__(self, scene):
        self.memory = bytearray(SIZE)
        self.memory[: len(MAGIC)] = MAGIC
        self._last = time.ticks_ms()
        self.begin(scene)

    @property
    def due(self):
        """Return True if the current half of the memory is at least 50 % full. Then the other half
        should begin with the next scene."""
        return self._at > self._due

    def begin(self, scene=None):
        """Begin a new half with `scene`. If `scene` is None, the half has no scene."""
        half = self.memory[len(MAGIC)] ^ 1
        self.memory[len(MAGIC)] = half
        self._at = HEAD + half * HALF
        self._due = self._at + _DUE
        self._end = self._at + HALF - 1
        if scene:
            self._text(SCENE, json.dumps(scene).encode())
        else:
            self._note(LOST, 0)

    def press(self, button):
        """Record a button press."""
        self._note(PRESS | BUTTONS.index(button), 0)

    def release(self, button):
        """Record the release of a button."""
        self._note(RELEASE | BUTTONS.index(button), 0)

    def line(self, line):
        """Record a typed line of bytes."""
        self._text(LINE, line)

    def state(self, name, masks):
        """Record that the exhibit enters a state, with the masks of the lit lamps."""
        at = self._note(STATE | STATES.index(name), board.ROWS)
        for row in range(board.ROWS):
            self.memory[at + row] = masks[row]

    def _text(self, what, text):
        size = len(text)
        at = self._note(what, 2 + size)
        self.memory[at] = size & 0xFF
        self.memory[at + 1] = size >> 8
        self.memory[at + 2 : at + 2 + size] = text

    def _note(self, what, more):
        """Add a record with room for `more` bytes, and return the index of the first byte."""
        if self._at + 4 + more > self._end:
            self.begin()
        now = time.ticks_ms()
        gap = time.ticks_diff(now, self._last)
        if not 0 <= gap <= _LONGEST_MS:
            gap = _LONGEST_MS
        memory = self.memory
        at = self._at
        memory[at] = what
        memory[at + 1] = gap & 0xFF
        memory[at + 2] = gap >> 8 & 0xFF
        memory[at + 3] = gap >> 16
        self._last = now
        self._at = at + 4 + more
        memory[self._at] = 0
        return at + 4
