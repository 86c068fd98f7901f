"""The game “same number”: play nim, or take the same number of lamps from every heap."""

from nimatron import board, bouton
from nimatron.games import tables
from nimatron.games.heaps import HeapGame
from nimatron.games.tables import same_number


class SameNumber(HeapGame):
    heaps = (3, 4)
    most = board.LAMPS
    solved = "table"
    openings = ((1, 2, 4), (2, 3, 3, 3), (2, 3, 5), (1, 3, 4, 5), (2, 4, 5, 7), (5, 6, 7, 7))

    def options(self, position):
        for heap, n in enumerate(position):
            for take in range(1, n + 1):
                yield board.leave(position, heap, take)
        for take in range(1, min(position) + 1):
            yield tuple([n - take for n in position])

    def allows(self, position, draft):
        taken = max(draft)
        if sum(draft) == taken:
            return 0 < taken <= position[draft.index(taken)]
        return taken <= min(position)

    def is_p(self, position, misere):
        if len(position) == 4:
            return tables.has(same_number.FOUR_MISERE if misere else same_number.FOUR, position)
        if misere:
            return tables.has(same_number.THREE_MISERE, position)
        return bouton.is_p(position, False)
