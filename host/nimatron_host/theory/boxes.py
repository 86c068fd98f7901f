"""Games on boxes of lamps of any dimension: a move puts out neighbours of one line."""

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod

from nimatron.protocol import whole_number
from nimatron_host.theory.search import Searched

LAMPS = str.maketrans("oOxX#*._-", "111111000")  # how people draw them
_SIDE, _DIMENSIONS = 16, 6


class Box(Searched[int]):
    """A position is a set of lamps as an int: the bit of a lamp is its place in reading order, in
    which the last side runs fastest."""

    drawn = True
    example = "full"

    def __init__(self, sides: str, sentence: str, lengths: tuple[int, ...] = ()) -> None:
        """sides: 3x4 or 2x2x3. lengths: how many neighbours a move takes. Any number if empty."""
        super().__init__()
        self.sides = tuple(whole_number(side) for side in sides.split("x"))
        if len(self.sides) > _DIMENSIONS or not all(1 <= side <= _SIDE for side in self.sides):
            raise ValueError(
                f"{sides} is no box: up to {_DIMENSIONS} sides of 1 to {_SIDE}, such as 3x4"
            )
        self.sentence = sentence
        self._pieces = sorted(self._lines(lengths or tuple(range(1, _SIDE + 1))))

    def _lines(self, lengths: Iterable[int]) -> set[int]:
        """The masks of all pieces of neighbours, of these lengths."""
        found = set()
        for start in product(*map(range, self.sides)):
            for axis, side in enumerate(self.sides):
                for length in lengths:
                    if start[axis] + length <= side:
                        places = [
                            (*start[:axis], start[axis] + n, *start[axis + 1 :])
                            for n in range(length)
                        ]
                        found.add(sum(1 << self._number(place) for place in places))
        return found

    def _number(self, place: Iterable[int]) -> int:
        number = 0
        for at, side in zip(place, self.sides, strict=True):
            number = number * side + at
        return number

    def options(self, position: int) -> Iterator[int]:
        for piece in self._pieces:
            if position & piece == piece:
                yield position ^ piece

    def size(self, position: int) -> int:
        return position.bit_count()

    def words(self, position: int) -> str:
        lamps = "".join(str(position >> n & 1) for n in range(prod(self.sides)))
        row = self.sides[-1]
        return "/".join(lamps[at : at + row] for at in range(0, len(lamps), row))

    def parse_option(self, words: list[str]) -> int:
        row, rows = self.sides[-1], prod(self.sides[:-1])
        given = "/".join(words).translate(LAMPS).split("/")
        if words == ["full"]:
            given = ["1" * row] * rows
        if len(given) != rows or any(len(r) != row or set(r) - {"0", "1"} for r in given):
            raise ValueError(
                f"the box has {rows} rows of {row} lamps: 1 or 0 for each, / between rows, or full"
            )
        return sum(1 << n for n, lamp in enumerate("".join(given)) if lamp == "1")
