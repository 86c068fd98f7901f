"""Subtraction game S(1..k): take 1 to k lamps of one heap."""

from nimatron import board, bouton
from nimatron.games.heaps import HeapGame


class Subtraction(HeapGame):
    theory = (
        "Divide each heap by one more than the most you may take, and play Nim with the remainders"
        " (Berlekamp, Conway and Guy, Winning Ways, chapter 4)."
    )
    openings = ((7,), (6,), (15,), (2, 2, 5), (10, 7), (2, 4, 7), (28,))

    def __init__(self, k):
        self._k = k
        self.sentence = "Put out 1 to %d lamps, all in one heap." % k

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
