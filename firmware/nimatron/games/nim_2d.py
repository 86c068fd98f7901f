"""Two-dimensional nim: switch off neighbours in one row or one column. On 4 x 4 it is TacTix."""

from nimatron.games import tables
from nimatron.games.boards import lamp_at
from nimatron.games.pieces import PieceGame, line

PIECE = 1024  # bytes in a piece of a table: small pieces fit even into fragmented memory

# Openings by (rows, columns). The first player loses on a full 4 x 4 board under both rules.
_OPENINGS = {
    (3, 3): ("010/111/010", "101/111/101", "111/111/111"),
    (3, 4): ("1001/1111/1001", "0111/1111/1110", "1111/1111/1111"),
    (4, 4): (
        "0110/1111/1111/1001",
        "0111/1011/1110/1101",
        "1110/1111/1111/1111",
        "1111/1011/1111/1111",
    ),
}


class Nim2d(PieceGame):
    solved = "table"

    def __init__(self, rows, columns):
        self.shape = rows, columns
        places = [[lamp_at(row, column) for column in range(columns)] for row in range(rows)]
        pieces = set()
        for places_in_line in places + [list(down) for down in zip(*places)]:
            pieces |= line(places_in_line, range(1, len(places_in_line) + 1))
        self.pieces = tuple(sorted(pieces))
        self.openings = tuple([self.parse([words]) for words in _OPENINGS[self.shape]])
        self._tables = {}

    def is_p(self, position, misere):
        number = 0
        for mask in reversed(self.picture(position)[: self.shape[0]]):
            number = number << self.shape[1] | mask
        if misere not in self._tables:
            self._tables[misere] = self._table("MISERE" if misere else "NORMAL")
        piece = self._tables[misere][number // (8 * PIECE)]
        return tables.bit(piece, number % (8 * PIECE))

    def _table(self, rule):
        """Import a table. The import waits until a position is judged, because the tables take 17
        kB."""
        from nimatron.games.tables import nim_2d

        return getattr(nim_2d, "LOST_%dX%d_%s" % (self.shape + (rule,)))
