"""A drawing as an SVG file, and the boxes around its shapes and lines of text.

Text is assumed to be slightly wider than in the widest common sans-serif fonts (DejaVu Sans,
Verdana), so that it fits in any viewer's font.
"""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from nimatron_wiring.breadboard.holes import PITCH

FACE = "DejaVu Sans, Verdana, Arial, sans-serif"
FONT = 2.6  # mm. This is 7.4 points, so a Letter page can shrink it a little
INK = "#1a1a1a"
PALE = 0.68  # how much earlier parts fade to white, from 0 to 1
SVG = "{http://www.w3.org/2000/svg}"
NARROW, WIDE = 0.45, 1.0  # widths in font sizes. All other characters are NORMAL or CAPITAL
NORMAL, CAPITAL = 0.64, 0.79
ABOVE, BELOW = 0.76, 0.24  # the extent of a line of text above and below its baseline

Box = tuple[float, float, float, float]  # left, top, right, bottom


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


def shapes(tree: ElementTree.Element) -> Iterator[tuple[Box, ElementTree.Element]]:
    """Yield each shape and each line of text in a drawing, with the box around it."""
    for element, size, anchor in _inherited(tree):
        if element.tag == f"{SVG}text":
            yield _box(element, size, anchor), element
        elif box := _bounds(element):
            yield box, element


def _inherited(element, size=None, anchor="start"):
    """Yield every element with its font size and its text anchor."""
    size, anchor = element.get("font-size", size), element.get("text-anchor", anchor)
    yield element, float(size or 0), anchor
    for child in element:
        yield from _inherited(child, size, anchor)


def _bounds(element):
    """Return the box around a shape, without the width of its line. Return None if the element is
    not a shape or its path is relative."""
    if element.tag == f"{SVG}rect" and element.get("width") != "100%":
        x, y, width, height = (
            float(element.get(name, 0)) for name in ("x", "y", "width", "height")
        )
        return x, y, x + width, y + height
    if element.tag == f"{SVG}circle":
        x, y, r = (float(element.get(name)) for name in ("cx", "cy", "r"))
        return x - r, y - r, x + r, y + r
    numbers = re.findall(r"-?[\d.]+", element.get("points") or "")
    path = element.get("d") or ""
    if not re.search("[a-z]", path):
        for command, values in re.findall(r"([MLQA])([^A-Z]*)", path):
            found = re.findall(r"-?[\d.]+", values)
            numbers += found[5:] if command == "A" else found
    if not numbers:
        return None
    xs, ys = (list(map(float, numbers[n::2])) for n in (0, 1))
    return min(xs), min(ys), max(xs), max(ys)


def _box(element, size, anchor):
    """Return the left, top, right and bottom of a text element."""
    width = size * sum(map(_advance, element.text))
    before = {"start": 0, "middle": width / 2, "end": width}[anchor]
    x, y = float(element.get("x")), float(element.get("y"))
    turned = re.fullmatch(
        r"translate\((-?[\d.]+) (-?[\d.]+)\) rotate\(-90\)", element.get("transform", "")
    )
    if turned:  # the text reads upwards
        x, y = map(float, turned.groups())
        return x - ABOVE * size, y - width + before, x + BELOW * size, y + before
    x -= before
    return x, y - ABOVE * size, x + width, y + BELOW * size


def _advance(letter):
    """Return the largest possible width of a letter, in font sizes."""
    if letter in "ijlIftr.,:;'|!()[] -":
        return NARROW
    if letter in "mwMW@%+=→…":
        return WIDE
    return CAPITAL if letter.isupper() or not letter.isascii() else NORMAL
