"""A reader who looks at a picture of the breadboard, and lists hidden words, wires and holes.

A layout for other pins is right even if its pictures are crowded, so `nimatron wiring` does not
refuse these findings. The layout that we ship has no findings.
"""

from itertools import combinations, pairwise
from math import hypot
from xml.etree import ElementTree

from shapely import LineString, Point, box

from nimatron_wiring.svg import SVG, shapes

PITCH = 2.54  # mm
RADIUS = 0.2 * PITCH  # of a hole
WIDTH = 0.92 / PITCH  # of a wire, in pitches
SHY = 0.6  # mm that the boxes of words may overlap, because they are wider than the letters
LITTLE = 0.1  # the same, for the small words of a schematic


def words(svg):
    """Return every line of text in a drawing."""
    return [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def boxes(svg):
    """Return each line of text in a drawing as (box around the text, text)."""
    there = shapes(ElementTree.fromstring(svg))
    return [(edges, element.text) for edges, element in there if element.tag == f"{SVG}text"]


def outside(svg):
    """Return each shape or text that the edge of a drawing cuts off, as its tag or text."""
    tree = ElementTree.fromstring(svg)
    left, top, width, height = map(float, tree.get("viewBox").split())
    page = box(left, top, left + width, top + height).buffer(0.02, join_style="mitre")  # rounded
    return [e.text or e.tag for edges, e in shapes(tree) if not page.covers(box(*edges))]


def hidden_by_words(svg, holes, shy=SHY):
    """Yield words on other words, and on holes, which are given in pitches by name."""
    written = sorted(boxes(svg))
    for n, ((left, top, right, bottom), one) in enumerate(written):
        for (left2, top2, right2, bottom2), other in written[n + 1 :]:
            if left2 > right - shy:
                break  # and so are all later boxes
            if top2 < bottom - shy and top < bottom2 - shy and left < right2 - shy:
                yield f"the words {one!r} and {other!r} overlap"
        for name, (x, y) in holes.items():
            x, y = x * PITCH, y * PITCH
            if left - RADIUS < x < right + RADIUS and top - RADIUS < y < bottom:
                yield f"the words {one!r} cover {name}"


def hidden_by_shapes(svg):
    """Words on the lines and circles of a schematic."""
    tree = ElementTree.fromstring(svg)
    shapes = [
        LineString([tuple(map(float, point.split())) for point in line.get("d")[1:].split("L")])
        for line in tree.iter(f"{SVG}path")
    ]
    for circle in tree.iter(f"{SVG}circle"):
        x, y, radius = (float(circle.get(name)) for name in ("cx", "cy", "r"))
        shapes.append(Point(x, y).buffer(radius))
    for edges, word in boxes(svg):
        around = box(*edges).buffer(-LITTLE, join_style="mitre")
        if any(around.intersects(shape) for shape in shapes):
            yield f"a shape crosses the words {word!r}"


def hidden_by_wires(routes, holes):
    """Yield wires that look like one wire, and holes below a wire that does not end there.
    `routes` are the corners of each wire by name, in pitches."""
    for (one, a), (other, b) in combinations(routes.items(), 2):
        if any(_near(corner, b) for corner in a) or any(_near(corner, a) for corner in b):
            yield f"{one} and {other} touch"
        elif any(_one_line(p, q) for p in a for q in b if p not in (a[0], a[-1]) or q in b[1:-1]):
            yield f"{one} and {other} seem to be one wire"
    for name, path in routes.items():
        for there, at in holes.items():
            if at not in (path[0], path[-1]) and _near(at, path):
                yield f"{name} covers {there}"


def _near(point, path):
    x, y = point
    for (ax, ay), (bx, by) in pairwise(path):
        square = (bx - ax) ** 2 + (by - ay) ** 2
        share = min(1, max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square))
        if hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay)) < 1.1 * WIDTH:
            return True
    return False


def _one_line(p, q):
    """Return True if two corners face each other with less than two wires between them."""
    across, along = sorted((abs(p[0] - q[0]), abs(p[1] - q[1])))
    return across < WIDTH / 2 and along < 2 * WIDTH
