"""A full-size drawing of the front panel or of the back, as SVG. One group contains the lines to
cut, and another group the words to engrave or print."""

from xml.etree import ElementTree

from nimatron_play import words
from nimatron_wiring.drawing import FACE
from nimatron_wiring.legible import SVG
from nimatron_wiring.panel.dimensions import CORNER, HEIGHT, WIDTH, Panel, Words

CAPITAL = 0.73  # height of a capital letter in this font, in font sizes
NARROW = 0.68  # average width of a letter, in font sizes. None of our lines has a higher average


def svg(panel: Panel, language: str = words.PLAIN, line: float = 0.6) -> bytes:
    """Return the drawing in a language. `line` is the width of the cut lines in mm."""
    page = {"viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}", "role": "img", "font-family": FACE}
    page |= {"width": f"{WIDTH:g}mm", "height": f"{HEIGHT:g}mm"}
    tree = ElementTree.Element(f"{SVG}svg", page)
    side = "front panel" if panel.windows else "back of the box"
    ElementTree.SubElement(tree, f"{SVG}title").text = f"Nimatron: the {side}"
    about = f"{len(panel.holes)} round holes and {len(panel.windows)} windows in a panel of "
    ElementTree.SubElement(tree, f"{SVG}desc").text = f"{about}{WIDTH:g} x {HEIGHT:g} mm."
    look = {"fill": "none", "stroke": "#d00000", "stroke-width": f"{line:g}"}
    cut = ElementTree.SubElement(tree, f"{SVG}g", {"id": "cut"} | look)
    _rectangle(cut, line / 2, line / 2, WIDTH - line, HEIGHT - line, CORNER)
    for hole in panel.holes:
        place = {"cx": f"{hole.x:g}", "cy": f"{HEIGHT - hole.y:g}", "r": f"{hole.diameter / 2:g}"}
        ElementTree.SubElement(cut, f"{SVG}circle", place)
    for window in panel.windows:
        left, top = window.x - window.width / 2, HEIGHT - window.y - window.height / 2
        _rectangle(cut, left, top, window.width, window.height, window.corner)
    look = {"fill": "#000000", "text-anchor": "middle"}
    engraved = ElementTree.SubElement(tree, f"{SVG}g", {"id": "engrave"} | look)
    table = words.table(language)
    for line_ in panel.words:
        place = {"x": f"{line_.x:g}", "y": f"{HEIGHT - line_.y + line_.height / 2:g}"}
        place["font-size"] = f"{size(line_, panel, table):.3g}"
        ElementTree.SubElement(engraved, f"{SVG}text", place).text = said(line_, table)
    ElementTree.register_namespace("", SVG.strip("{}"))
    ElementTree.indent(tree)
    return ElementTree.tostring(tree, encoding="utf-8", xml_declaration=True) + b"\n"


def _rectangle(group, left, top, width, height, corner):
    place = {"x": left, "y": top, "width": width, "height": height, "rx": corner}
    ElementTree.SubElement(
        group, f"{SVG}rect", {name: f"{value:g}" for name, value in place.items()}
    )


def said(line: Words, table: words.Table) -> str:
    """Return the text of a line on the panel, from the words of a language."""
    gaps = {"row": line.row} if line.row else {}
    return words.say([words.message(line.key, **gaps)], table)


def size(line: Words, panel: Panel, table: words.Table) -> float:
    """Return the font size for a line, which is smaller if the text is too long for its window."""
    whole = line.height / CAPITAL
    there = [w for w in panel.windows if (w.x, w.y) == (line.x, line.y)]
    if not there:
        return whole
    return min(whole, (there[0].width - 6) / (NARROW * len(said(line, table))))
