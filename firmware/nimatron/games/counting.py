"""Counting games: players count to a target, 1 to k at a time; each number puts out a lamp."""

from nimatron import board
from nimatron.games.subtraction import Subtraction

_LAMPS = board.ROWS * board.LAMPS


class Counting(Subtraction):
    """A position is what remains to the target. Misère: whoever says the target loses."""

    heaps = (1, 1)
    theory = (
        "Bachet 1612: add one to the most you may count. To say the last number, always stop a"
        " multiple of that short of it; to avoid it, stop one number earlier."
    )

    def __init__(self, target, k):
        super().__init__(k)
        self.most = target
        first = min(target, _LAMPS)
        begin = "" if first == target else "on from %d " % (target - first)
        self.sentence = (
            "Take turns counting %sto %d, 1 to %d numbers at a time; each number puts out one"
            " lamp." % (begin, target, k)
        )
        self.openings = tuple([(n,) for n in (k + 3, 2 * k + 5, first - 2, first - 1, first)])

    def working(self, position, misere):
        return (("said", self.most - position[0]),) + super().working(position, misere)
