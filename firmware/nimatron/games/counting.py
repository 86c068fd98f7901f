"""Counting games: two count to a target together and add 1 to k each; a lamp goes out for each."""

from nimatron import board
from nimatron.games.subtraction import Subtraction

_LAMPS = board.ROWS * board.LAMPS


class Counting(Subtraction):
    """A position is what is missing from the target. Misère: who says the target loses."""

    heaps = (1, 1)
    theory = (
        "Where saying the target wins, say what is a multiple of k + 1 short of it; where it"
        " loses, one less (Bachet 1612)."
    )

    def __init__(self, target, k):
        self._take(k)
        self.most = target
        first = min(target, _LAMPS)
        begin = (
            "" if first == target else "; on the lamps the count begins at %d" % (target - first)
        )
        self.sentence = "Count to %d together, each adding 1 to %d: one lamp out for each%s." % (
            target,
            k,
            begin,
        )
        self.openings = tuple([(n,) for n in (k + 3, 2 * k + 5, first - 2, first - 1, first)])

    def working(self, position, misere):
        return (("said", self.most - position[0]),) + super().working(position, misere)
