"""The boxes around the shapes and the lines of text in a drawing.

Text is assumed to be slightly wider than in the widest common sans-serif fonts (DejaVu Sans,
Verdana), so that it fits in any viewer's font.
"""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

Box = tuple[float, float, float, float]  # left, top, right, bottom
SVG = "{http://www.w3.org/2000/svg}"
NARROW, WIDE = 0.45, 1.0  # widths in font sizes. All other characters are NORMAL or CAPITAL
NORMAL, CAPITAL = 0.64, 0.79
ABOVE, BELOW = 0.76, 0.24  # the extent of a line of text above and below its baseline


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
