"""Games on heaps. A heap is a row of lamps, or several rows if there are few heaps.

Each press of a row's button switches off one more lamp. If no move takes that many lamps, or takes
lamps from these heaps together, the earlier lamps come back, and only the last lamp stays picked.
"""

from nimatron import board
from nimatron.games.game import Game
from nimatron.protocol import whole_number

_DIGITS = 30  # the most digits in a typed count


class HeapGame(Game):
    """A game on heaps. A position is a tuple of counts. If there are fewer heaps than rows, a
    "row" that a person types means a heap."""

    heaps = (1, board.ROWS)  # the minimum and maximum number of heaps
    most = None  # the most lamps per heap, or None without a limit. The panel has its own limit

    def counts(self, position):
        """Return the number of lamps in each heap. Everything else in a position is state."""
        return position

    def size(self, position):
        return sum(self.counts(position))

    # ------------------------------------------------------------------ as people know them

    def words(self, position):
        return ",".join(map(str, self.counts(position)))

    def parse(self, words):
        return self._begun(self.parse_option(words))

    def parse_option(self, words):
        counts = tuple([whole_number(n, _DIGITS) for word in words for n in word.split(",")])
        self._check(counts, self.most)
        return counts

    def _check(self, counts, most):
        least, many = self.heaps
        if not least <= len(counts) <= many:
            raise ValueError("rows given: %d. %s" % (len(counts), self._how_many()))
        for n in counts:
            if n < 0 and most is None:
                raise ValueError("a row of %d lamps: a row has 0 or more" % n)
            if n < 0 or most is not None and n > most:
                raise ValueError("a row of %d lamps: a row has 0 to %d" % (n, most))

    def _begun(self, position):
        if self.over(position):
            raise ValueError("the board is empty: at least one lamp must be lit")
        return position

    def _how_many(self):
        least, most = self.heaps
        if least == most:
            return "This game has %d" % most
        if least > 1:
            return "This game has %d to %d" % (least, most)
        return "The board has %d" % most

    def placed_on_panel(self, position):
        counts = self.counts(position)
        self._check(counts, span_of(counts) * board.LAMPS if counts else 0)
        return self._begun(position)

    def describe_move(self, before, after):
        before, after = self.counts(before), self.counts(after)
        taken = [b - a for b, a in zip(before, after)]
        heaps = [i for i, n in enumerate(taken) if n]
        if len(heaps) == 1:
            return ("row", heaps[0] + 1), ("take", taken[heaps[0]])
        return (("take", taken),)

    # ------------------------------------------------------------------ lamps and buttons

    def picture(self, position):
        counts = self.counts(position)
        span = span_of(counts)
        rows = []  # the lamps in each row
        for n in counts[: board.ROWS]:
            for _ in range(span):
                rows.append(min(n, board.LAMPS))
                n -= rows[-1]
        return board.picture(rows + [0] * (board.ROWS - len(rows)))

    def empty_draft(self, position):
        return (0,) * len(self.counts(position))

    def picked_words(self, draft):
        return ",".join(map(str, draft))

    def press(self, position, draft, row):
        heap = row // span_of(draft)
        if heap >= len(draft):
            return None
        more = board.leave(draft, heap, -1)
        if self.allows(position, more):
            return more
        alone = board.leave(self.empty_draft(position), heap, -1)
        if sum(draft) > draft[heap] and self.allows(position, alone):
            return alone
        return None

    def draft_of(self, position, left):
        before, left = self.counts(position), self.counts(left)
        draft = tuple([n - stays for n, stays in zip(before, left)])
        if len(before) != len(left) or min(draft) < 0:
            return None
        return draft if not any(draft) or self.allows(position, draft) else None

    def allows(self, position, draft):
        """Return True if some move takes the lamps in `draft`, and possibly more. Rule sets with
        many options override this with a faster method."""
        left = self.counts(self.remaining(position, draft))
        for option in self.options(position):
            if all([a <= b for a, b in zip(self.counts(option), left)]):
                return True
        return False

    def remaining(self, position, draft):
        counts = tuple([n - taken for n, taken in zip(position, draft)])
        return counts + position[len(draft) :]

    def option_of(self, position, draft):
        left = self.counts(self.remaining(position, draft))
        for option in self.options(position):
            if self.counts(option) == left:
                return option
        return None

    def take(self, position, row, count):
        self._check_take(position, row, count)
        option = self.option_of(position, board.leave(self.empty_draft(position), row, -count))
        if option is None:
            raise ValueError("%d of row %d is no move" % (count, row + 1))
        return option

    def _check_take(self, position, row, count):
        counts = self.counts(position)
        if not 0 <= row < len(counts):
            raise ValueError("row %d, rows are 1 to %d" % (row + 1, len(counts)))
        if count < 1 or count > counts[row]:
            raise ValueError("%d of the %d in row %d" % (count, counts[row], row + 1))


def span_of(heaps):
    """Return the number of rows per heap for this number of heaps."""
    return max(board.ROWS // len(heaps), 1)
