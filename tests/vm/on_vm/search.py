"""Nim by exhaustive search, without theory, as the oracle on the VM. Runs on MicroPython."""

ROWS, LAMPS = 4, 7
POSITIONS = [
    (a, b, c, d)
    for a in range(LAMPS + 1)
    for b in range(LAMPS + 1)
    for c in range(LAMPS + 1)
    for d in range(LAMPS + 1)
]
RULES = (True, False)  # misere or not


def options(rows):
    """Return every position that one move leaves."""
    found = []
    for row in range(ROWS):
        for left in range(rows[row]):
            after = list(rows)
            after[row] = left
            found.append(tuple(after))
    return found


def _solve(misere):
    """Return a byte for each of POSITIONS, 1 if the mover wins. Options come first."""
    wins = bytearray(len(POSITIONS))
    wins[0] = misere
    for number in range(1, len(POSITIONS)):
        rows = POSITIONS[number]
        weight = 1
        for n in reversed(rows):
            for take in range(1, n + 1):
                if not wins[number - take * weight]:
                    wins[number] = 1
            weight *= LAMPS + 1
    return wins


_WINS = {misere: _solve(misere) for misere in RULES}


def mover_wins(rows, misere):
    number = 0
    for n in rows:
        number = number * (LAMPS + 1) + n
    return bool(_WINS[misere][number])


def winning_options(rows, misere):
    return [after for after in options(rows) if not mover_wins(after, misere)]


def refused(error, function, *args):
    """Return the text of the error that the call raises. Fail if it raises no error."""
    try:
        function(*args)
    except error as why:
        return str(why)
    raise AssertionError("%s%s is not refused" % (function, args))
