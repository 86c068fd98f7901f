"""Kayles: a row of lamps, in which a move switches off one lamp or two neighbours."""

from nimatron import bouton
from nimatron.games import tables
from nimatron.games.pieces import PieceGame, full, line, runs
from nimatron.games.tables import kayles as table

_LAMPS = 28  # lamps in the longest row of the table


class Kayles(PieceGame):
    solved = "table"
    openings = tuple([full(n) for n in (5, 7, 10, 14, 21, 28)])
    pieces = tuple(sorted(line(range(_LAMPS), (1, 2))))

    def __init__(self):
        self._partitions = tables.Partitions(2, _LAMPS + 1)

    def is_p(self, position, misere):
        """Look up the runs. Each run, with one dark lamp, is a part in a partition of the row."""
        if not misere:
            return not self.grundy(position)
        parts = [length + 1 for length in runs(position)]
        return tables.bit(table.MISERE, self._partitions.rank(parts))

    def grundy(self, position):
        return bouton.nim_sum([table.NIMBERS[length] for length in runs(position)])
