"""Circular nim: a ring of lamps, in which a move switches off one, two or three neighbours.

The ring is the edge of the panel, where neighbours are easy to see.
"""

from nimatron import board, bouton
from nimatron.games import tables
from nimatron.games.pieces import PieceGame, line, row, runs
from nimatron.games.tables import circular as table

_LAMPS = 18
_BOTTOM, _RIGHT = 3, board.LAMPS - 1  # the last row and the last column of the ring


class Circular(PieceGame):
    solved = "table"

    def __init__(self):
        self._ring = ring = _edge()
        self.pieces = tuple(sorted(line(ring, (1, 2, 3), True)))
        self._full = sum([1 << lamp for lamp in ring])
        self.openings = tuple([self._without(dark) for dark in _DARK])
        self._partitions = tables.Partitions(2, _LAMPS)

    def _without(self, dark):
        """Return the ring without the lamps in `dark`, which are places in the ring."""
        return self._full & ~sum([1 << self._ring[place] for place in dark])

    def parse_option(self, words):
        position = super().parse_option(words)
        if position & ~self._full:
            raise ValueError("a lamp that is not on the ring")
        return position

    def is_p(self, position, misere):
        """Look up the runs. Each run, with one dark lamp, is a part in a partition of the ring."""
        if position == self._full:
            return True
        if not misere:
            return not self.grundy(position)
        parts = [length + 1 for length in self._runs(position)]
        return tables.bit(table.MISERE, self._partitions.rank(parts))

    def grundy(self, position):
        """Return the Grundy value. A full ring has the value 0, because no move leads to a value
        of 0."""
        if position == self._full:
            return 0
        return bouton.nim_sum([table.NIMBERS[length] for length in self._runs(position)])

    def _runs(self, position):
        """Return the runs in a ring that is not full, which is cut open at a dark lamp."""
        ring = self._ring
        cut = 0
        while position >> ring[cut] & 1:
            cut += 1
        row = 0
        for place in range(cut, cut + len(ring)):
            row = row << 1 | position >> ring[place % len(ring)] & 1
        return runs(row)


# The dark places in each opening. They exist because a full ring is lost.
_DARK = ((0, 1, 5, 6), (0, 4, 8), (0,), (0, 1), (0, 1, 2))


def _edge():
    """Return the lamps of the ring, clockwise from its top left corner."""
    middle = range(1, _BOTTOM)
    right = [row(r, _RIGHT, _RIGHT)[0] for r in middle]
    left = [row(r, 0, 0)[0] for r in reversed(middle)]
    bottom = row(_BOTTOM, 0, _RIGHT)
    bottom.reverse()
    return tuple(row(0, 0, _RIGHT) + right + bottom + left)
