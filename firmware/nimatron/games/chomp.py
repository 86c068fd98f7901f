"""Chomp: bite off a lamp with all lamps to the right and below. The last lamp is poisoned."""

from nimatron import board
from nimatron.games import tables
from nimatron.games.rows import RowGame
from nimatron.games.tables import chomp


class Chomp(RowGame):
    """Chomp. A position is the lengths of the rows. No row is longer than the row above it."""

    rules = ("misere",)
    whole = True
    solved = "table"
    openings = ((3, 3, 3, 0), (7, 7, 0, 0), (5, 4, 4, 2), (4, 4, 4, 4), (7, 6, 6, 5), (7, 7, 7, 7))

    def options(self, position):
        for row, n in enumerate(position):
            for left in range(n):
                yield _bite(position, row, left)

    def is_p(self, position, misere):
        return tables.has(chomp.MISERE, position)

    def press(self, position, draft, row):
        first = [taken > 0 for taken in draft].index(True) if any(draft) else row
        more = draft[row] + 1 if first == row else 1
        if more > position[row]:
            return None
        option = _bite(position, row, position[row] - more)
        return tuple([n - left for n, left in zip(position, option)])

    def allows(self, position, draft):
        """Return True if `draft` is a whole bite, because half a bite cannot be picked."""
        return self.remaining(position, draft) in self.options(position)

    def take(self, position, row, count):
        self._check_take(position, row, count)
        return _bite(position, row, position[row] - count)

    def _check(self, counts, most):
        super()._check(counts, most)
        if list(counts) != sorted(counts, reverse=True):
            raise ValueError("a row is longer than the row above it")

    def placed_on_panel(self, position):
        position = super().placed_on_panel(position)
        self._check(position, board.LAMPS)
        return position

    def describe_move(self, before, after):
        row = [b > a for b, a in zip(before, after)].index(True)
        return ("row", row + 1), ("column", after[row] + 1)


def _bite(position, row, left):
    return position[:row] + tuple([min(n, left) for n in position[row:]])
