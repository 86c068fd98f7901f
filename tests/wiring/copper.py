"""A reader of the board's Gerber and drill files, independent of the program that wrote them. It
finds the joints of the copper, and the distances between shapes, in mm."""

from dataclasses import dataclass, field
from functools import cached_property
from math import hypot, inf

from gerbonara import ExcellonFile, GerberFile
from gerbonara.graphic_objects import Arc, Flash
from shapely import LineString, Point, STRtree, polygonize, prepare, unary_union

SIDES = ("gtl", "gbl")
_FINE = 32  # segments in a quarter of a circle: its polygon is narrower by 0.03 %
_ROUGH = 8  # 0.5 %: enough for a pen of 0.15


@dataclass
class Hole:
    x: float
    y: float
    diameter: float

    @property
    def point(self):
        return Point(self.x, self.y)


@dataclass
class Copper:
    """The files of a board, by name."""

    files: dict = field(repr=False)

    def shapes(self, kind):
        """The shapes in the Gerber file of this kind."""
        found, fine = [], _ROUGH if kind == "gto" else _FINE
        for thing in _objects(GerberFile, self.files[f"board.{kind}"]):
            width = thing.aperture.diameter
            if isinstance(thing, Flash):
                found.append(Point(thing.x, thing.y).buffer(width / 2, quad_segs=fine))
            else:
                found.append(_line(thing).buffer(width / 2, quad_segs=fine))
        return found

    def holes(self, kind):
        objects = _objects(ExcellonFile, self.files[f"board-{kind}.drl"])
        return [Hole(thing.x, thing.y, thing.aperture.diameter) for thing in objects]

    @cached_property
    def plated(self):
        return self.holes("plated")

    @cached_property
    def screws(self):
        return self.holes("not-plated")

    @cached_property
    def areas(self):
        """The separate areas of copper of each side."""
        return {side: list(_parts(unary_union(self.shapes(side)))) for side in SIDES}

    @cached_property
    def board(self):
        """The area inside the edge, and without the holes for screws."""
        lines = [_line(thing) for thing in _objects(GerberFile, self.files["board.gko"])]
        (inside,) = polygonize([unary_union(lines)]).geoms
        return inside

    @cached_property
    def pieces(self):
        """The areas that holes join: [{(side, number of the area)}], and for each plated hole, in
        order, which of them it is in, None if it has no copper on some side."""
        pieces = {(s, n): {(s, n)} for s in SIDES for n in range(len(self.areas[s]))}
        trees = {side: STRtree(self.areas[side]) for side in SIDES}
        at = []
        for hole in self.plated:
            here = [(s, int(n)) for s in SIDES for n in trees[s].query(hole.point, "within")]
            at.append(here[0] if len(here) == len(SIDES) else None)
            both = set().union(*(pieces[area] for area in here))
            pieces.update(dict.fromkeys(both, both))
        return pieces, at

    def joined(self, names):
        """The named holes that are one piece of metal: {frozenset of names}. `names` are names of
        points, {(x, y): name}. Holes far from all points are vias."""
        pieces, at = self.pieces
        found = {}
        for hole, area in zip(self.plated, at, strict=True):
            near = [n for (x, y), n in names.items() if hypot(hole.x - x, hole.y - y) < 0.01]
            for name in near:
                piece = id(pieces[area]) if area else ("loose", hole.x, hole.y)
                found.setdefault(piece, set()).add(name)
        return {frozenset(piece) for piece in found.values()}

    @property
    def idle(self):
        """Pieces of copper without any hole."""
        pieces, at = self.pieces
        used = {id(pieces[area]) for area in at if area}
        return [area for area, piece in pieces.items() if id(piece) not in used]

    @property
    def clearance(self):
        """The least distance between two pieces of metal on one side."""
        pieces, _ = self.pieces
        least = inf
        for side, areas in self.areas.items():
            tree = STRtree(areas)
            for number, area in enumerate(areas):
                for other in tree.query(area.buffer(1)):
                    if pieces[side, number] is not pieces[side, int(other)]:
                        least = min(least, area.distance(areas[other]))
        return least

    def ring(self, tool=0.0):
        """The least width of copper around a plated hole, on either side. `tool` is the drill's
        width minus the hole's. The result is negative if the hole leaves the copper."""
        least = inf
        for side in SIDES:
            copper = unary_union(self.areas[side])
            prepare(copper)
            rims = STRtree([area.boundary for area in self.areas[side]])
            for hole in self.plated:
                rim = rims.geometries[rims.nearest(hole.point)].distance(hole.point)
                inside = rim if copper.contains(hole.point) else -rim
                least = min(least, inside - (hole.diameter + tool) / 2)
        return least

    @property
    def to_edge(self):
        """The least distance from copper to the edge or to a hole that is not plated."""
        copper = unary_union([area for areas in self.areas.values() for area in areas])
        if not self.board.contains(copper):
            return -1
        holes = [screw.point.distance(copper) - screw.diameter / 2 for screw in self.screws]
        return min([self.board.boundary.distance(copper), *holes])

    @property
    def wall(self):
        """The least distance between two holes."""
        holes = [*self.plated, *self.screws]
        tree = STRtree([hole.point for hole in holes])
        least = inf
        for number, hole in enumerate(holes):
            for other in tree.query(hole.point.buffer(6)):
                if other != number:
                    apart = hole.point.distance(holes[other].point)
                    least = min(least, apart - (hole.diameter + holes[other].diameter) / 2)
        return least

    @property
    def print_to_pads(self):
        """The least distance from print to an opening in the solder mask."""
        openings = STRtree(self.shapes("gts"))
        _, apart = openings.query_nearest(self.shapes("gto"), return_distance=True)
        return min(apart)


def _objects(reader, content):
    return list(reader.from_string(content.decode()).objects)


def _line(thing):
    if not isinstance(thing, Arc):
        return LineString([(thing.x1, thing.y1), (thing.x2, thing.y2)])
    lines = thing.approximate(0.001)
    points = [(line.x1, line.y1) for line in lines] + [(lines[-1].x2, lines[-1].y2)]
    points[0], points[-1] = (thing.x1, thing.y1), (thing.x2, thing.y2)
    return LineString(points)


def _parts(shape):
    return getattr(shape, "geoms", [shape])
