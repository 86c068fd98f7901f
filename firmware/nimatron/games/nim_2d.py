"""Two-dimensional nim: switch off neighbours in one row or one column. On 4 x 4 it is TacTix."""

from nimatron.games import tables
from nimatron.games.boards import lamp_at
from nimatron.games.pieces import PieceGame, line

PIECE = 1024  # bytes in a piece of a table. Small pieces fit even into fragmented memory

_SIDE = 4

# The first player loses on a full board under both rules.
_OPENINGS = (
    "0110/1111/1111/1001",
    "0111/1011/1110/1101",
    "1110/1111/1111/1111",
    "1111/1011/1111/1111",
)


class Nim2d(PieceGame):
    solved = "table"
    shape = _SIDE, _SIDE

    def __init__(self):
        places = [[lamp_at(row, column) for column in range(_SIDE)] for row in range(_SIDE)]
        pieces = set()
        for places_in_line in places + [list(down) for down in zip(*places)]:
            pieces |= line(places_in_line, range(1, _SIDE + 1))
        self.pieces = tuple(sorted(pieces))
        self.openings = tuple([self.parse([words]) for words in _OPENINGS])
        self._lost = ()

    def is_p(self, position, misere):
        self._lost = self._lost or _tables()
        number = 0
        for mask in reversed(self.picture(position)[:_SIDE]):
            number = number << _SIDE | mask
        return tables.bit(self._lost[misere][number // (8 * PIECE)], number % (8 * PIECE))


def _tables():
    """Import the tables. The import waits until a position is judged, because the tables take 17
    kB."""
    from nimatron.games.tables import nim_2d

    return nim_2d.NORMAL, nim_2d.MISERE
