"""The survey of the matrix's wires: round after round of measurements. See docs/wires.md."""

from array import array

from nimatron import board, loaded

# Ways to measure a column: with one row on, from 0, the other columns low; or with all rows off.
AMONG_HIGH = board.ROWS  # the other columns are high
AMONG_LOW = board.ROWS + 1
WAYS = board.ROWS + 2

NEVER = 4096  # the time of a column that does not fall
AT_ONCE = 3  # counts: something holds a column low
OPEN = 85  # percent of its time with all rows off: the row takes nothing away

_NOISE = 3  # counts
_DRIFT = 3  # bits: times that differ by less than an eighth are alike


class Survey:
    """Measures all columns in all ways, one after another, forever.

    A round that differs from the last one is measured again. If the next round is like it, its
    faults are the ones to report. They are diagnosed by a module that then leaves the memory
    again. As long as rounds are alike, so are the faults.

    probe: see devices/probe.py. shorts(): the faults of pads that do not read what the Pico
    drives. changed(what, where, how): called for each new fault, and with "gone" as `how` for
    each fault that has gone.

    `faults` are those that have been reported, None while nothing is known.
    """

    def __init__(self, probe, shorts, changed):
        self._probe = probe
        self._shorts = shorts
        self._changed = changed
        self._times = array("H", [0] * (board.LAMPS * WAYS))  # of this round
        self._last = array("H", self._times)  # of the last round that was different
        self._last_shorts = None
        self._is_new = True  # not diagnosed yet
        self._at = -1
        self.faults = None

    def step(self):
        """Take the last measurement and begin the next one. A round has 42 of them."""
        if self._at >= 0:
            time = self._probe.result()
            if time is None:  # the state machine has stopped
                self.faults, self._is_new = None, True
                return
            self._times[self._at] = time
        self._at += 1
        if self._at == len(self._times):
            self._at = 0
            self._conclude()
        self._probe.begin(self._at // WAYS, self._at % WAYS)

    def _conclude(self):
        shorts = self._shorts()
        if shorts != self._last_shorts or not self._alike():
            self._last, self._times = self._times, self._last
            self._last_shorts = shorts
            self._is_new = True
        elif self._is_new:
            self._is_new = False
            if not shorts and self._is_healthy():  # a press waits 20 ms for the diagnosis
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

    def _alike(self):
        for time, last in zip(self._times, self._last):
            if abs(time - last) > _NOISE + (last >> _DRIFT):
                return False
        return True

    def _is_healthy(self):
        """True if each row makes each column fall faster, and nothing else does."""
        for at in range(0, len(self._times), WAYS):
            slowest = max(self._times[at : at + board.ROWS])
            high, low = self._times[at + AMONG_HIGH], self._times[at + AMONG_LOW]
            alone = min(high, low)
            if max(high, low) == NEVER or alone <= AT_ONCE or 100 * slowest >= OPEN * alone:
                return False
        return True
