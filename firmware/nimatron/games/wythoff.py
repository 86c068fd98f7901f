"""Wythoff's game: play nim with two heaps, or take the same number of lamps from both."""

from nimatron import board
from nimatron.games.heaps import HeapGame


class Wythoff(HeapGame):
    heaps = (2, 2)
    most = 40
    openings = ((2, 4), (3, 6), (5, 8), (7, 12), (9, 14), (14, 14))

    def options(self, position):
        for heap, n in enumerate(position):
            for take in range(1, n + 1):
                yield board.leave(position, heap, take)
        for take in range(1, min(position) + 1):
            yield position[0] - take, position[1] - take

    def allows(self, position, draft):
        taken = max(draft)
        if sum(draft) == taken:
            return 0 < taken <= position[draft.index(taken)]
        return taken <= min(position)

    def is_p(self, position, misere):
        """Return True if the mover loses. `x` is at most `d` times the golden ratio if x * x <= x
        * d + d * d."""
        x = min(position)
        d = max(position) - x
        if misere and d < 2:
            return x == (0 if d else 2)
        return x * (x - d) <= d * d < (x + 1) * (x + 1 - d)
