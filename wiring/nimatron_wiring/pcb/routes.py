"""The tracks and vias that join the pads of each net: a maze router on a grid.

Every track runs from grid point to grid point, so two tracks are a step apart or cross in a point.
If a net finds no path, it goes first in the next attempt.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, hypot

from nimatron_wiring.netlist import Net
from nimatron_wiring.pcb.placement import HEAD, HEIGHT, SCREWS, STEP, WIDTH, Pad
from nimatron_wiring.pcb.rules import EDGE, GAP, TRACK, VIA, VIA_HOLE, WALL

TOP, BOTTOM = 0, 1
_ALONG, _ACROSS, _VIA = 2, 5, 14  # costs per step. Tracks on top prefer to run across the board
_ATTEMPTS = 20

_Point = tuple[int, int, int]  # x and y in half steps, and the layer


@dataclass(frozen=True)
class Track:
    net: str
    layer: int
    start: tuple[float, float]
    end: tuple[float, float]


@dataclass(frozen=True)
class Via:
    net: str
    x: float
    y: float


@dataclass(frozen=True)
class Routes:
    tracks: tuple[Track, ...]
    vias: tuple[Via, ...]
    missing: tuple[str, ...]  # the nets that found no path


def routes(nets: Sequence[Net], pads: Sequence[Pad]) -> Routes:
    """Return the tracks and vias that join the pads of each net."""
    waiting = sorted((net for net in nets), key=lambda net: len(net.nodes))
    for _ in range(_ATTEMPTS):
        maze = _Maze(pads, {node: net.name for net in nets for node in net.nodes})
        lost = [net for net in waiting if not maze.join(net.name)]
        if not lost:
            break
        waiting = [*lost, *(net for net in waiting if net not in lost)]
    return Routes(tuple(maze.tracks()), tuple(maze.vias()), tuple(net.name for net in lost))


class _Maze:
    """The free points in each layer. A point that is claimed for a net is free only for that net.
    Half steps can also be claimed, for pads that are off the grid."""

    def __init__(self, pads, nets):
        self._claims: dict[_Point, set[str]] = {}
        self._no_via: set[tuple[int, int]] = set()
        self._pads: dict[str, list[tuple[Pad, tuple[int, int]]]] = {}
        self._edges: dict[str, set[tuple[_Point, _Point]]] = {}
        for pad in pads:
            net = nets.get(pad.node, f"{pad.node} is free")
            self._claim(pad.x, pad.y, pad.size / 2 + GAP + TRACK / 2, net)
            self._forbid(pad.x, pad.y, pad.hole / 2 + WALL + VIA_HOLE / 2 + 0.1)
            self._forbid(pad.x, pad.y, pad.size / 2 + GAP + VIA / 2)
            near = 2 * round(pad.x / STEP), 2 * round(pad.y / STEP)
            self._pads.setdefault(net, []).append((pad, near))
        for x, y in SCREWS:
            self._claim(x, y, HEAD / 2 + GAP + TRACK / 2, "")
            self._forbid(x, y, HEAD / 2 + GAP + VIA / 2)
        self._size = 2 * floor((WIDTH - EDGE) / STEP), 2 * floor((HEIGHT - EDGE) / STEP)

    def _claim(self, x, y, radius, net):
        for point in _around(x, y, radius):
            for layer in (TOP, BOTTOM):
                self._claims.setdefault((*point, layer), set()).add(net)

    def _forbid(self, x, y, radius):
        self._no_via.update(_around(x, y, radius))

    def join(self, net: str) -> bool:
        """Join the pads of a net, and return True if all pads were reached."""
        first, *others = [point for _, point in self._pads[net]]
        tree = {(*first, layer) for layer in (TOP, BOTTOM)}
        edges = self._edges.setdefault(net, set())
        waiting = set(others) - {first}
        while waiting:
            path = self._search(net, tree, waiting)
            if not path:
                return False
            edges.update(tuple(sorted(pair)) for pair in pairwise(path))
            tree.update(path)
            x, y, _ = path[-1]
            waiting.remove((x, y))
            tree.update((x, y, layer) for layer in (TOP, BOTTOM))
        for point in {end for edge in edges for end in edge}:
            self._claims.setdefault(point, set()).add(net)
        return True

    def _search(self, net, tree, targets):
        """Return the cheapest path from the tree to a target, or [] if no path exists."""

        def left(x, y):
            return min(abs(x - a) + abs(y - b) for a, b in targets) // 2 * _ALONG

        came: dict[_Point, _Point | None] = {}
        heap = [(left(*point[:2]), 0, point, None) for point in sorted(tree)]
        heapq.heapify(heap)
        while heap:
            _, cost, point, previous = heapq.heappop(heap)
            if point in came:
                continue
            came[point] = previous
            if point[:2] in targets:
                path = [point]
                while (before := came[path[-1]]) is not None:
                    path.append(before)
                return path[::-1]
            for onward, price in self._steps(net, point):
                if onward not in came:
                    there = cost + price
                    heapq.heappush(heap, (there + left(*onward[:2]), there, onward, point))
        return []

    def _steps(self, net, point):
        x, y, layer = point
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            half, onward = (x + dx, y + dy, layer), (x + 2 * dx, y + 2 * dy, layer)
            inside = 0 < onward[0] <= self._size[0] and 0 < onward[1] <= self._size[1]
            if inside and self._free(half, net) and self._free(onward, net):
                yield onward, _ALONG if (dx != 0) == (layer == TOP) else _ACROSS
        other = (x, y, BOTTOM if layer == TOP else TOP)
        if (x, y) not in self._no_via and self._free(other, net):
            yield other, _VIA

    def _free(self, point, net):
        claims = self._claims.get(point)
        return not claims or claims == {net}

    def tracks(self) -> Iterable[Track]:
        """Yield the tracks. Edges in one line become one track. A pad off the grid gets an extra
        track to its grid point."""
        for net, edges in self._edges.items():
            for layer in (TOP, BOTTOM):
                for axis in (0, 1):
                    yield from _straight(net, layer, axis, edges)
            for pad, (x, y) in self._pads[net]:
                point = _mm(x), _mm(y)
                if hypot(point[0] - pad.x, point[1] - pad.y) > 0.001:
                    layers = {p[2] for edge in edges for p in edge if p[:2] == (x, y)}
                    for layer in sorted(layers):
                        yield Track(net, layer, (pad.x, pad.y), point)

    def vias(self) -> Iterable[Via]:
        for net, edges in self._edges.items():
            for start, end in sorted(edges):
                if start[2] != end[2]:
                    yield Via(net, _mm(start[0]), _mm(start[1]))


def _straight(net, layer, axis, edges):
    """Yield the tracks of a net along one axis in one layer."""
    across = 1 - axis
    lines: dict[int, list[int]] = {}
    for start, end in edges:
        if start[2] == end[2] == layer and start[across] == end[across]:
            lines.setdefault(start[across], []).append(start[axis])
    for fixed, starts in sorted(lines.items()):
        starts.sort()
        begin = starts[0]
        for here, onward in zip(starts, [*starts[1:], None], strict=True):
            if onward != here + 2:
                ends = [(begin, fixed), (here + 2, fixed)]
                if axis:
                    ends = [(b, a) for a, b in ends]
                a, b = [(_mm(x), _mm(y)) for x, y in ends]
                yield Track(net, layer, a, b)
                begin = onward


def _mm(half_steps):
    return round(half_steps * STEP / 2, 4)


def _around(x, y, radius):
    """Yield the points, in half steps, that are less than `radius` away from (x, y)."""
    unit = STEP / 2
    for a in range(ceil((x - radius) / unit), floor((x + radius) / unit) + 1):
        for b in range(ceil((y - radius) / unit), floor((y + radius) / unit) + 1):
            if hypot(a * unit - x, b * unit - y) < radius - 1e-6:
                yield a, b
