"""Moore's nim of index 2: take lamps from one or two rows at once, with or without a limit per
row."""

from nimatron import board
from nimatron.games import tables
from nimatron.games.rows import RowGame

# The binary digits of a row, four bits each. The sum of four rows counts the ones per digit.
_DIGITS = (0x000, 0x001, 0x010, 0x011, 0x100, 0x101, 0x110, 0x111)
_BY_THREE = (0x000, 0x003, 0x030, 0x033, 0x300, 0x303, 0x330, 0x333)  # sums that are P


class Index(RowGame):
    openings = ((1, 2, 2, 0), (1, 1, 3, 4), (2, 3, 3, 5), (4, 5, 6, 7), (7, 7, 7, 6))
    limit = board.LAMPS  # the most lamps that a move takes from a row

    def options(self, position):
        for row in range(board.ROWS):
            for take in range(1, min(position[row], self.limit) + 1):
                option = board.leave(position, row, take)
                yield option
                for other in range(row + 1, board.ROWS):
                    for more in range(1, min(position[other], self.limit) + 1):
                        yield board.leave(option, other, more)

    def allows(self, position, draft):
        return (
            sum([taken > 0 for taken in draft]) <= 2
            and 0 < max(draft) <= self.limit
            and min(self.remaining(position, draft)) >= 0
        )

    def option_of(self, position, draft):
        return self.remaining(position, draft) if self.allows(position, draft) else None

    def is_p(self, position, misere):
        if misere and max(position) < 2:
            return sum(position) % 3 == 1
        return sum([_DIGITS[n] for n in position]) in _BY_THREE

    def resisting_options(self, position):
        return [board.leave(position, row, 1) for row, n in enumerate(position) if n]


class BoundedIndex(Index):
    """The game in which a move takes one lamp from each of one or two rows."""

    solved = "table"
    limit = 1
    openings = ((1, 1, 1, 2), (1, 1, 2, 4), (1, 2, 2, 6), (1, 3, 5, 7), (1, 2, 6, 7), (1, 4, 7, 7))

    def __init__(self):
        from nimatron.games.tables import bounded_index as table

        self._lost = table.NORMAL, table.MISERE

    def is_p(self, position, misere):
        return tables.has(self._lost[misere], position)
