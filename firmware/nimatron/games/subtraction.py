"""Subtraction games S(1..k): take 1 to k lamps from one heap. Counting games: players count to a
target in steps of 1 to k, and each number switches off a lamp."""

from nimatron import board, bouton
from nimatron.games.heaps import HeapGame


class Subtraction(HeapGame):
    openings = ((7,), (6,), (15,), (2, 2, 5), (10, 7), (2, 4, 7), (28,))

    def __init__(self, k=3):
        self._k = k

    def options(self, position):
        for heap, n in enumerate(position):
            for take in range(1, min(self._k, n) + 1):
                yield board.leave(position, heap, take)

    def allows(self, position, draft):
        if not 0 < sum(draft) == max(draft) <= self._k:
            return False
        return min(self.remaining(position, draft)) >= 0

    def is_p(self, position, misere):
        return bouton.is_p(self._residues(position), misere)

    def grundy(self, position):
        return bouton.nim_sum(self._residues(position))

    def _residues(self, position):
        return [n % (self._k + 1) for n in position]


class Counting(Subtraction):
    """A counting game. A position is the difference to the target. In misère play, the player who
    reaches the target loses."""

    heaps = (1, 1)

    openings = ((6,), (11,), (19,), (20,), (21,))

    def __init__(self, target=21, k=3):
        super().__init__(k)
        self.most = target

    def working(self, position, misere):
        return (("said", self.most - position[0]),) + super().working(position, misere)
