"""Games of heaps: a heap is a row of lamps, or two rows or all four where there are fewer heaps.

Each press of a row's button puts out one more lamp of its heap. If no move takes so many, or takes
from these heaps together, the lamps picked so far come back and the picking starts over there.
"""

from nimatron import board
from nimatron.games.game import Game
from nimatron.numbers import whole_number

_DIGITS = 30  # of a count that somebody types


class Heaps(Game):
    """A position is a tuple of counts. Where a person says row, and there are fewer heaps than
    rows, it is the heap that is meant."""

    how = "Each press puts out a lamp of that row; GO ends your turn."
    heaps = (1, board.ROWS)  # how many there are, at least and at most

    def counts(self, position):
        """The lamps of each heap; the rest of the position is state."""
        return position

    def size(self, position):
        return sum(self.counts(position))

    # ------------------------------------------------------------------ as people know them

    def words(self, position):
        return ",".join([str(n) for n in self.counts(position)])

    def parse(self, words):
        position = self.parse_option(words)
        if not any(self.counts(position)):
            raise ValueError("an empty board, at least one lamp must be lit")
        return position

    def parse_option(self, words):
        counts = tuple([whole_number(n, _DIGITS) for word in words for n in word.split(",")])
        least, most = self.heaps
        if not least <= len(counts) <= most:
            raise ValueError("%d rows given, %s" % (len(counts), self._how_many()))
        for n in counts:
            if n < 0:
                raise ValueError("a row of %d lamps, a row has 0 or more" % n)
        return counts

    def _how_many(self):
        least, most = self.heaps
        if least == most:
            return "this game has %d" % most
        return "the board has %d" % most

    def seat(self, position):
        span = _span(position)
        for n in self.counts(position):
            if n > span * board.LAMPS:
                raise ValueError("a row of %d lamps, a row has 0 to %d" % (n, span * board.LAMPS))
        return position

    def move_words(self, before, after):
        before, after = self.counts(before), self.counts(after)
        taken = [b - a for b, a in zip(before, after)]
        heaps = [i for i, n in enumerate(taken) if n]
        if len(heaps) == 1:
            return "row=%d take=%d" % (heaps[0] + 1, taken[heaps[0]])
        return "take=%s" % ",".join([str(n) for n in taken])

    # ------------------------------------------------------------------ lamps and buttons

    def picture(self, position):
        counts = self.counts(position)
        span = _span(counts)
        rows = []  # lamps in each
        for n in counts[: board.ROWS]:
            for _ in range(span):
                rows.append(min(n, board.LAMPS))
                n -= rows[-1]
        return board.picture(rows + [0] * (board.ROWS - len(rows)))

    def nothing(self, position):
        return (0,) * len(self.counts(position))

    def picked_words(self, draft):
        return ",".join([str(n) for n in draft])

    def press(self, position, draft, row):
        heap = row // _span(draft)
        if heap >= len(draft):
            return None
        more = board.leave(draft, heap, -1)
        if self.allows(position, more):
            return more
        alone = board.leave(self.nothing(position), heap, -1)
        if sum(draft) > draft[heap] and self.allows(position, alone):
            return alone
        return None

    def allows(self, position, draft):
        """True if a move takes these, and maybe more. Rules whose options are many say it without
        looking at each."""
        left = self.counts(self.left(position, draft))
        for option in self.options(position):
            if all([a <= b for a, b in zip(self.counts(option), left)]):
                return True
        return False

    def left(self, position, draft):
        return tuple([n - taken for n, taken in zip(position, draft)])

    def after(self, position, draft):
        left = self.counts(self.left(position, draft))
        for option in self.options(position):
            if self.counts(option) == left:
                return option
        return None

    def take(self, position, row, count):
        counts = self.counts(position)
        if not 0 <= row < len(counts):
            raise ValueError("row %d, rows are 1 to %d" % (row + 1, len(counts)))
        if count < 1 or count > counts[row]:
            raise ValueError("%d of the %d in row %d" % (count, counts[row], row + 1))
        option = self.after(position, board.leave(self.nothing(position), row, -count))
        if option is None:
            raise ValueError("%d of row %d is no move" % (count, row + 1))
        return option


def _span(heaps):
    """How many rows of lamps each of so many heaps has."""
    return max(board.ROWS // len(heaps), 1)
