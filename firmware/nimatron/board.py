"""The board: four rows of seven lamps, the buttons, and a position as a tuple of row counts.

A row of n lights its n leftmost lamps. Rows are numbered from 0 in code and from 1 for people.
"""

ROWS = 4
LAMPS = 7  # lamps in one row
FULL = (1 << LAMPS) - 1  # the mask of a full row
DARK = (0,) * ROWS

ROW_BUTTONS = tuple(["row%d" % (row + 1) for row in range(ROWS)])  # a button for each row
GO = "go"  # ends the turn
NEW = "new"
BUTTONS = ROW_BUTTONS + (GO, NEW)


def position(counts):
    """Return the position with these row counts from top to bottom. Missing rows are dark.

    Valid counts are one to four numbers from 0 to 7, not all of them 0. Raises ValueError for
    other counts, with a message for the person who typed them.
    """
    rows = tuple(counts)
    if len(rows) > ROWS:
        raise ValueError("rows given: %d. The board has %d" % (len(rows), ROWS))
    for n in rows:
        if n < 0 or n > LAMPS:
            raise ValueError("a row of %d lamps: a row has 0 to %d" % (n, LAMPS))
    if not any(rows):
        raise ValueError("the board is empty: at least one lamp must be lit")
    return rows + DARK[len(rows) :]


def picture(rows):
    """Return a mask for each row of a position, with bit 0 for the leftmost lamp."""
    return tuple([(1 << n) - 1 for n in rows])


def leave(rows, row, take):
    """Return the position after `take` lamps in `row`, counted from 0, are switched off."""
    return replace(rows, row, rows[row] - take)


def replace(rows, row, value):
    """Return `rows` with another value at index `row`."""
    return rows[:row] + (value,) + rows[row + 1 :]
