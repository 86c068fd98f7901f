"""Candy nim: nim with a candy for each lamp. Winning comes first, and candies second."""

from nimatron.games import tables
from nimatron.games.nim import Nim
from nimatron.games.tables import candy

_NONE_MORE = 28  # the entry in the table if both players get the same number


class Candy(Nim):
    most = 7
    heaps = (1, 4)
    rules = ("normal",)
    prize = "candies"

    def candies(self, position):
        """Return the mover's number of candies minus the opponent's, if both play their best."""
        return candy.MORE[tables.rank(self.padded(position))] - _NONE_MORE

    def winning_options(self, position, misere):
        return self._sweetest(position, super().winning_options(position, misere))

    def resisting_options(self, position):
        return self._sweetest(position, self.options(position))

    def _sweetest(self, position, options):
        best, most = [], None
        for option in options:
            more = sum(position) - sum(option) - self.candies(option)
            if most is None or more > most:
                best, most = [], more
            if more == most:
                best.append(option)
        return best

    def working(self, position, misere):
        return super().working(position, misere) + (("more_candies", self.candies(position)),)
