"""Greedy nim: take lamps from the longest row only, or from one of several longest rows."""

from nimatron import board
from nimatron.games.rows import RowGame


class Greedy(RowGame):
    openings = ((2, 3, 0, 0), (1, 1, 3, 5), (1, 2, 3, 7), (2, 4, 4, 6), (3, 5, 6, 7), (4, 5, 6, 7))

    def options(self, position):
        longest = max(position)
        for row, n in enumerate(position):
            if n == longest:
                for take in range(1, n + 1):
                    yield board.leave(position, row, take)

    def allows(self, position, draft):
        taken = max(draft)
        return 0 < sum(draft) == taken <= position[draft.index(taken)] == max(position)

    def is_p(self, position, misere):
        longest = max(position)
        if longest == 0:
            return not misere
        return position.count(longest) % 2 == (misere and longest == 1)
