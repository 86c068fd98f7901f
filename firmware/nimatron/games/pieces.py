"""Games on a board in which a move takes a piece, a given set of lamps that are all lit."""

from nimatron import board
from nimatron.games.boards import BoardGame


class PieceGame(BoardGame):
    """A game in which a move switches off one of `pieces`, which are masks of lamps."""

    pieces = ()

    def options(self, position):
        for piece in self.pieces:
            if position & piece == piece:
                yield position ^ piece

    def allows(self, position, picked):
        for piece in self.pieces:
            if picked & piece == picked and position & piece == piece:
                return True
        return False

    def option_of(self, position, draft):
        picked, _ = draft
        return position ^ picked if picked in self.pieces else None


def line(lamps, lengths, ring=False):
    """Return the pieces of these `lengths` that are neighbours in a line of lamps. In a ring, the
    last lamp is next to the first."""
    pieces = set()
    for start in range(len(lamps)):
        for length in lengths:
            if ring or start + length <= len(lamps):
                places = [(start + n) % len(lamps) for n in range(length)]
                pieces.add(sum([1 << lamps[place] for place in places]))
    return pieces


def row(number, first=0, last=board.LAMPS - 1):
    """Return the lamps in a row from one column to another."""
    return [number * board.LAMPS + column for column in range(first, last + 1)]


def runs(mask):
    """Return the lengths of the runs of ones in `mask`."""
    lengths = []
    while mask:
        mask //= mask & -mask
        length = 0
        while mask & 1:
            mask >>= 1
            length += 1
        lengths.append(length)
    return lengths


def full(lamps):
    """Return the mask of the first `lamps` lamps in reading order."""
    return (1 << lamps) - 1
