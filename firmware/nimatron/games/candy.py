"""Candy nim: nim with a candy for each lamp; winning comes first, candies second."""

from nimatron.games import ranking
from nimatron.games.nim import Nim
from nimatron.games.tables import candy

_NONE_MORE = 28  # the table's entry if both get the same number


class Candy(Nim):
    most = 7
    heaps = (1, 4)
    sentence = (
        "Put out one or more lamps, all in one row, and get a candy for each; winning comes first,"
        " candies second."
    )
    rules = ("normal",)
    theory = (
        "Bouton 1901 says who wins; a search finds the most candies. The loser may well get more"
        " of them (Mani, Nelakanti, Rubinstein-Salzedo and Tholen 2018)."
    )
    prize = "candies"

    def candies(self, position):
        """How many more candies the mover gets than the opponent, if both play their best."""
        return candy.MORE[ranking.rank(self.padded(position))] - _NONE_MORE

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
