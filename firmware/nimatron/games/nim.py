"""Nim: switch off one or more lamps in one row."""

from nimatron import board, bouton
from nimatron.games.heaps import HeapGame


class Nim(HeapGame):
    heaps = (1, 28)

    # Nine openings, as in 1940. The original openings are unknown. These are our choice, from easy
    # to hard. The first player can win each of them under both rules.
    openings = (
        (3, 4, 5, 0),
        (1, 2, 3, 4),
        (1, 3, 5, 6),
        (2, 3, 5, 7),
        (1, 4, 5, 7),
        (2, 4, 6, 7),
        (3, 4, 6, 7),
        (3, 5, 6, 7),
        (7, 7, 7, 6),
    )

    def options(self, position):
        for row, n in enumerate(position):
            for take in range(1, n + 1):
                yield board.leave(position, row, take)

    def over(self, position):
        return not any(position)

    def allows(self, position, draft):
        """Return True if all lamps are from one row. A plain loop is fast, and a press waits."""
        rows = 0  # the number of rows with picked lamps
        for n, taken in zip(position, draft):
            if taken:
                rows += 1
                if taken > n or rows > 1:
                    return False
        return rows == 1

    def any_option(self, position, dice):
        """Return one of the options without making all of them, which takes a Pico 2 ms."""
        number = dice.roll(sum(position))
        for row, n in enumerate(position):
            if number < n:
                return board.leave(position, row, number + 1)
            number -= n

    def is_p(self, position, misere):
        return bouton.is_p(position, misere)

    def grundy(self, position):
        return bouton.nim_sum(position)

    def winning_options(self, position, misere):
        return [
            board.replace(position, row, position[row] - take)
            for row, take in bouton.winning_moves(position, misere)
        ]

    def resisting_options(self, position):
        """Return the options that delay a loss the longest, which take one lamp from a row whose
        count ends in the fewest binary zeros. An exhaustive search finds no way to delay the loss
        longer, from any P-position on this board and under either rule
        (tests/firmware/test_opponent.py)."""
        lowest = min([n & -n for n in position if n], default=0)
        return [
            board.leave(position, row, 1)
            for row, n in enumerate(position)
            if n and n & -n == lowest
        ]

    def working(self, position, misere):
        """Return each row in binary, the nim-sum, and its meaning for the mover."""
        return (
            ("binary", [_binary(n) for n in position]),
            ("nim_sum", _binary(bouton.nim_sum(position))),
            ("outcome", "P" if self.is_p(position, misere) else "N"),
        ) + _ending(position, misere)

    def steps(self, position, misere):
        """Show the rows in binary on the three rightmost lamps, then column by column."""
        binary = tuple([_mirrored(n) << 4 for n in position])
        yield binary, (("binary", [_binary(n) for n in position]),) + _ending(position, misere)
        for bit in (2, 1, 0):
            ones = sum([n >> bit & 1 for n in position])
            column = tuple([mask & 1 << 6 - bit for mask in binary])
            yield column, (("column", 1 << bit), ("ones", ones))

    def padded(self, position):
        return position + board.DARK[len(position) :]

    def placed_on_panel(self, position):
        return board.position(position)


def _ending(position, misere):
    """Return the deciding facts as (key, value) pairs if the nim-sum does not decide. The nim-sum
    does not decide at the end of misère play, when at most one row has two or more lamps."""
    if not misere or sum([n > 1 for n in position]) > 1:
        return ()
    return (("misere", "leave an odd number of single lamps"),)


def _binary(n):
    """Return `n` in binary with at least three digits, which are enough for a row of lamps."""
    digits = bin(n)[2:]
    return "0" * (3 - len(digits)) + digits


def _mirrored(n):
    """Return three bits of `n` in reverse order, because bit 0 of a lamp mask is the leftmost."""
    return (n & 1) << 2 | n & 2 | n >> 2 & 1
