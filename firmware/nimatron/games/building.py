"""Building nim: first put stones in the rows, one by one. Then play nim."""

from nimatron import board, bouton
from nimatron.games.heaps import span_of
from nimatron.games.stateful import HeapGameWithState

_MOST = 10  # the most stones


class Building(HeapGameWithState):
    """Building nim. A position is the heaps, and the number of stones that are not placed yet. A
    draft counts the lamps that go out, so a placed stone counts -1."""

    heaps = (2, board.ROWS)
    most = _MOST
    solved = "search"
    openings = (
        (2, 1, 0, 1),
        (1, 1, 0, 2),
        (3, 1, 0, 2),
        (2, 0, 0, 4),
        (2, 0, 0, 0, 4),
        (1, 1, 1, 0, 5),
    )

    def options(self, position):
        heaps, stones = position[:-1], position[-1]
        if stones:
            for heap in range(len(heaps)):
                yield board.leave(heaps, heap, -1) + (stones - 1,)
        else:
            for heap, n in enumerate(heaps):
                for take in range(1, n + 1):
                    yield board.leave(position, heap, take)

    def size(self, position):
        """Return the size of a position, in which a stone that is not placed yet counts twice,
        because it will be placed and later switched off."""
        return sum(position) + position[-1]

    def is_p(self, position, misere):
        return self._is_p(tuple(sorted(position[:-1])), position[-1], misere, {})

    def winning_options(self, position, misere):
        known = {}
        return [
            option
            for option in self.options(position)
            if self._is_p(tuple(sorted(option[:-1])), option[-1], misere, known)
        ]

    def _is_p(self, heaps, stones, misere, known):
        """Return True if the mover loses. The search is as deep as the number of stones."""
        if not stones:
            return bouton.is_p(heaps, misere)
        if heaps not in known:
            lost = True
            for heap in range(len(heaps)):
                more = tuple(sorted(board.leave(heaps, heap, -1)))
                if self._is_p(more, stones - 1, misere, known):
                    lost = False
                    break
            known[heaps] = lost
        return known[heaps]

    def unsaid(self, counts):
        return 0

    def parse_option(self, words):
        position = super().parse_option(words)
        if sum(position) > _MOST:
            raise ValueError("%d stones, at most %d" % (sum(position), _MOST))
        return position

    def placed_on_panel(self, position):
        """Check that each row has room for all the remaining stones."""
        position = super().placed_on_panel(position)
        super().placed_on_panel(tuple([n + position[-1] for n in position[:-1]]) + (0,))
        return position

    def describe_move(self, before, after):
        for heap, n in enumerate(before[:-1]):
            if after[heap] > n:
                return ("row", heap + 1), ("put", 1)
        return super().describe_move(before, after)

    def press(self, position, draft, row):
        if not position[-1]:
            return super().press(position, draft, row)
        heap = row // span_of(draft)
        if heap >= len(draft) or draft[heap]:
            return None
        return board.leave(self.empty_draft(position), heap, 1)

    def draft_of(self, position, left):
        if not position[-1] or left[:-1] == position[:-1]:
            return super().draft_of(position, left)
        for heap in range(len(position) - 1):
            draft = board.leave(self.empty_draft(position), heap, 1)
            if self.remaining(position, draft)[:-1] == left[:-1]:
                return draft

    def remaining(self, position, draft):
        left = super().remaining(position, draft)
        if position[-1] and any(draft):
            return board.leave(left, len(draft), 1)
        return left
