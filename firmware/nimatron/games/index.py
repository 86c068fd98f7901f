"""Moore's nim of index k: take lamps from up to k rows at once, with or without a limit per
row."""

from nimatron import board
from nimatron.games import tables
from nimatron.games.game import Game
from nimatron.games.rows import RowGame

# The binary digits of a row, four bits for each: the sum of four rows counts the ones per digit.
_DIGITS = (0x000, 0x001, 0x010, 0x011, 0x100, 0x101, 0x110, 0x111)


class Index(RowGame):
    openings = ((1, 2, 2, 0), (1, 1, 3, 4), (2, 3, 3, 5), (4, 5, 6, 7), (7, 7, 7, 6))

    def __init__(self, k, limit=board.LAMPS):
        """Make the game in which a move takes at most `limit` lamps from each of at most k
        rows."""
        self._k = k
        self._limit = limit
        digits = 0, k + 1
        self._sums = [a << 8 | b << 4 | c for a in digits for b in digits for c in digits]
        sets = range(1 << board.ROWS)
        self._even = [rows for rows in sets if _ones(rows) % (k + 1) == 0]
        self._one_over = [rows for rows in sets if _ones(rows) % (k + 1) == 1]

    def options(self, position):
        return self._from(position, 0, self._k)

    def _from(self, position, first, rows):
        for row in range(first, board.ROWS):
            for take in range(1, min(position[row], self._limit) + 1):
                option = board.leave(position, row, take)
                yield option
                if rows > 1:
                    for more in self._from(option, row + 1, rows - 1):
                        yield more

    def allows(self, position, draft):
        return (
            sum([taken > 0 for taken in draft]) <= self._k
            and 0 < max(draft) <= self._limit
            and min(self.remaining(position, draft)) >= 0
        )

    def option_of(self, position, draft):
        return self.remaining(position, draft) if self.allows(position, draft) else None

    def is_p(self, position, misere):
        if misere and max(position) < 2:
            return sum(position) % (self._k + 1) == 1
        return sum([_DIGITS[n] for n in position]) in self._sums

    def winning_options(self, position, misere):
        """Return the winning options. There are up to 1694 options. Instead of testing all of
        them, build the few lost positions: in each binary digit, only a few sets of rows can have
        ones."""
        found = []
        for fours in self._even:
            for twos in self._even:
                for ones in self._even if fours or twos or not misere else self._one_over:
                    option = tuple(
                        [
                            (fours >> row & 1) << 2 | (twos >> row & 1) << 1 | ones >> row & 1
                            for row in range(board.ROWS)
                        ]
                    )
                    draft = tuple([n - left for n, left in zip(position, option)])
                    if min(draft) >= 0 and self.allows(position, draft):
                        found.append(option)
        return found

    def resisting_options(self, position):
        return [board.leave(position, row, 1) for row, n in enumerate(position) if n]


class BoundedIndex(Index):
    """The game in which a move takes at most `limit` lamps from each of at most 2 rows."""

    solved = "table"
    openings = ((1, 1, 1, 2), (1, 1, 2, 4), (1, 2, 2, 6), (1, 3, 5, 7), (1, 2, 6, 7), (1, 4, 7, 7))

    def __init__(self, limit):
        """Make the game with a `limit` of 1 or 2. Other limits have no table."""
        super().__init__(2, limit)
        from nimatron.games.tables import bounded_index as table

        self._lost = (
            (table.NORMAL_1, table.MISERE_1) if limit == 1 else (table.NORMAL_2, table.MISERE_2)
        )

    def is_p(self, position, misere):
        return tables.has(self._lost[misere], position)

    def winning_options(self, position, misere):
        return Game.winning_options(self, position, misere)


def _ones(number):
    return bin(number).count("1")
