"""Runs: put out neighbours of one row; the gaps stay, so that a row falls into runs."""

from nimatron import board, nim
from nimatron.games.pieces import Pieces, line, row, runs


class Runs(Pieces):
    sentence = "Put out one or more neighbouring lamps of one row; gaps do not close."
    theory = (
        "Each run of lamps counts as a heap of Nim of the same size, even if the last lamp loses."
    )

    def __init__(self):
        pieces = set()
        for number in range(board.ROWS):
            pieces |= line(row(number), range(1, board.LAMPS + 1))
        self.pieces = tuple(sorted(pieces))
        self.openings = tuple([self.parse([words]) for words in _OPENINGS])

    def is_p(self, position, misere):
        return nim.is_p(self._lengths(position), misere)

    def grundy(self, position):
        return nim.nim_sum(self._lengths(position))

    def _lengths(self, position):
        return [length for mask in self.picture(position) for length in runs(mask)]


_OPENINGS = (
    "1110000/1111000/1111100/0000000",
    "1110111/1101111/0000000/0000000",
    "1110111/1101100/1111111/0000000",
    "1111111/1110111/1101011/0111110",
    "1111111/1111111/1110111/1111111",
)
