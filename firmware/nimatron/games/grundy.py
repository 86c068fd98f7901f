"""Grundy's game: split one heap into two unequal heaps.

A heap is a run of lamps in reading order, with a dark lamp before the next run. A cut is just
before the lamp with the light.
"""

from nimatron import board, bouton
from nimatron.games import tables
from nimatron.games.boards import BoardGame, hidden
from nimatron.games.tables import grundy as table
from nimatron.protocol import whole_number

_LAMPS = board.ROWS * board.LAMPS
_MOST = 28  # the most lamps, in heaps of 3 or more, that the table covers
_LARGEST = 100  # the size of the largest heap


class Grundy(BoardGame):
    """Grundy's game. A position is a tuple of heaps, left to right. A draft is the picked option,
    or (), and the lamp where the light is."""

    whole = True
    solved = "table"
    openings = ((5,), (3, 5), (8,), (4, 8), (11,), (6, 8), (13,), (14,))

    def __init__(self):
        self._partitions = None
        self._values = [0]

    def options(self, position):
        for i, heap in enumerate(position):
            for first in range(1, heap):
                if first * 2 != heap:
                    yield position[:i] + (first, heap - first) + position[i + 1 :]

    def over(self, position):
        return max(position) < 3

    def is_p(self, position, misere):
        if not misere:
            return not self.grundy(position)
        heaps = [n for n in position if n > 2]
        if sum(heaps) > _MOST:
            raise ValueError("misere play is known up to %d lamps in heaps of 3 or more" % _MOST)
        if not self._partitions:
            self._partitions = tables.Partitions(3, _MOST)
        return tables.bit(table.MISERE, self._partitions.rank(heaps))

    def grundy(self, position):
        values = self._values
        while len(values) <= max(position):
            heap = len(values)
            reached = {values[n] ^ values[heap - n] for n in range(1, (heap + 1) // 2)}
            values.append(bouton.mex(reached))
        return bouton.nim_sum([values[heap] for heap in position])

    # ------------------------------------------------------------------ as people know them

    def size(self, position):
        """Return the number of places between lamps."""
        return sum(position) - len(position)

    def words(self, position):
        return ",".join(map(str, position))

    def picked_words(self, draft):
        return self.words(draft[0]) or "0"

    def parse(self, words):
        position = self.parse_option(words)
        if self.over(position):
            raise ValueError("no run of 3 lamps or more: nothing can be cut")
        return position

    def parse_option(self, words):
        position = tuple([whole_number(n) for word in words for n in word.split(",")])
        for heap in position:
            if not 1 <= heap <= _LARGEST:
                raise ValueError("a run of %d lamps: a run has 1 to %d" % (heap, _LARGEST))
        return position

    def placed_on_panel(self, position):
        """Check that the board has room: each possible later cut needs a dark lamp."""
        if sum([max(heap + heap - 1, 2) for heap in position]) > _LAMPS + 1:
            raise ValueError("too many lamps to cut: the board has room for a run of 15")
        return position

    def describe_move(self, before, after):
        for i, heap in enumerate(before):
            if after[i] != heap:
                break
        return ("split", heap), ("into", after[i : i + 2])

    # ------------------------------------------------------------------ lamps and buttons

    def lamps(self, position):
        mask = at = 0
        for heap in position:
            mask |= (1 << heap) - 1 << at
            at += heap + 1
        return mask

    def empty_draft(self, position):
        return (), super().empty_draft(position)[1]

    def press(self, position, draft, row):
        """Move the light, and undo a picked cut."""
        lamp = self.step(self._cuts(position), draft[1], row)
        return None if lamp is None else ((), lamp)

    def _cuts(self, position):
        """Return the lamps before which a cut is possible."""
        mask = at = 0
        for heap in position:
            cuts = (1 << heap) - 2
            if heap % 2 == 0:
                cuts ^= 1 << heap // 2
            mask |= cuts << at
            at += heap + 1
        return mask

    def long_press(self, position, draft, row):
        cut, light = draft
        if cut or light // board.LAMPS != row:
            return None
        first = light
        for i, heap in enumerate(position):
            if first < heap:
                return position[:i] + (first, heap - first) + position[i + 1 :], hidden(light)
            first -= heap + 1

    def draft_of(self, position, left):
        nothing = self.empty_draft(position)
        if left == position:
            return nothing
        return (left, nothing[1]) if left in self.options(position) else None

    def remaining(self, position, draft):
        return draft[0] or position

    def option_of(self, position, draft):
        return draft[0] or None
