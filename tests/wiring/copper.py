"""A reader of the board's Gerber and drill files, independent of KiCad, which plotted them. It
finds the joints in the copper. KiCad itself measures the distances."""

import warnings
from dataclasses import dataclass, field
from functools import cached_property
from math import atan2, cos, hypot, sin, tau

from gerbonara import ExcellonFile, GerberFile
from gerbonara.graphic_objects import Flash
from gerbonara.graphic_primitives import ArcPoly, Circle, Line, Rectangle
from shapely import LineString, MultiPolygon, Point, Polygon, STRtree, box, polygonize, unary_union
from shapely.affinity import rotate

SIDES = ("gtl", "gbl")
_FINE = 32  # segments in a quarter of a circle, whose polygon is narrower by 0.03 %


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
    """The files of a board, by the ends of their names: gtl for the top copper, PTH for plated
    holes."""

    files: dict = field(repr=False)

    def objects(self, kind):
        reader = ExcellonFile if kind.endswith("PTH") else GerberFile
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return list(reader.from_string(self.files[kind]).objects)

    def shapes(self, kind):
        """Return the shapes in the Gerber file of this kind."""
        return [
            unary_union([_shape(part) for part in o.to_primitives("mm")])
            for o in self.objects(kind)
        ]

    @cached_property
    def pads(self):
        """Return {(x, y): (name of the part, number of the pin)} for each pad, from the attributes
        of the copper on top."""
        return {
            (round(thing.x, 3), round(thing.y, 3)): thing.attrs[".P"][:2]
            for thing in self.objects("gtl")
            if isinstance(thing, Flash) and ".P" in thing.attrs
        }

    def holes(self, kind):
        return [Hole(thing.x, thing.y, thing.aperture.diameter) for thing in self.objects(kind)]

    @cached_property
    def plated(self):
        return self.holes("PTH")

    @cached_property
    def screws(self):
        return self.holes("NPTH")

    @cached_property
    def areas(self):
        """The separate areas of copper of each side."""
        return {side: list(_parts(unary_union(self.shapes(side)))) for side in SIDES}

    @cached_property
    def board(self):
        """The area inside the edge."""
        lines = [_line(part) for o in self.objects("gm1") for part in o.to_primitives("mm")]
        (inside,) = polygonize([unary_union(lines)]).geoms
        return inside

    @cached_property
    def pieces(self):
        """Return the areas that holes join, [{(side, number of the area)}], and for each plated
        hole, in order, the index of its areas, or None if a side has no copper."""
        pieces = {(s, n): {(s, n)} for s in SIDES for n in range(len(self.areas[s]))}
        trees = {side: STRtree(self.areas[side]) for side in SIDES}
        at = []
        for hole in self.plated:
            here = [(s, int(n)) for s in SIDES for n in trees[s].query(hole.point, "within")]
            at.append(here[0] if len(here) == len(SIDES) else None)
            both = set().union(*(pieces[area] for area in here))
            pieces.update(dict.fromkeys(both, both))
        return pieces, at

    def joined(self, pads):
        """Return {frozenset of names} for the pads that are joined. `pads` is {(x, y): name}."""
        pieces, at = self.pieces
        found = {}
        for hole, area in zip(self.plated, at, strict=True):
            name = pads.get((round(hole.x, 3), round(hole.y, 3)))
            if name:
                piece = id(pieces[area]) if area else ("loose", hole.x, hole.y)
                found.setdefault(piece, set()).add(name)
        return {frozenset(piece) for piece in found.values()}


def _shape(part):
    if isinstance(part, Circle):
        return Point(part.x, part.y).buffer(part.r, quad_segs=_FINE)
    if isinstance(part, Rectangle):
        around = box(
            part.x - part.w / 2, part.y - part.h / 2, part.x + part.w / 2, part.y + part.h / 2
        )
        return rotate(around, part.rotation, use_radians=True)
    if isinstance(part, ArcPoly):
        return Polygon(part.outline).buffer(0)
    return _line(part).buffer(part.width / 2, quad_segs=_FINE)


def _line(part):
    if isinstance(part, Line):
        return LineString([(part.x1, part.y1), (part.x2, part.y2)])
    start, end = (
        atan2(y - part.cy, x - part.cx) for x, y in ((part.x1, part.y1), (part.x2, part.y2))
    )
    turn = (end - start) % tau or tau
    turn -= tau if part.clockwise and turn != tau else 0
    radius = hypot(part.x1 - part.cx, part.y1 - part.cy)
    angles = [start + turn * step / 64 for step in range(1, 64)]
    points = [(part.cx + radius * cos(a), part.cy + radius * sin(a)) for a in angles]
    return LineString([(part.x1, part.y1), *points, (part.x2, part.y2)])


def _parts(shape):
    return shape.geoms if isinstance(shape, MultiPolygon) else [shape]
