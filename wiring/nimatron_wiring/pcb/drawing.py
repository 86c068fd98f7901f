"""A picture of the board from above: the tracks on both sides, the pads, and the print."""

from xml.etree import ElementTree

from nimatron_wiring.legible import SVG
from nimatron_wiring.panel.drawing import CAPITAL, FACE
from nimatron_wiring.pcb.design import Design
from nimatron_wiring.pcb.placement import CORNER, HEIGHT, SCREW, SCREWS, WIDTH
from nimatron_wiring.pcb.routes import BOTTOM, TOP
from nimatron_wiring.pcb.rules import PEN, TRACK, VIA, VIA_HOLE

NAME = "board.svg"
ABOUT = (
    "The circuit board from above: the Pico at the upper left, four rows of seven lamps with one "
    "button per row, the signs above them, NEW and GO below. Light lines are the tracks on top, "
    "and dark lines are the tracks on the bottom"
)
_BOARD, _COPPER, _HOLE, _PRINT = "#14532d", "#e3b341", "#ffffff", "#ffffff"
_SIDES = {BOTTOM: "#052e16", TOP: "#7fbf7f"}


def svg(made: Design) -> bytes:
    page = {"viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}", "role": "img", "font-family": FACE}
    page |= {"width": f"{WIDTH:g}mm", "height": f"{HEIGHT:g}mm"}
    tree = ElementTree.Element(f"{SVG}svg", page)
    ElementTree.SubElement(tree, f"{SVG}title").text = "Nimatron: the circuit board"
    ElementTree.SubElement(tree, f"{SVG}desc").text = f"{ABOUT}."
    edge = {"width": WIDTH, "height": HEIGHT, "rx": CORNER}
    _add(tree, "rect", edge | {"fill": _BOARD})
    for layer, colour in _SIDES.items():
        look = {"stroke": colour, "stroke-width": TRACK, "stroke-linecap": "round"}
        group = _add(tree, "g", look | {"id": "top" if layer == TOP else "bottom"})
        for track in made.routes.tracks:
            if track.layer == layer:
                (x1, y1), (x2, y2) = track.start, track.end
                _add(group, "line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2})
    group = _add(tree, "g", {"id": "copper", "fill": _COPPER})
    for pad in made.pads:
        _circle(group, pad.x, pad.y, pad.size)
    for via in made.routes.vias:
        _circle(group, via.x, via.y, VIA)
    group = _add(tree, "g", {"id": "holes", "fill": _HOLE})
    for pad in made.pads:
        _circle(group, pad.x, pad.y, pad.hole)
    for via in made.routes.vias:
        _circle(group, via.x, via.y, VIA_HOLE)
    for x, y in SCREWS:
        _circle(group, x, y, SCREW)
    group = _add(tree, "g", {"id": "print", "fill": "none", "stroke": _PRINT, "stroke-width": PEN})
    for stroke in made.outlines:
        points = " ".join(f"{x:.5g},{y:.5g}" for x, y in stroke)
        _add(group, "polyline", {"points": points})
    group = _add(tree, "g", {"id": "words", "fill": _PRINT, "text-anchor": "middle"})
    for line in made.words:
        place = {"x": line.x, "y": line.y + line.height / 2}
        if line.turned:
            place["transform"] = f"rotate(-90 {line.x:g} {line.y:g})"
        _add(group, "text", place | {"font-size": line.height / CAPITAL}).text = line.text
    ElementTree.register_namespace("", SVG.strip("{}"))
    ElementTree.indent(tree)
    return ElementTree.tostring(tree, encoding="utf-8", xml_declaration=True) + b"\n"


def _circle(group, x, y, diameter):
    _add(group, "circle", {"cx": x, "cy": y, "r": diameter / 2})


def _add(parent, name, what):
    told = {k: v if isinstance(v, str) else f"{v:.5g}" for k, v in what.items()}
    return ElementTree.SubElement(parent, f"{SVG}{name}", told)
