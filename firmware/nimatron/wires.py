"""The survey of the matrix wiring, in repeated rounds of measurements. See
docs/explanation/wires.md."""

from array import array

from nimatron import board, loaded

# Ways to measure a column: from 0, with this row on and the other columns low, then with all rows
# off.
AMONG_HIGH = board.ROWS  # all rows off, the other columns high
AMONG_LOW = board.ROWS + 1
WAYS = board.ROWS + 2

NEVER = 4096  # the time of a column that does not fall
AT_ONCE = 3  # counts: up to this time, something holds the column low
OPEN = 85  # percent of a column's time with all rows off: above it, a row takes no charge

_NOISE = 3  # counts by which equal times may differ
_DRIFT = 3  # bits: times that differ by less than an eighth are equal


class Survey:
    """The survey, which measures all columns in all ways, one after another, forever.

    A round that differs from the previous round is measured again. If the next round gives the
    same result, its faults are reported. A module that is loaded only for this purpose diagnoses
    them. While the rounds are equal, the faults stay the same.

    probe: see devices/probe.py.
    shorts(): returns the faults from pads whose input differs from their output.
    changed(what, where, how): called for each new fault, and with "gone" as `how` for each fault
        that has gone.

    `faults` are the reported faults, or None while they are unknown.
    """

    def __init__(self, probe, shorts, changed):
        self._probe = probe
        self._shorts = shorts
        self._changed = changed
        self._times = array("H", [0] * (board.LAMPS * WAYS))  # the times in this round
        self._last = array("H", self._times)  # the times in the last round that was different
        self._last_shorts = None
        self._is_new = True  # True if the round is not diagnosed yet
        self._is_like_last = self._is_healthy = True  # true for this round so far
        self._at = 0
        self._is_asked = False
        self.faults = None

    def step(self):
        """Read the last measurement and begin the next measurement. A round has 42 measurements.
        Each is judged at once, because a press waits for the end of a step."""
        if self._is_asked:
            time, last = self._probe.result(), self._last[self._at]
            if time is None:  # the state machine has stopped
                self.faults, self._is_new = None, True
                return
            self._times[self._at] = time
            if abs(time - last) > _NOISE + (last >> _DRIFT):
                self._is_like_last = False
            self._at += 1
            if not self._at % WAYS and not self._responds(self._at - WAYS):
                self._is_healthy = False
            if self._at == len(self._times):
                self._conclude()
                self._at = 0
                self._is_like_last = self._is_healthy = True
        self._probe.begin(self._at // WAYS, self._at % WAYS)
        self._is_asked = True

    def _responds(self, at):
        """Return True if the column at index `at` falls faster with each row, and only then."""
        slowest = max(self._times[at : at + board.ROWS])
        high, low = self._times[at + AMONG_HIGH], self._times[at + AMONG_LOW]
        alone = min(high, low)
        return AT_ONCE < alone and max(high, low) < NEVER and 100 * slowest < OPEN * alone

    def _conclude(self):
        shorts = self._shorts()
        if not self._is_like_last or shorts != self._last_shorts:
            self._last, self._times = self._times, self._last
            self._last_shorts = shorts
            self._is_new = True
        elif self._is_new:
            self._is_new = False
            if self._is_healthy and not shorts:  # a press waits 20 ms for the diagnosis
                found = []
            else:
                found = loaded("diagnosis").diagnose(self._times, shorts)
            before, self.faults = self.faults or (), found
            for fault in found or ():
                if fault not in before:
                    self._changed(*fault)
            for fault in before:
                if fault not in (found or ()):
                    self._changed(fault[0], fault[1], "gone")
