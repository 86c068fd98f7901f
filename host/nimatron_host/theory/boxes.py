"""Games on boxes of lamps in up to three dimensions. A move switches off neighbouring lamps in
one line."""

from collections.abc import Iterable, Iterator
from itertools import chain, permutations, product
from math import prod
from operator import and_

from nimatron.protocol import whole_number
from nimatron_host.theory.search import Searched

LAMPS = str.maketrans("oOxX#*._-", "111111000")  # lit and dark lamps, as people draw them
_LAMPS, _DIMENSIONS = 100, 3
_BITS = 8  # the bits of a mask that one table turns or mirrors


class Box(Searched[int]):
    """A box of lamps. A position has a bit for each lit lamp. The bits are in reading order: the
    last coordinate changes fastest."""

    drawn = True
    example = "full"
    theory = (
        "Found by a search, part by part. A board that looks the same turned or mirrored is worth "
        "0 if no move meets its own image, because the other player can copy each move."
    )

    def __init__(self, sides: str, sentence: str, lengths: tuple[int, ...] = ()) -> None:
        """`sides` is a text such as 2x2x3. `lengths` lists the sizes of a move, or is empty for
        any."""
        super().__init__()
        self.sides = tuple(whole_number(side) for side in sides.split("x"))
        if len(self.sides) > _DIMENSIONS or not 0 < prod(self.sides) <= _LAMPS:
            raise ValueError(f"{sides} is not a box of 1 to {_LAMPS} lamps, such as 3x4")
        self.sentence = sentence
        self._places = list(product(*map(range, self.sides)))
        self._number = {place: n for n, place in enumerate(self._places)}
        pieces = self._lines(lengths or tuple(range(1, max(self.sides) + 1)))
        self.pieces = sorted(pieces, key=self._from_middle)
        self._least = min(lengths, default=1)
        images = [self._image(*one) for one in self._symmetries()]
        self._images = [image for i, image in enumerate(images) if image not in images[:i]]
        self._axes = [
            (prod(self.sides[axis + 1 :]), *(self._face(axis, at) for at in (0, side - 1)))
            for axis, side in enumerate(self.sides)
        ]
        self._alike: dict[int, int] = {}

    def _lines(self, lengths: Iterable[int]) -> set[int]:
        """Return the masks of all pieces: neighbours in a line, of one of these lengths."""
        found = set()
        for start in self._places:
            for axis, side in enumerate(self.sides):
                for length in lengths:
                    if start[axis] + length <= side:
                        places = [
                            (*start[:axis], start[axis] + n, *start[axis + 1 :])
                            for n in range(length)
                        ]
                        found.add(sum(1 << self._number[place] for place in places))
        return found

    def _from_middle(self, piece: int) -> tuple[int, int, int]:
        """Return a sort key that puts moves in the middle first, because they often leave a
        symmetric board."""
        places = [place for n, place in enumerate(self._places) if piece >> n & 1]
        ends = zip(places[0], places[-1], self.sides, strict=True)
        return sum(abs(a + b + 1 - side) for a, b, side in ends), -len(places), piece

    def _face(self, axis: int, at: int) -> int:
        return sum(1 << n for n, place in enumerate(self._places) if place[axis] == at)

    def _symmetries(self) -> Iterator[tuple[tuple[int, ...], tuple[bool, ...]]]:
        """Yield each symmetry, the identity first: (order of the axes, flags of mirrored axes)."""
        axes = range(len(self.sides))
        for order in permutations(axes):
            if all(self.sides[a] == self.sides[b] for a, b in enumerate(order)):
                for flips in product((False, True), repeat=len(axes)):
                    yield order, flips

    def _image(self, order: tuple[int, ...], flips: tuple[bool, ...]) -> list[list[int]]:
        """Return tables with the images of all masks, one table for each group of `_BITS` bits."""
        bits = []
        for place in self._places:
            turned = [place[axis] for axis in order]
            moved = zip(turned, flips, self.sides, strict=True)
            bits.append(1 << self._number[tuple(s - 1 - t if f else t for t, f, s in moved)])
        tables = []
        for at in range(0, len(bits), _BITS):
            some = [0]
            for bit in bits[at : at + _BITS]:
                some += [bit | mask for mask in some]
            tables.append(some)
        return tables

    # ------------------------------------------------------------------ the search

    def options(self, position: int) -> Iterator[int]:
        for piece in self.pieces:
            if position & piece == piece:
                yield position ^ piece

    def parts(self, position: int) -> list[int]:
        """Return the connected groups in standard form, without lamps that no move takes."""
        found = []
        while position:
            part, grown = 0, position & -position
            while part != grown:
                part = grown
                for step, first, last in self._axes:
                    grown |= (grown & ~last) << step | (grown & ~first) >> step
                grown &= position
            position ^= part
            if self._least == 1 or part & part - 1:
                found.append(self._turned(part))
        return found

    def _turned(self, part: int) -> int:
        """Return the standard form: the smallest of all turned and mirrored masks in the
        corner."""
        if part not in self._alike:
            seen = self.images(part)
            self._alike[part] = min(mask >> self._from_corner(mask) for mask in seen)
        return self._alike[part]

    def images(self, mask: int) -> list[int]:
        """Return all turned and mirrored masks."""
        return [_mapped(image, mask) for image in self._images]

    def _from_corner(self, mask: int) -> int:
        """Return the number of bits by which to shift a mask into the corner."""
        shift = 0
        for step, first, _ in self._axes:
            while not mask >> shift & first:
                shift += step
        return shift

    def value_of(self, part: int) -> int | None:
        """Return 0 if the second player wins by copying each move under a symmetry, or None."""
        for mirror in self._images[1:]:
            image = _mapped(mirror, part)
            shift = self._from_corner(image)
            if image >> shift == part:
                pieces = [piece for piece in self.pieces if part & piece == piece]
                images = [_mapped(mirror, piece) >> shift for piece in pieces]
                again = [_mapped(mirror, image) >> shift for image in images]
                if again == pieces and not any(map(and_, pieces, images)):
                    return 0
        return None

    # ------------------------------------------------------------------ as people know them

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
        return sum(1 << n for n, lamp in enumerate(chain(*given)) if lamp == "1")


def _mapped(image: list[list[int]], mask: int) -> int:
    mapped = 0
    for table in image:
        mapped |= table[mask & 255]
        mask >>= _BITS
    return mapped
