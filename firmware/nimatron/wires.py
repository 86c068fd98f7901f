"""What the matrix's wires are like, judged from how fast its columns fall. See docs/wires.md.

A column that has been charged and let go falls by the pull-down of its pad alone, or faster, if
something else takes its charge. Only times of the same column are compared, because nobody knows
its capacitance, the resistance of the pull-down or the voltage at which the pad changes its mind.
"""

from nimatron import board

# Ways to measure a column: with one row on, from 0, the other columns low; or with all rows off.
AMONG_HIGH = board.ROWS  # the other columns are high
AMONG_LOW = board.ROWS + 1
_WAYS = board.ROWS + 2

NEVER = 4096  # the time of a column that does not fall

_AT_ONCE = 3  # counts: something holds it low
_OPEN = 85  # percent of its time alone: its row takes nothing away
_SWITCHED = 62  # percent: more if a row that stays on takes the charge all the time
_ALIKE = 99  # percent: two rows that differ by less are the same


def diagnose(times, still):
    """The faults: a sorted list of (what, where, how), such as ("lamp", "3.5", "open"); None if
    these times say nothing about the wires.

    times: counts, for each column those with each row on, AMONG_HIGH and AMONG_LOW. still: the
    rows, from 0, whose pads do not move.
    """
    faults = [("row", str(row + 1), "short") for row in still]
    alone = [_alone(times, column) for column in range(board.LAMPS)]
    columns = [column for column in range(board.LAMPS) if alone[column]]
    if not columns:  # this chip or emulator cannot measure
        return None
    for column in range(board.LAMPS):
        if not alone[column]:
            faults.append(("column", str(column + 1), "short"))
        elif times[column * _WAYS + AMONG_HIGH] == NEVER:
            faults.append(("lamp", _shorted(times, column), "short"))
    shut = [_open_columns(times, alone, columns, row) for row in range(board.ROWS)]
    dark = [row for row in range(board.ROWS) if len(shut[row]) == len(columns)]
    if len(dark) == board.ROWS:
        faults.append(_silent(times, columns))
    elif dark and _conducts(times, alone, columns, dark):
        faults += [("row", str(row + 1), "short") for row in dark]
    else:
        faults += [("row", str(row + 1), "open") for row in dark if row not in still]
        for column in columns:
            rows = [row for row in range(board.ROWS) if column in shut[row]]
            if len(rows) == board.ROWS:
                faults.append(("column", str(column + 1), "open"))
            else:
                lamps = [row for row in rows if row not in dark]
                faults += [("lamp", _lamp(row, column), "open") for row in lamps]
    return sorted(set(faults))


def _alone(times, column):
    """Its time while all rows are off; 0 if something holds it."""
    high, low = times[column * _WAYS + AMONG_HIGH], times[column * _WAYS + AMONG_LOW]
    if low == NEVER or low <= _AT_ONCE or high <= _AT_ONCE:
        return 0
    if high < NEVER:
        return max(high, low)
    fastest = min([times[column * _WAYS + row] for row in range(board.ROWS)])
    return low if 100 * fastest < _OPEN * low else 0  # not if it is joined to another column


def _shorted(times, column):
    """Where the shorted lamp of a column is: the row that makes it fall by far the fastest."""
    rows = sorted([(times[column * _WAYS + row], row) for row in range(board.ROWS)])
    return _lamp(rows[0][1], column) if 2 * rows[0][0] < rows[1][0] else "?.%d" % (column + 1)


def _open_columns(times, alone, columns, row):
    """The columns that this row does not make fall faster."""
    return [c for c in columns if 100 * times[c * _WAYS + row] >= _OPEN * alone[c]]


def _silent(times, columns):
    """The fault of a matrix of which no row makes any difference.

    Either no charge flows off at all, or it always does, through one row that is never off. Then
    any other row that is switched on takes a little of it, because two LEDs conduct better than
    one; but that row itself makes no difference.
    """
    sums = [(sum([times[c * _WAYS + row] for c in columns]), row) for row in range(board.ROWS)]
    sums.sort()
    if 100 * sums[-2][0] < _ALIKE * sums[-1][0]:
        return "row", str(sums[-1][1] + 1), "short"
    return "row", "all", "open"


def _conducts(times, alone, columns, dark):
    """True if even the other rows make little difference, because a row is never off."""
    others = [row for row in range(board.ROWS) if row not in dark]
    taken = sum([times[c * _WAYS + row] for c in columns for row in others])
    return 100 * taken > _SWITCHED * len(others) * sum([alone[c] for c in columns])


def _lamp(row, column):
    return "%d.%d" % (row + 1, column + 1)


class Survey:
    """Measures all columns in all ways, one after another, for ever.

    probe: see lamps/probe.py. lamps: the driver, of which it needs `still`. changed(what, where,
    how): called for each fault that two rounds in a row have found, and with "gone" as `how` for
    one that two rounds have not found any more.

    `faults` are those that have been reported; None while nothing is known.
    """

    def __init__(self, probe, lamps, changed):
        self._probe = probe
        self._lamps = lamps
        self._changed = changed
        self._times = [0] * (board.LAMPS * _WAYS)
        self._at = 0
        self._asked = False
        self._last = None  # what the last round has found
        self.faults = None

    def step(self):
        """Take the last measurement and begin the next one. A round has 42 of them."""
        if self._asked:
            time = self._probe.result()
            if time is None:  # the state machine has stopped
                self.faults = None
                return
            self._times[self._at] = time
            self._at += 1
            if self._at == len(self._times):
                self._at = 0
                self._conclude(diagnose(self._times, self._lamps.still))
        self._probe.begin(self._at // _WAYS, self._at % _WAYS)
        self._asked = True

    def _conclude(self, found):
        if found == self._last and found != self.faults:
            before, self.faults = self.faults or (), found
            for fault in found or ():
                if fault not in before:
                    self._changed(*fault)
            for fault in before:
                if fault not in (found or ()):
                    self._changed(fault[0], fault[1], "gone")
        self._last = found
