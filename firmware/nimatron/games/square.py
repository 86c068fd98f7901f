"""Subtract a square: take 1, 4, 9, 16 ... lamps from one heap."""

from nimatron import board, bouton
from nimatron.games.heaps import HeapGame


class Square(HeapGame):
    most = 79
    solved = "nimbers"
    openings = ((4,), (6, 3), (11,), (1, 4, 5, 5), (9, 13), (2, 4, 6, 7), (28,))

    def __init__(self):
        self._nimbers = [0]

    def options(self, position):
        for heap, n in enumerate(position):
            root = 1
            while root * root <= n:
                yield board.leave(position, heap, root * root)
                root += 1

    def is_p(self, position, misere):
        return bouton.is_p(self._worth(position), misere)

    def grundy(self, position):
        return bouton.nim_sum(self._worth(position))

    def _worth(self, position):
        known = self._nimbers
        while len(known) <= max(position):
            others = [known[n] for (n,) in self.options((len(known),))]
            worth = 0
            while worth in others:
                worth += 1
            known.append(worth)
        return [known[n] for n in position]
