"""The path of each wire, and the length of wire to cut. A wire runs straight if possible.
Otherwise, it runs along the lanes between the boards. It covers no lamp and no end of another
wire, so that you can follow it by eye."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, hypot

from nimatron_wiring.breadboard.holes import HEIGHT, NUMBERS, PITCH, RAILS, UPPER
from nimatron_wiring.breadboard.layout import Jumper, Layout

Point = tuple[float, float]
LANE = 0.45  # pitches between parallel wires
_NEAR = 0.99 * LANE
_MOST = 24  # the number of tracks in a lane
LEFT, RIGHT = -1.4, NUMBERS + 2.6  # x where the lanes along the sides begin
_BARE = 14  # mm: the bare wire, 7 mm at either end, which goes into the hole
SLACK = 3  # mm: the least slack
FLAT = 6  # pitches: a wire within one line, up to this length, lies flat on the board
_STEP = 5  # mm: wires are cut to a multiple of this
_ABOVE, _BELOW = -5.9, 16.9  # y of the lanes above the first board and below the last board


@lru_cache(maxsize=4)
def paths(made: Layout) -> dict[Jumper, list[Point]]:
    """Return the corners of each wire's path."""
    found = {wire: _straight(wire) for wire in made.wires if _direct(wire)}
    routed = [wire for wire in made.wires if not _direct(wire)]
    legs = [leg.hole.xy for place in made.places for leg in place.legs]
    ends = [end.xy for wire in routed for end in (wire.start, wire.end)]
    for wire in sorted(routed, key=_order):
        mine = wire.start.xy, wire.end.xy
        holes = [*legs, *(end for end in ends if end not in mine)]
        found[wire] = _along(wire, list(found.values()), holes, made.boards)
    return {wire: found[wire] for wire in made.wires}


def hidden(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Return True if two wires touch in a picture without crossing, or look like a single wire. In
    this case, an end or a corner of one wire lies on the other wire, or just before its end or
    corner."""
    for mine, others in zip(zip(*one, strict=True), zip(*other, strict=True), strict=True):
        if min(mine) > max(others) + 2 * LANE or min(others) > max(mine) + 2 * LANE:
            return False  # the usual case: the wires are far apart
    return over(one, other) or over(other, one)


def over(line: Sequence[Point], points: Iterable[Point]) -> bool:
    """Return True if a wire runs over a point in `points`, or ends just before it."""
    for (ax, ay), (bx, by) in pairwise(line):
        long = hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / long, (by - ay) / long
        wide, high = (_NEAR * (2 * abs(u) + abs(v)) for u, v in ((ux, uy), (uy, ux)))
        left, right = min(ax, bx) - wide, max(ax, bx) + wide
        top, bottom = min(ay, by) - high, max(ay, by) + high
        for x, y in points:
            inside = left < x < right and top < y < bottom
            if inside and abs((x - ax) * uy - (y - ay) * ux) < _NEAR:
                return True
    return False


def millimetres(wire: Jumper, path: Sequence[Point]) -> int:
    """Return the length of wire to cut. On some boards, the blue and red rails are swapped, so an
    end in a rail may be one hole further away."""
    run = sum(hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(path))
    a, b = wire.start, wire.end
    if (a.board, a.line) != (b.board, b.line):
        run += sum(end.line in RAILS for end in (a, b))
    return _STEP * ceil((run * PITCH + _BARE + SLACK) / _STEP)


def _direct(wire):
    a, b = wire.start, wire.end
    if a.number == b.number:
        return True
    near = FLAT if a.line == b.line else 1
    return a.board == b.board and abs(a.number - b.number) <= near


def _order(wire):
    """Return a sort key that makes few wires cross. Among wires from one lane to another, the wire
    furthest to the right comes first. If two are equal, the wire that ends higher comes first.
    Wires that return to their own lane come later, the shortest wire first."""
    a, b = wire.start, wire.end
    if a.board == b.board and _lane(a) == _lane(b):
        return True, abs(a.number - b.number), 0
    return False, -max(a.number, b.number), b.xy[1]


def _straight(wire):
    (ax, ay), (bx, by) = wire.start.xy, wire.end.xy
    between_boards = 0 < wire.start.board < wire.end.board
    if between_boards and not {wire.start.line, wire.end.line} & set(RAILS):
        aside = ax + 1  # away from the lamps at both edges
        return [(ax, ay), (aside, ay + 0.6), (aside, by - 0.6), (bx, by)]
    return [(ax, ay), (bx, by)]


def _lane(hole):
    """Return the lane next to a hole: 0 is above board 1, 1 is below board 1, and so on."""
    upper = hole.line in UPPER or hole.line == RAILS[0]
    return hole.board - 1 if upper else hole.board


def _along(wire, wires, holes, boards):
    """Return the first path along the lanes that hides nothing."""
    (ax, ay), (bx, by) = wire.start.xy, wire.end.xy
    one, other = _lane(wire.start), _lane(wire.end)
    if one == other:
        ways = ([(ax, ay), (ax, y), (bx, y), (bx, by)] for y in _tracks(one, boards))
        return _first(ways, wires, holes)
    near_left = min(ax, bx) < NUMBERS / 3 and max(ax, bx) < NUMBERS / 2
    side, way = (LEFT, -1) if near_left else (RIGHT, 1)
    edge = side - way * LANE
    begun = _first(([(ax, ay), (ax, y), (edge, y)] for y in _tracks(one, boards)), wires, holes)
    ended = _first(([(edge, y), (bx, y), (bx, by)] for y in _tracks(other, boards)), wires, holes)
    y1, y2 = begun[1][1], ended[1][1]
    columns = (side + way * slot * LANE for slot in range(_MOST))
    ways = ([(ax, ay), (ax, y1), (x, y1), (x, y2), (bx, y2), (bx, by)] for x in columns)
    return _first(ways, wires, holes)


def _first(ways, wires, holes):
    """Return the first path that hides nothing, or else the path that hides least."""
    found = []
    for way in ways:
        faults = over(way, holes) + sum(hidden(way, other) for other in wires)
        if not faults:
            return way
        found.append((faults, way))
    return min(found)[1]


def _tracks(lane, boards):
    """Return the y of each track in a lane, in order of use."""
    return (_y(lane, slot, boards) for slot in range(_MOST))


def _y(lane, slot, boards):
    if lane == 0:
        return _ABOVE - slot * LANE
    if lane == boards:
        return (lane - 1) * HEIGHT + _BELOW + slot * LANE
    return (lane - 1) * HEIGHT + 14.2 + slot * LANE  # the lane is between the rails of two boards


def extent(made: Layout, all_paths: Iterable[list[Point]]) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of the boards and of the wires around them."""
    below = (made.boards - 1) * HEIGHT + _BELOW
    points = [point for path in all_paths for point in path]
    xs, ys = zip(*points, (LEFT, _ABOVE), (RIGHT, below), strict=True)
    return min(xs) - 0.6, min(ys) - 0.6, max(xs) + 0.6, max(ys) + 0.6
