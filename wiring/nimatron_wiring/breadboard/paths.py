"""How each wire runs: straight if it can, otherwise along the lanes between the boards, so that it
covers no lamp and can be followed by eye. From that, how long a piece to cut."""

from collections.abc import Iterable
from itertools import pairwise
from math import ceil, hypot

from nimatron_wiring.breadboard.holes import BOARDS, HEIGHT, NUMBERS, PITCH, RAILS, UPPER
from nimatron_wiring.breadboard.layout import Jumper, Layout

Point = tuple[float, float]
LANE = 0.48  # pitches between wires side by side
LEFT, RIGHT = -1.4, NUMBERS + 2.6  # where the lanes down the sides begin
_BARE = 14  # mm: 7 mm at either end go into the hole and up to the board's surface
FLAT = 6  # pitches: a wire in one line, if not longer, lies flat on the board
_STEP = 5  # mm: wires are cut to a multiple of this
_ABOVE, _BELOW = -5.9, (BOARDS - 1) * HEIGHT + 16.9  # the outermost lanes


def paths(made: Layout) -> dict[Jumper, list[Point]]:
    """The corners of each wire."""
    lanes: dict[object, list[tuple[float, float, int]]] = {}
    routed = [wire for wire in made.wires if not _direct(wire)]
    found = {wire: _straight(wire) for wire in made.wires if _direct(wire)}
    for wire in sorted(routed, key=_order):
        found[wire] = _along(wire, lanes)
    return {wire: found[wire] for wire in made.wires}


def millimetres(path: list[Point]) -> int:
    """The length of the piece to cut for a wire."""
    run = sum(hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(path))
    return _STEP * ceil((run * PITCH + _BARE) / _STEP)


def _direct(wire):
    a, b = wire.start, wire.end
    if a.number == b.number:
        return True
    near = FLAT if a.line == b.line else 1
    return a.board == b.board and abs(a.number - b.number) <= near


def _order(wire):
    """Such that few wires cross: of those from one board to the next, the one furthest to the
    right comes first; of those that return to their board, the shortest."""
    a, b = wire.start, wire.end
    if a.board == b.board:
        return True, abs(a.number - b.number)
    return False, -max(a.number, b.number)


def _straight(wire):
    (ax, ay), (bx, by) = wire.start.xy, wire.end.xy
    between_boards = wire.start.board != wire.end.board
    if between_boards and not {wire.start.line, wire.end.line} & set(RAILS):
        aside = ax + 1.5  # clear of the lamps at both edges
        return [(ax, ay), (aside, ay + 0.6), (aside, by - 0.6), (bx, by)]
    return [(ax, ay), (bx, by)]


def _lane(hole):
    """The lane that a hole leads to: 0 above board 1, 1 below it, and so on."""
    upper = hole.line in UPPER or hole.line == RAILS[0]
    return hole.board - 1 if upper else hole.board


def _along(wire, lanes):
    (ax, ay), (bx, by) = wire.start.xy, wire.end.xy
    one, other = _lane(wire.start), _lane(wire.end)
    if one == other:
        y = _y(one, _slot(lanes, one, ax, bx))
        return [(ax, ay), (ax, y), (bx, y), (bx, by)]
    near_left = min(ax, bx) < NUMBERS / 3 and max(ax, bx) < NUMBERS / 2
    side = _slot(lanes, "left" if near_left else "right", one, other)
    x = LEFT - side * LANE if near_left else RIGHT + side * LANE
    y1 = _y(one, _slot(lanes, one, ax, x))
    y2 = _y(other, _slot(lanes, other, x, bx))
    return [(ax, ay), (ax, y1), (x, y1), (x, y2), (bx, y2), (bx, by)]


def _slot(lanes, lane, a, b):
    """The first track of a lane that is free from a to b."""
    low, high = sorted((a, b))
    taken = lanes.setdefault(lane, [])
    slot = 0
    while any(s == slot and low <= end and start <= high for start, end, s in taken):
        slot += 1
    taken.append((low, high, slot))
    return slot


def _y(lane, slot):
    if lane == 0:
        return _ABOVE - slot * LANE
    if lane == BOARDS:
        return _BELOW + slot * LANE
    return (lane - 1) * HEIGHT + 14.4 + slot * LANE  # between the rails of two boards


def extent(all_paths: Iterable[list[Point]]) -> tuple[float, float, float, float]:
    """The left, top, right and bottom of the boards and of what runs around them."""
    points = [point for path in all_paths for point in path]
    xs, ys = zip(*points, (LEFT, _ABOVE), (RIGHT, _BELOW), strict=True)
    return min(xs) - 0.6, min(ys) - 0.6, max(xs) + 0.6, max(ys) + 0.6
