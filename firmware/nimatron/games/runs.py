"""Runs: switch off neighbours in one row. The gaps stay and split the row into runs."""

from nimatron import board, bouton
from nimatron.games.pieces import PieceGame, line, row, runs


class Runs(PieceGame):
    def __init__(self):
        pieces = set()
        for number in range(board.ROWS):
            pieces |= line(row(number), range(1, board.LAMPS + 1))
        self.pieces = tuple(sorted(pieces))
        self.openings = tuple([_position(text) for text in _OPENINGS])

    def is_p(self, position, misere):
        return bouton.is_p(self._lengths(position), misere)

    def grundy(self, position):
        return bouton.nim_sum(self._lengths(position))

    def _lengths(self, position):
        return [length for mask in self.picture(position) for length in runs(mask)]


def _position(text):
    """Return the position with the rows of 1 and 0 in `text`. The rows below them are dark."""
    position = 0
    for number, lamps in enumerate(text.split("/")):
        for lamp, lit in zip(row(number), lamps):
            position |= (lit == "1") << lamp
    return position


_OPENINGS = (
    "1110000/1111000/1111100",
    "1110111/1101111",
    "1110111/1101100/1111111",
    "1111111/1110111/1101011/0111110",
    "1111111/1111111/1110111/1111111",
)
