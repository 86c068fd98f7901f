"""Find the faults in the matrix wiring from the fall times of its columns. See
docs/explanation/wires.md.

A charged column falls slowly through the pull-down of its pad, or faster if another part takes its
charge. Only times of the same column are compared, because its capacitance, the resistance of the
pull-down and the threshold of the pad are unknown.
"""

from nimatron import board
from nimatron.wires import AMONG_HIGH, AMONG_LOW, AT_ONCE, NEVER, OPEN, WAYS

_SWITCHED = 62  # percent: above this share, a row that stays on always takes the charge
_ALIKE = 99  # percent: two rows count as equal if the smaller figure is at least this share


def diagnose(times, shorts):
    """Return the faults as a sorted list of (what, where, how), such as ("lamp", "3.5", "open"),
    or None if these times are not enough to judge the wires.

    `times` are the counts for each column with each row on, AMONG_HIGH and AMONG_LOW. `shorts` are
    faults that are known without measuring, from pads whose input differs from their output.
    """
    faults = list(shorts)
    alone = [_alone(times, column) for column in range(board.LAMPS)]
    columns = [column for column in range(board.LAMPS) if alone[column]]
    if not columns:  # this chip or emulator cannot measure fall times
        return None
    for column in range(board.LAMPS):
        if not alone[column]:
            faults.append(("column", str(column + 1), "short"))
        elif times[column * WAYS + AMONG_HIGH] == NEVER:
            faults.append(("lamp", _shorted(times, column), "short"))
    shut = [_open_columns(times, alone, columns, row) for row in range(board.ROWS)]
    dark = [row for row in range(board.ROWS) if len(shut[row]) == len(columns)]
    if len(dark) == board.ROWS or dark and _conducts(times, alone, columns, dark):
        faults.append(_silent(times, columns))
    else:
        rows = [str(row + 1) for row in dark]
        faults += [("row", row, "open") for row in rows if ("row", row, "short") not in shorts]
        for column in columns:
            rows = [row for row in range(board.ROWS) if column in shut[row]]
            if len(rows) == board.ROWS:
                faults.append(("column", str(column + 1), "open"))
            else:
                lamps = [row for row in rows if row not in dark]
                faults += [("lamp", _lamp(row, column), "open") for row in lamps]
    return sorted(set(faults))


def _alone(times, column):
    """Return the time of a column while all rows are off, or 0 if something holds the column."""
    high, low = times[column * WAYS + AMONG_HIGH], times[column * WAYS + AMONG_LOW]
    if low == NEVER or low <= AT_ONCE or high <= AT_ONCE:
        return 0
    if high < NEVER:
        return max(high, low)
    fastest = min([times[column * WAYS + row] for row in range(board.ROWS)])
    return low if 100 * fastest < OPEN * low else 0  # 0 if the column is joined to another


def _shorted(times, column):
    """Return the row with this column's shorted lamp. With this row on, the column falls much
    faster than with any other row."""
    rows = sorted([(times[column * WAYS + row], row) for row in range(board.ROWS)])
    return _lamp(rows[0][1], column) if 2 * rows[0][0] < rows[1][0] else "?.%d" % (column + 1)


def _open_columns(times, alone, columns, row):
    """Return the columns that do not fall faster when `row` is on."""
    return [c for c in columns if 100 * times[c * WAYS + row] >= OPEN * alone[c]]


def _silent(times, columns):
    """Return the fault in a matrix whose rows make little or no difference.

    There are two possible causes. Either no charge flows off at all, or it always flows off
    through a row that is never off. In the second case, every other row makes a small difference,
    because two LEDs conduct better than one LED. Only the row that is never off makes no
    difference.
    """
    sums = [(sum([times[c * WAYS + row] for c in columns]), row) for row in range(board.ROWS)]
    sums.sort()
    if 100 * sums[-2][0] < _ALIKE * sums[-1][0]:
        return "row", str(sums[-1][1] + 1), "short"
    return "row", "all", "open"


def _conducts(times, alone, columns, dark):
    """Return True if all other rows make little difference, because one row is never off."""
    others = [row for row in range(board.ROWS) if row not in dark]
    taken = sum([times[c * WAYS + row] for c in columns for row in others])
    return 100 * taken > _SWITCHED * len(others) * sum([alone[c] for c in columns])


def _lamp(row, column):
    return "%d.%d" % (row + 1, column + 1)
