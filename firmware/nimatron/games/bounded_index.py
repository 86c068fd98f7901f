"""Nim of index k with a limit: at most so many lamps of each of up to k rows."""

from nimatron.games import ranking
from nimatron.games.game import Game
from nimatron.games.index import Index
from nimatron.games.tables import bounded_index

_TABLES = {
    1: (bounded_index.NORMAL_1, bounded_index.MISERE_1),
    2: (bounded_index.NORMAL_2, bounded_index.MISERE_2),
}


class BoundedIndex(Index):
    solved = "table"
    openings = ((1, 1, 1, 2), (1, 1, 2, 4), (1, 2, 2, 6), (1, 3, 5, 7), (1, 2, 6, 7), (1, 4, 7, 7))

    def __init__(self, k, limit):
        """k is 2, the limit 1 or 2: only these have tables."""
        super().__init__(k, limit)
        self.sentence = "Put out %s in each of up to %d rows." % (
            "one lamp" if limit == 1 else "1 to %d lamps" % limit,
            k,
        )
        self.theory = (
            "Found by a complete search. An encyclopedia applies Moore's rule to remainders, but"
            " that fails with four rows: if the last lamp wins, whoever moves at 1, 1, 1 and %d"
            " can win." % (limit + 1)
        )

    def is_p(self, position, misere):
        return ranking.has(_TABLES[self._limit][misere], position)

    def winning_options(self, position, misere):
        return Game.winning_options(self, position, misere)
