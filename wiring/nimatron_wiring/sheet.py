"""A sheet of paper: symbols, wires and labels on a grid, with a record of their connections.

The connections are as a reader sees them. If a wire ends on another wire or on a pin, the two are
joined. Wires that only cross are not joined. Labels with the same name are one net. `islands` uses
only these rules, so that you can compare the drawing with the netlist it was drawn from.
"""

from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import schemdraw
from schemdraw import elements

from nimatron_wiring.kinds import KINDS
from nimatron_wiring.legible import SVG, width_of
from nimatron_wiring.netlist import GROUND
from nimatron_wiring.pico import NUMBERS

schemdraw.svgconfig.text = (
    "text"  # text instead of glyph paths: the bytes do not depend on installed fonts
)

PIXELS = 30  # pixels per grid unit
FONT = 11  # pixels: the usual font size
FACE = {"font-family": "DejaVu Sans, Verdana, Arial, sans-serif"}
INK = "#222222"
GREY = "#5a5a5a"
SLACK = 0.06  # how far symbols may overlap, in grid units
# The colours of wires on paper. They are dark enough to print, and different enough for people who
# are colour-blind. Each colour also has letters (IEC 60757).
LEGIBLE = {
    "black": "#000000",
    "brown": "#5c1d00",
    "red": "#b32808",
    "orange": "#c3881d",
    "yellow": "#a68e44",
    "green": "#267c49",
    "blue": "#415ece",
    "violet": "#4b165d",
    "grey": "#5e5e5e",
    "white": "#959595",
}
LETTERS = {
    "black": "BK",
    "brown": "BN",
    "red": "RD",
    "orange": "OG",
    "yellow": "YE",
    "green": "GN",
    "blue": "BU",
    "violet": "VT",
    "grey": "GY",
    "white": "WH",
}
PAPERS = (("A4", 297, 210), ("A3", 420, 297))  # name, width and height in mm, landscape
MARGIN = 8  # mm: the margin outside the frame
BLOCK = 1.5  # grid units: the height of the title block
SMALLEST = 7  # points: the smallest text on paper
LEFT, RIGHT, UP, DOWN = (-1, 0), (1, 0), (0, 1), (0, -1)


def grid(x, y):
    """Return the point (x, y), rounded so that points can be compared."""
    return round(x, 3), round(y, 3)


def shift(point, way, length=1.0):
    """Return the point that is `length` away from `point` in the direction `way`."""
    return grid(point[0] + way[0] * length, point[1] + way[1] * length)


def touches(point, wire):
    """Return True if a point is on a wire or at one of its ends."""
    (px, py), ((ax, ay), (bx, by)) = point, wire
    return min(ax, bx) <= px <= max(ax, bx) and min(ay, by) <= py <= max(ay, by)


class Sheet:
    """A drawing of a build, `width` by `height` grid units. y grows upwards."""

    def __init__(self, build, about, width, height, number="1", ground=True):
        self.build = build
        self.number = number  # the number of the sheet: "1 of 2"
        self.title = f"Nimatron {build.title.lower()}: {about}"
        self.about = about
        self.width, self.height = width, height
        self.net = {node: net for net in build.nets for node in net.nodes}
        self.pins = {}  # {(ref, pin): where the pin is drawn}
        self.wires = []  # the wires as (point, point), horizontal or vertical
        self.labels = []  # the labels as (rail, point)
        self.bodies = []  # (name, (left, bottom, right, top)): areas for nothing else
        self.keyed = set()  # parts whose value is in the key instead of next to the part
        self._texts = []
        self._symbols = _drawing(1.3)
        if ground:  # explain the symbol for ground
            self._symbols.add(elements.Ground().theta(0).at((width / 2, 1)).scale(0.7))
            self.text((width / 2 + 0.4, 0.6), self.build.part(GROUND).value)

    # The netlist

    def undrawn(self, node):
        """Return the pins soldered to `node` whose parts are not on the sheet yet."""
        drawn = {ref for ref, _ in self.pins}
        return [
            other
            for other in self.net[node].nodes
            if other[0] not in drawn and self.build.part(other[0]).kind != "rail"
        ]

    def across(self, node):
        """Return the other pin of a two-pin part."""
        ref, near = node
        (far,) = (pin for pin in KINDS[self.build.part(ref).kind].pins if pin != near)
        return ref, far

    def wired(self, ref):
        """Return the pins of a part that are on a net, in order."""
        return [pin for pin in KINDS[self.build.part(ref).kind].pins if (ref, pin) in self.net]

    def rail(self, node):
        """Return the rail that `node` is soldered to, or None."""
        rails = [ref for ref, pin in self.net[node].nodes if pin == "rail"]
        return rails[0] if rails else None

    # The drawing

    def key(self, refs):
        """Write the names and the common value of parts at the bottom of the sheet."""
        (part,) = {(part.kind, part.value) for part in map(self.build.part, refs)}
        about, value = KINDS[part[0]].about.split(",")[0], part[1]
        self.keyed |= set(refs)
        what = about if value in about else f"{about}, {value}"
        self.text((self.width - 0.7, 0.6), f"{refs[0]} to {refs[-1]}: {what}", "end")

    def symbol(self, element, ref, pins):
        """Draw part `ref` as a schemdraw element. `pins` is {pin: name of the pin's anchor}."""
        self._put(element, ref)
        for pin, anchor in pins.items():
            self.pin(ref, pin, element.absanchors[anchor])

    def box(self, ref, corner, opposite):
        """Draw part `ref` as a rectangle."""
        self._put(elements.Rect(corner, opposite).at((0, 0)).theta(0), ref)

    def _put(self, element, what):
        self._symbols.add(element)
        extent = element.get_bbox(transform=True)
        self.bodies.append((what, (extent.xmin, extent.ymin, extent.xmax, extent.ymax)))

    def pin(self, ref, pin, point):
        """Record the point where a wire can reach a pin."""
        if (ref, pin) in self.pins:
            raise ValueError(f"{self.title}: pin {pin} of {ref} is drawn twice")
        self.pins[ref, pin] = grid(*point)

    def line(self, a, b, colour=INK):
        """Draw a line that is not a wire."""
        self._symbols.add(elements.Line().at(a).to(b).color(colour))

    def strip(self, a, b, colour):
        """Draw a wire of a cable. Such wires are not in the netlist."""
        self._symbols.add(elements.Line().at(a).to(b).color(LEGIBLE[colour]).linewidth(2.2))

    def text(self, point, text, anchor="start", size=FONT, colour=INK, bar=False):
        """Write one line of text. Its baseline starts, is centred or ends at `point`. With `bar`,
        a line over the text marks a pin that is active when low."""
        if not text:
            return
        self._texts.append((point, text, anchor, size, colour))
        if bar:
            width = 0.85 * width_of(text, size) / PIXELS
            x = point[0] - {"start": 0, "middle": width / 2, "end": width}[anchor]
            y = point[1] + 0.84 * size / PIXELS
            self.line((x, y), (x + width, y))

    def wire(self, *points):
        """Draw a wire along the points. Between two points, it runs sideways first."""
        points = [grid(*point) for point in points]
        for a, b in pairwise(points):
            corner = (b[0], a[1])
            self.wires += [(p, q) for p, q in ((a, corner), (corner, b)) if p != q]
        return points[-1]

    def label(self, node, way, point=None):
        """Draw the label of a rail at `node`, instead of a wire to the rail."""
        rail = self.build.part(self.rail(node))
        point = grid(*(point or self.pins[node]))
        self.labels.append((rail.ref, point))
        colour = self.colour(node)
        if rail.ref == GROUND and way != UP:
            ground = elements.Ground().theta(0).at(point).scale(0.7).color(colour)
            self._put(ground, f"a symbol of {rail.value}")
            return
        across = UP if way in (LEFT, RIGHT) else RIGHT
        tip = shift(point, way, 0.2)
        self.line(point, tip, colour)
        self.line(shift(tip, across, 0.22), shift(tip, across, -0.22), colour)
        anchor = {LEFT: "end", RIGHT: "start"}.get(way, "middle")
        x, y = shift(tip, way, 0.15)
        y -= {UP: 0, DOWN: 0.28}.get(way, 0.13)
        self.text((x, y), rail.value, anchor)

    def colour(self, node):
        """Return the colour for the wires of a pin, dark enough for paper."""
        net = self.net[node]
        return LEGIBLE.get(net.colour, net.colour)

    def islands(self):
        """Return the sets of connected nodes on this sheet. The label of a rail is the node of the
        rail."""
        labels = [((rail, "rail"), point) for rail, point in self.labels]
        nodes = [*self.pins.items(), *labels]
        return [{node for node, point in nodes if point in island} for island in self._islands()]

    def _islands(self):
        """Return the sets of points that wires connect."""
        points = {
            *self.pins.values(),
            *(p for _, p in self.labels),
            *(p for w in self.wires for p in w),
        }
        island = {point: {point} for point in points}
        for wire in self.wires:
            joined = set().union(*(island[point] for point in points if touches(point, wire)))
            island.update(dict.fromkeys(joined, joined))
        return list({id(joined): joined for joined in island.values()}.values())

    def faults(self):
        """Return the faults of the sheet itself, one line each."""
        found = self.trespassers()
        points = self._points(self.paper()[-1])
        if points < SMALLEST:
            found.append(
                f"text of {points:.1f} points: it must have at least {SMALLEST} points on paper"
            )
        return found

    def trespassers(self):
        """Return the symbols and wires that run into another symbol, one line each."""
        wires = [
            ("a wire", (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)))
            for (ax, ay), (bx, by) in self.wires
        ]
        found = []
        for number, (what, body) in enumerate(self.bodies):
            for other, extent in self.bodies[number + 1 :] + wires:
                if _overlap(body, extent):
                    found.append(f"{other} runs into {what}")
        return found

    def svg(self):
        """Return the drawing as an SVG file."""
        name, width, height, unit = self.paper()
        left, top, across, down = self._page()
        page = {"viewBox": " ".join(f"{PIXELS * n:g}" for n in (left, top, across, down))}
        page |= {"width": f"{width}mm", "height": f"{height}mm", "role": "img"}
        tree = ElementTree.Element(f"{SVG}svg", page, **FACE)
        ElementTree.SubElement(tree, f"{SVG}title").text = self.title
        ElementTree.SubElement(tree, f"{SVG}desc").text = self._about()
        corner = {"x": f"{PIXELS * left:g}", "y": f"{PIXELS * top:g}"}
        paper = {"width": "100%", "height": "100%", "fill": "#ffffff"}
        ElementTree.SubElement(tree, f"{SVG}rect", corner | paper)
        block = self._title_block(tree, name, (left, top, across, down), MARGIN / unit)
        wires, dots = self._soldered()
        for drawing in (wires, self._symbols, dots):
            tree.extend(_shapes(drawing))
        for text in [*self._texts, *block]:
            _write(tree, *text)
        ElementTree.register_namespace("", SVG.strip("{}"))
        ElementTree.indent(tree)
        return ElementTree.tostring(tree, encoding="utf-8", xml_declaration=True) + b"\n"

    def paper(self):
        """Return the smallest paper on which all text is legible: its name, its width and height
        in mm, and the length of a grid unit in mm."""
        found = []
        for name, width, height in PAPERS:
            unit = min(
                (width - 2 * MARGIN) / (self.width + 0.4),
                (height - 2 * MARGIN) / (self.height + 0.4 + BLOCK),
            )
            found.append((name, width, height, unit))
        fitting = [paper for paper in found if self._points(paper[-1]) >= SMALLEST]
        return fitting[0] if fitting else found[-1]

    def _points(self, unit):
        """Return the size of the smallest text in points. `unit` is a grid unit in mm."""
        return min(size for _, _, _, size, _ in self._texts) / PIXELS * unit * 72 / 25.4

    def _page(self):
        """Return the left, top, width and height of the paper, in grid units with y downwards."""
        _, width, height, unit = self.paper()
        across, down = width / unit, height / unit
        return (
            (self.width - across) / 2,
            -self.height - (down - self.height - BLOCK) / 2,
            across,
            down,
        )

    def _title_block(self, tree, paper, page, margin):
        """Draw the frame, with the title block at its bottom. Return the words in the block."""
        left, top, across, down = page
        x, y = left + margin, top + margin
        right, foot = left + across - margin, top + down - margin
        head = foot - BLOCK
        frame = {"x": x, "y": y, "width": right - x, "height": foot - y}
        look = {"class": "frame", "fill": "none", "stroke": INK, "stroke-width": "1.3"}
        place = {name: f"{PIXELS * value:g}" for name, value in frame.items()}
        ElementTree.SubElement(tree, f"{SVG}rect", place | look)
        cells = [
            ("made by", "nimatron wiring, from pins.py", 8),
            ("revision", self.build.revision, 3.2),
            ("paper", paper, 2.2),
            ("sheet", self.number, 2.4),
        ]
        lines = [((x, head), (right, head))]
        machine = f"Nimatron, {self.build.title.lower()}"
        words = [
            ((x + 0.3, -head - 0.5), machine, "start", 9.2, GREY),
            ((x + 0.3, -head - 1.15), self.about, "start", 14, INK),
        ]
        at = right
        for name, value, width in reversed(cells):
            at -= width
            lines.append(((at, head), (at, foot)))
            words.append(((at + 0.2, -head - 0.5), name, "start", 9.2, GREY))
            words.append(((at + 0.2, -head - 1.1), value, "start", FONT, INK))
        for ends in lines:
            points = " ".join(f"{PIXELS * px:g},{PIXELS * py:g}" for px, py in ends)
            stroke = {"points": points, "fill": "none", "stroke": INK, "stroke-width": "1.3"}
            ElementTree.SubElement(tree, f"{SVG}polyline", stroke)
        return words

    def _about(self):
        """Return a description of the sheet for people who cannot see it."""
        signals = [signal for signal in self.build.signals if signal.node in self.pins]
        pins = ", ".join(f"GP{s.gpio} (pin {NUMBERS[s.node[1]]}) {s.name}" for s in signals)
        return f"Schematic of the Raspberry Pi Pico and the parts soldered to it: {pins}."

    def _soldered(self):
        """Return the wires in the colours of their nets, and a dot wherever three wires meet."""
        wires, dots = _drawing(1.8), _drawing(1)
        arms = Counter(self.pins.values())
        for wire in self.wires:
            arms.update(wire)
        for point in list(arms):
            arms[point] += 2 * sum(touches(point, w) and point not in w for w in self.wires)
        node_at = {point: node for node, point in self.pins.items()}
        for island in self._islands():
            colour = next((self.colour(node_at[p]) for p in sorted(island) if p in node_at), INK)
            for a, b in self.wires:
                if a in island:
                    wires.add(elements.Line().at(a).to(b).color(colour))
            for point in sorted(island):
                if arms[point] > 2:
                    dots.add(elements.Dot(radius=0.09).at(point).color(colour))
        return wires, dots


def _write(tree, point, text, anchor, size, colour):
    """Add a line of text to an SVG."""
    x, y = point
    place = {"x": f"{x * PIXELS:g}", "y": f"{-y * PIXELS:g}", "text-anchor": anchor}
    look = {"font-size": f"{size:g}", "fill": colour}
    ElementTree.SubElement(tree, f"{SVG}text", place | look).text = text


def _drawing(line_width):
    drawing = schemdraw.Drawing(show=False, canvas="svg", inches_per_unit=PIXELS / 72)
    drawing.config(lw=line_width, color=INK)
    return drawing


def _shapes(drawing):
    """Yield the SVG elements of a drawing."""
    if drawing.elements:
        for shape in ElementTree.fromstring(drawing.draw(show=False).getimage()):
            shape.set("style", shape.get("style").replace("stroke-dasharray:-;", ""))
            yield shape


def _overlap(a, b):
    """Return True if two boxes share more than their edges."""
    return all(a[n] + SLACK < b[n + 2] and b[n] + SLACK < a[n + 2] for n in (0, 1))
