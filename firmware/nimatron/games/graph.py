"""Graph nim as defined by Calkin and others: choose a corner of a graph, take some of its edges.

The name is also used for other games: moving a token along weighted edges (Fukuyama, Erickson),
and removing one corner or two adjacent ones.
"""

from nimatron.games import tables
from nimatron.games.boards import lamp_at
from nimatron.games.pieces import PieceGame
from nimatron.games.tables import graph as table

_CORNERS = 5


class Graph(PieceGame):
    """The lamps are the upper triangle of the adjacency matrix: lamp j of row i, both from 0, is
    the edge from corner i to corner i + j + 1."""

    sentence = "Choose a corner of the graph and remove one or more of the edges that meet there."
    shape = _CORNERS - 1, _CORNERS - 1
    solved = "table"
    theory = "Calkin and others 2010; a complete search on up to 5 corners."

    def __init__(self):
        self._edges = []  # lamps in reading order
        stars = [[] for _ in range(_CORNERS)]
        for a in range(_CORNERS):
            for b in range(a + 1, _CORNERS):
                lamp = lamp_at(a, b - a - 1)
                self._edges.append(lamp)
                stars[a].append(lamp)
                stars[b].append(lamp)
        pieces = set()
        for star in stars:
            for some in range(1, 1 << len(star)):
                pieces.add(sum([1 << lamp for i, lamp in enumerate(star) if some >> i & 1]))
        self.pieces = tuple(sorted(pieces))
        self.openings = tuple([self.parse([words]) for words in _OPENINGS])

    def is_p(self, position, misere):
        number = 0
        for i, lamp in enumerate(self._edges):
            number |= (position >> lamp & 1) << i
        return tables.bit(table.MISERE if misere else table.NORMAL, number)

    def columns(self, row):
        return _CORNERS - 1 - row

    def parse_option(self, words):
        """A graph with fewer corners has fewer and shorter rows."""
        given = "/".join(words).split("/")
        corners = len(given) + 1
        if corners > _CORNERS or any([len(r) != corners - 1 - i for i, r in enumerate(given)]):
            raise ValueError("2 to 5 corners are rows as in 1 or 11/1 and so on to 1111/111/11/1")
        given += [""] * (_CORNERS - corners)
        missing = "0" * _CORNERS
        return super().parse_option(
            [(r + missing)[: self.columns(i)] for i, r in enumerate(given)]
        )


_OPENINGS = ("111/01/1", "1111/100/10/1", "1111/101/10/1", "1101/111/10/1")
