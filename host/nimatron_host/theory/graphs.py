"""Games on drawings of points and lines.

You type a drawing as paths. The path a-b-c has a line from a to b and a line from b to c. A name
alone is a point without lines. In a poset, a-b means that b lies above a.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from nimatron import worth
from nimatron_host.theory.search import NOTHING, Searched

_POINTS = _LINES = 100
_PIECES = 10_000  # the most pieces of a drawing
_GROUND = "0"


class Drawing:
    """Named points, and lines as pairs of point numbers. A mask is a set of points or lines."""

    def __init__(self, words: Iterable[str]) -> None:
        """Read the drawing in `words`. Raises ValueError with a message for the user."""
        self.names: list[str] = []
        self.lines: list[tuple[int, int]] = []
        for word in words:
            path = word.replace("<", "-").split("-")
            if not all(name.isalnum() for name in path):
                raise ValueError(f'"{word}" is not a path. Join names by hyphens, such as a-b-c')
            points = [self._point(name) for name in path]
            self.lines += pairwise(points)
        if not self.names:
            raise ValueError("nothing is drawn. Join names by hyphens, such as a-b-c")
        if len(self.names) > _POINTS or len(self.lines) > _LINES:
            raise ValueError(
                f"{len(self.names)} points and {len(self.lines)} lines, at most {_POINTS} each"
            )

    def _point(self, name: str) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def check_simple(self) -> None:
        """Raise ValueError if a point is joined to itself."""
        for a, b in self.lines:
            if a == b:
                raise ValueError(f"{self.names[a]} is joined to itself. Remove that line")

    @cached_property
    def above(self) -> list[int]:
        """Return a mask for each point: the point itself and all points above it."""
        above = [1 << point for point in range(len(self.names))]
        for _ in self.names:
            for a, b in self.lines:
                above[a] |= above[b]
        return above

    @cached_property
    def pairs(self) -> list[int]:
        """Return a mask for each line: the points at its ends."""
        return [1 << a | 1 << b for a, b in self.lines]

    @cached_property
    def stars(self) -> list[int]:
        """Return a mask for each point: the lines that end at the point."""
        return [
            sum(1 << n for n, line in enumerate(self.lines) if point in line)
            for point in range(len(self.names))
        ]

    def words(self, lines: list[tuple[int, int]], points: int = 0) -> str:
        """Return `lines` as paths, followed by the isolated points in the mask `points`."""
        paths: list[list[int]] = []
        for a, b in lines:
            if paths and paths[-1][-1] == a:
                paths[-1].append(b)
            else:
                paths.append([a, b])
        used = {point for line in lines for point in line}
        paths += [[point] for point in bits(points) if point not in used]
        return ",".join("-".join(self.names[point] for point in path) for path in paths) or NOTHING


Left = tuple[Drawing, int]  # a drawing, and the mask of its remaining points or lines


class Drawn(Searched[Left]):
    """A game on a drawing. A position is a drawing and a mask of its points or lines."""

    drawn = True

    def joints(self, drawing: Drawing) -> list[int]:
        """Return masks of points or lines that belong to the same part."""
        raise NotImplementedError

    def parts(self, position: Left) -> list[Left]:
        drawing, left = position
        joints = [1 << one for one in bits(left)] + [n & left for n in self.joints(drawing)]
        return [(drawing, part) for part in worth.groups(filter(None, joints), left)]

    def size(self, position: Left) -> int:
        return position[1].bit_count()


class OnPoints(Drawn):
    """A game in which a move removes points."""

    def joints(self, drawing: Drawing) -> list[int]:
        return drawing.pairs

    def options(self, position: Left) -> Iterator[Left]:
        drawing, left = position
        for piece in self.pieces(drawing, left):
            yield drawing, left & ~piece

    def pieces(self, drawing: Drawing, left: int) -> Iterable[int]:
        """Return a mask of points for each move. The mask may include missing points."""
        raise NotImplementedError

    def words(self, position: Left) -> str:
        drawing, left = position
        lines = zip(drawing.lines, drawing.pairs, strict=True)
        return drawing.words([line for line, ends in lines if left & ends == ends], left)

    def parse_option(self, words: list[str]) -> Left:
        drawing = Drawing(words)
        return drawing, (1 << len(drawing.names)) - 1


class Poset(OnPoints):
    sentence = "Remove an element, with everything that lies above it."
    example = "a-b-c a-d e-f"

    def pieces(self, drawing: Drawing, left: int) -> list[int]:
        return [drawing.above[point] for point in bits(left)]

    def parse_option(self, words: list[str]) -> Left:
        drawing, left = super().parse_option(words)
        for a, b in drawing.lines:
            if drawing.above[b] >> a & 1:
                raise ValueError(
                    f"{drawing.names[a]} lies above itself. Remove one of these relations"
                )
        return drawing, left


class Cliques(OnPoints):
    """A game in which a move removes a clique: points that are all joined to each other."""

    example = "a-b-c-a d-e f"

    def __init__(self, sentence: str, least: int, most: int) -> None:
        """A move removes from `least` to `most` points."""
        super().__init__()
        self.sentence = sentence
        self._least, self._most = least, most
        self._pieces: dict[Drawing, list[int]] = {}

    def pieces(self, drawing: Drawing, left: int) -> list[int]:
        return [piece for piece in self._pieces[drawing] if piece & left == piece]

    def parse_option(self, words: list[str]) -> Left:
        drawing, left = super().parse_option(words)
        drawing.check_simple()
        self._pieces[drawing] = self._found(drawing)
        return drawing, left

    def _found(self, drawing: Drawing) -> list[int]:
        joined = [0] * len(drawing.names)
        for a, b in drawing.lines:
            joined[a] |= 1 << b
            joined[b] |= 1 << a
        found, some = [], [(1 << point, joined[point]) for point in range(len(joined))]
        for size in range(1, self._most + 1):
            if size >= self._least:
                found += [piece for piece, _ in some]
            if len(found) + len(some) > _PIECES:
                raise ValueError(f"this graph has more than {_PIECES:,} moves. Draw a smaller one")
            some = [
                (piece | 1 << point, common & joined[point])
                for piece, common in some
                for point in bits(common)
                if piece < 1 << point
            ]
        return found


class OnLines(Drawn):
    """A game in which a move removes lines."""

    def words(self, position: Left) -> str:
        drawing, left = position
        return drawing.words([drawing.lines[line] for line in bits(left)])


class Graph(OnLines):
    """Graph nim as defined by Calkin and others. Other games have the same name. In the games of
    Fukuyama and Erickson, players move a token along weighted edges. In `graph-nim`, they remove
    points."""

    sentence = "Choose a point and remove one or more of the lines that end there."
    theory = "Calkin and others 2010. Found by a complete search, part by part."
    example = "a-b-c-a c-d"

    def options(self, position: Left) -> Iterator[Left]:
        drawing, left = position
        seen = set()
        for star in drawing.stars:
            ending = some = star & left
            while some:
                if some not in seen:
                    seen.add(some)
                    yield drawing, left ^ some
                some = some - 1 & ending

    def joints(self, drawing: Drawing) -> list[int]:
        return drawing.stars

    def parse_option(self, words: list[str]) -> Left:
        drawing = Drawing(words)
        drawing.check_simple()
        return drawing, (1 << len(drawing.lines)) - 1


class Hackenbush(OnLines):
    sentence = "Cut a line, and with it goes everything that no longer hangs on the ground."
    theory = (
        "Berlekamp, Conway and Guy 1982: the points of a cycle can be fused into one, at which "
        "each line of it is worth 1. Any other line is worth one more than what stands on it."
    )
    solved = "rule"
    example = f"{_GROUND}-a-b-c-a {_GROUND}-d"

    def options(self, position: Left) -> Iterator[Left]:
        drawing, left = position
        lines = [{*drawing.lines[line]} for line in bits(left)]
        for n, line in enumerate(bits(left)):
            if lines[n] not in lines[:n]:
                yield drawing, _standing(drawing, left ^ 1 << line)

    def joints(self, drawing: Drawing) -> list[int]:
        """Return a mask of lines for each point except the ground: lines that meet only at the
        ground belong to separate parts."""
        ground = drawing.names.index(_GROUND)
        return drawing.stars[:ground] + drawing.stars[ground + 1 :]

    def value_of(self, position: Left) -> int:
        drawing, left = position
        group = list(range(len(drawing.names)))  # the group of each point. Fused points share one
        loops = [0] * len(group)  # the worth of the cycles' lines at each point
        bridges = []
        for line in bits(left):
            a, b = drawing.lines[line]
            reached = _reached(drawing, left ^ 1 << line)
            if reached >> a & reached >> b & 1:
                group = [group[a] if of == group[b] else of for of in group]
                loops[a] ^= 1
            else:
                bridges.append((a, b) if reached >> a & 1 else (b, a))

        def stands_on(ground: int) -> int:
            total = 0
            for point, of in enumerate(group):
                total ^= loops[point] if of == ground else 0
            for a, b in bridges:
                if group[a] == ground:
                    total ^= 1 + stands_on(group[b])
            return total

        return stands_on(group[drawing.names.index(_GROUND)])

    def known(self, position: Left, misere: bool) -> tuple[str, str]:
        """Return the method that solves the position, and its theory."""
        return ("search", Searched.theory) if misere else (self.solved, self.theory)

    def parse_option(self, words: list[str]) -> Left:
        drawing = Drawing(words)
        left = (1 << len(drawing.lines)) - 1
        if _GROUND not in drawing.names or _standing(drawing, left) != left:
            raise ValueError(
                f"all lines must hang together from the ground, {_GROUND}, such as {self.example}"
            )
        return drawing, left


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set in `mask`."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def _reached(drawing: Drawing, left: int) -> int:
    """Return the points that the lines in `left` join to the ground."""
    points, before = 1 << drawing.names.index(_GROUND), 0
    while points != before:
        before = points
        for line in bits(left):
            if points & drawing.pairs[line]:
                points |= drawing.pairs[line]
    return points


def _standing(drawing: Drawing, left: int) -> int:
    """Return the lines in `left` that are joined to the ground."""
    points = _reached(drawing, left)
    return sum(1 << line for line in bits(left) if points & drawing.pairs[line])
