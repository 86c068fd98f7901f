"""Games on heaps in which each heap is a row of lamps."""

from nimatron import board
from nimatron.games.heaps import HeapGame


class RowGame(HeapGame):
    """A game on rows. A position has four counts. Missing rows are dark."""

    most = board.LAMPS

    def parse_option(self, words):
        counts = super().parse_option(words)
        return counts + board.DARK[len(counts) :]

    def placed_on_panel(self, position):
        return board.position(position)
