"""Graph nim as defined by Calkin and others: choose a corner of a graph, take some of its edges.

The name is also used for other games: moving a token along weighted edges (Fukuyama, Erickson),
and removing one corner or two adjacent ones.
"""

from collections.abc import Iterator
from itertools import combinations

from nimatron_host.theory.boxes import LAMPS
from nimatron_host.theory.search import Searched

_CORNERS = 5


class Corners(Searched[int]):
    """A position is a set of edges as an int: the bit of an edge is its place among the pairs of
    corners. In words it is the upper triangle of the adjacency matrix, a row for each corner."""

    sentence = "Choose a corner of the graph and remove one or more of the edges that meet there."
    last, last_done = "removes the last edge", "removed the last edge"
    theory = "Calkin and others 2010. Found by a complete search."
    example = "111/01/1"
    drawn = True

    def __init__(self) -> None:
        super().__init__()
        edges = list(combinations(range(_CORNERS), 2))
        self._stars = sorted(
            {
                sum(some)
                for corner in range(_CORNERS)
                for n in range(1, _CORNERS)
                for some in combinations([1 << i for i, e in enumerate(edges) if corner in e], n)
            }
        )

    def options(self, position: int) -> Iterator[int]:
        for star in self._stars:
            if position & star == star:
                yield position ^ star

    def size(self, position: int) -> int:
        return position.bit_count()

    def words(self, position: int) -> str:
        edges = iter(f"{position:0{_CORNERS * (_CORNERS - 1) // 2}b}"[::-1])
        rows = ["".join(next(edges) for _ in range(row)) for row in range(_CORNERS - 1, 0, -1)]
        return "/".join(rows)

    def parse_option(self, words: list[str]) -> int:
        """A graph with fewer corners has fewer and shorter rows."""
        text = "1111/111/11/1" if words == ["full"] else "/".join(words).translate(LAMPS)
        rows = text.split("/")
        corners = len(rows) + 1
        if (
            corners > _CORNERS
            or any(len(row) != corners - 1 - i for i, row in enumerate(rows))
            or set("".join(rows)) - {"0", "1"}
        ):
            raise ValueError("2 to 5 corners are rows as in 1 or 11/1 and so on to 1111/111/11/1")
        rows += [""] * (_CORNERS - corners)
        edges = "".join(row.ljust(_CORNERS - 1 - i, "0") for i, row in enumerate(rows))
        return int(edges[::-1], 2)
