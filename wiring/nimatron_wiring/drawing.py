"""A drawing as an SVG file."""

from xml.etree import ElementTree

from nimatron_wiring.breadboard.holes import PITCH
from nimatron_wiring.legible import SVG, shapes

FACE = "DejaVu Sans, Verdana, Arial, sans-serif"
FONT = 2.6  # mm. This is 7.4 points, so a Letter page can shrink it a little
INK = "#1a1a1a"
PALE = 0.68  # how much earlier parts fade to white, from 0 to 1


class Canvas:
    """An SVG in millimetres. Coordinates are given in pitches."""

    def __init__(self, title, about, box=(0, 0, 0, 0)):
        look = {"role": "img", "font-family": FACE, "font-size": f"{FONT:g}"}
        self.tree = ElementTree.Element(f"{SVG}svg", look)
        ElementTree.SubElement(self.tree, f"{SVG}title").text = title
        ElementTree.SubElement(self.tree, f"{SVG}desc").text = about
        self.pale = False
        self.box(*box, "#ffffff")
        self.background = self.tree[-1]
        left, top, right, bottom = (edge * PITCH for edge in box)
        self.tree.set("viewBox", f"{left:.2f} {top:.2f} {right - left:.2f} {bottom - top:.2f}")
        self.tree.set("width", f"{right - left:.1f}mm")
        self.tree.set("height", f"{bottom - top:.1f}mm")

    def fit(self, edge: float) -> None:
        """Fit the drawing to its content, with an edge in mm and without a size on paper."""
        self.tree.remove(self.background)
        lefts, tops, rights, bottoms = zip(*(box for box, _ in shapes(self.tree)), strict=True)
        left, top = min(lefts) - edge, min(tops) - edge
        size = max(rights) + edge - left, max(bottoms) + edge - top
        place = [f"{number:.2f}" for number in (left, top, *size)]
        self.tree.set("viewBox", " ".join(place))
        for name, number in zip(("x", "y", "width", "height"), place, strict=True):
            self.background.set(name, number)
            self.tree.attrib.pop(name, None)
        self.tree.insert(2, self.background)

    def colour(self, colour):
        if not self.pale or not colour.startswith("#"):
            return colour
        parts = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
        return "#" + "".join(f"{round(part + (255 - part) * PALE):02x}" for part in parts)

    def add(self, tag, fill="none", stroke="none", thick=0.0, **more):
        look = {"fill": self.colour(fill)}
        if stroke != "none":
            look |= {"stroke": self.colour(stroke), "stroke-width": f"{thick:g}"}
        attributes = {name.replace("_", "-"): str(value) for name, value in more.items()}
        return ElementTree.SubElement(self.tree, f"{SVG}{tag}", attributes | look)

    def box(self, left, top, right, bottom, fill, stroke="none", width=0.2, round_=0.0):
        place = {
            "x": in_mm(left),
            "y": in_mm(top),
            "width": in_mm(right - left),
            "height": in_mm(bottom - top),
        }
        self.add("rect", fill, stroke, width, rx=f"{round_:g}", **place)

    def circle(self, x, y, radius, fill, stroke="none", width=0.2):
        self.add("circle", fill, stroke, width, cx=in_mm(x), cy=in_mm(y), r=in_mm(radius))

    def line(self, points, stroke, width, **more):
        way = " ".join(
            f"{'L' if n else 'M'}{in_mm(x)} {in_mm(y)}" for n, (x, y) in enumerate(points)
        )
        self.add("path", "none", stroke, width, d=way, stroke_linejoin="round", **more)

    def text(self, x, y, words, anchor="middle", colour=INK, upright=True, size=FONT, bold=False):
        """Write words with their middle line at y, or upwards at x if `upright` is false."""
        down = 0.36 * size / PITCH
        place = {"x": in_mm(x), "y": in_mm(y + down)}
        if not upright:
            place = {"x": "0", "y": "0"}
            turn = f"translate({in_mm(x + down)} {in_mm(y)}) rotate(-90)"
            place["transform"] = turn
        if bold:
            place["font_weight"] = "bold"
        if size != FONT:
            place["font_size"] = f"{size:g}"
        self.add("text", colour, text_anchor=anchor, **place).text = words

    def svg(self) -> bytes:
        ElementTree.register_namespace("", SVG.strip("{}"))
        ElementTree.indent(self.tree, " ")
        return ElementTree.tostring(self.tree, encoding="utf-8", xml_declaration=True) + b"\n"


def in_mm(pitches: float) -> str:
    return f"{pitches * PITCH:.2f}"
