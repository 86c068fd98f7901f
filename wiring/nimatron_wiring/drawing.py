"""A drawing: lines, boxes and text on a grid, as an SVG file."""

from xml.etree import ElementTree

from nimatron_wiring.legible import SVG

FACE = {"font-family": "DejaVu Sans, Verdana, Arial, sans-serif"}
INK, GREY = "#222222", "#5a5a5a"
UNIT = 30  # pixels per grid unit
SMALL, TINY = 0.32, 0.29  # sizes of text in grid units
# The colours of wires on paper. They are dark enough to print, and different enough for people who
# are colour-blind.
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

Point = tuple[float, float]


class Drawing:
    """A drawing. y grows downwards."""

    def __init__(self, title: str, about: str):
        self._shapes: list[tuple] = []
        self._about = {"title": title, "desc": about}
        self._xs: list[float] = []
        self._ys: list[float] = []

    def _reach(self, *points):
        self._xs += [x for x, _ in points]
        self._ys += [y for _, y in points]

    def _add(self, tag, text=None, **what):
        told = {name.replace("_", "-"): value for name, value in what.items()}
        told = {n: v if isinstance(v, str) else f"{v * UNIT:.6g}" for n, v in told.items()}
        self._shapes.append((tag, told, text))

    def line(
        self, *points: Point, colour: str = INK, width: float = 0.05, fill: str = "none"
    ) -> None:
        """Draw a line from point to point."""
        self._reach(*points)
        shown = " ".join(f"{x * UNIT:.6g},{y * UNIT:.6g}" for x, y in points)
        self._add("polyline", points=shown, stroke=colour, stroke_width=width, fill=fill)

    def box(self, corner: Point, opposite: Point, colour: str = INK, width: float = 0.05) -> None:
        (x1, y1), (x2, y2) = corner, opposite
        self.line((x1, y1), (x2, y1), (x2, y2), (x1, y2), (x1, y1), colour=colour, width=width)

    def circle(self, middle: Point, radius: float, colour: str = INK, fill: str = "none") -> None:
        (x, y), r = middle, radius
        self._reach((x - r, y - r), (x + r, y + r))
        self._add("circle", cx=x, cy=y, r=r, stroke=colour, stroke_width=0.05, fill=fill)

    def text(
        self,
        point: Point,
        text: str,
        anchor: str = "start",
        size: float = 0.37,
        colour: str = INK,
        upright: bool = False,
    ) -> None:
        """Write one line of text, from left to right or upwards. The baseline of the text starts
        at `point`, ends there, or is centred on it."""
        if not text:
            return
        (x, y), wide = point, 0.64 * size * len(text)
        left = x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        self._reach((x, y), (x if upright else left, y - size), (x if upright else left + wide, y))
        place = {"x": x, "y": y}
        if upright:
            move = f"translate({x * UNIT:g} {y * UNIT:g}) rotate(-90)"
            place = {"transform": move, "x": "0", "y": "0"}
        self._add("text", text, **place, text_anchor=anchor, font_size=size, fill=colour)

    def svg(self) -> bytes:
        edge = 0.6
        left, top = min(self._xs) - edge, min(self._ys) - edge
        size = max(self._xs) + edge - left, max(self._ys) + edge - top
        view = " ".join(f"{value * UNIT:.5g}" for value in (left, top, *size))
        tree = ElementTree.Element(f"{SVG}svg", FACE | {"viewBox": view, "role": "img"})
        for tag, text in self._about.items():
            ElementTree.SubElement(tree, f"{SVG}{tag}").text = text
        ElementTree.SubElement(
            tree,
            f"{SVG}rect",
            dict(zip(("x", "y", "width", "height"), view.split(), strict=True)) | {"fill": "#fff"},
        )
        for tag, told, text in self._shapes:
            ElementTree.SubElement(tree, f"{SVG}{tag}", told).text = text
        ElementTree.register_namespace("", SVG.strip("{}"))
        ElementTree.indent(tree)
        return ElementTree.tostring(tree, encoding="utf-8", xml_declaration=True) + b"\n"
