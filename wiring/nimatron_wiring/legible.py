"""Check that a drawing can be read: no words overlap other words or a line.

Text is assumed a little wider than in the widest common sans-serif fonts (DejaVu Sans, Verdana),
so that words do not collide in any viewer's font.
"""

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
NARROW, WIDE = 0.45, 1.0  # in font sizes; all other characters are NORMAL or CAPITAL
NORMAL, CAPITAL = 0.64, 0.79
ABOVE, BELOW = 0.76, 0.24  # the extent of a line of text above and below its baseline
SHY = 0.5  # pixels that may touch: a line's own width


def words(svg: bytes) -> list[str]:
    """Every line of text in the drawing."""
    return [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def faults(svg: bytes) -> list[str]:
    """What cannot be read in the drawing: one line per collision."""
    tree = ElementTree.fromstring(svg)
    boxes = [(_box(element), element.text) for element in tree.iter(f"{SVG}text")]
    lines = list(_lines(tree))
    found = [
        f"the words {a!r} and {b!r} overlap"
        for (one, a), (other, b) in combinations(boxes, 2)
        if _overlap(one, other)
    ]
    for box, text in boxes:
        if any(_crosses(line, box) for line in lines):
            found.append(f"a line runs through the words {text!r}")
    left, top, width, height = map(float, tree.get("viewBox").split())
    for frame in tree.iter(f"{SVG}rect"):
        if frame.get("class") == "frame":
            left, top, width, height = (float(frame.get(n)) for n in ("x", "y", "width", "height"))
    page = (left, top, left + width, top + height)
    found += [
        f"the words {text!r} leave the sheet" for box, text in boxes if not _within(box, page)
    ]
    return found


def _box(element):
    """The left, top, right and bottom of a text element."""
    size = float(element.get("font-size"))
    width = width_of(element.text, size)
    x, y = float(element.get("x")), float(element.get("y"))
    x -= {"start": 0, "middle": width / 2, "end": width}[element.get("text-anchor")]
    return x, y - ABOVE * size, x + width, y + BELOW * size


def width_of(text: str, size: float) -> float:
    """The most that a line of text can take."""
    return size * sum(map(_advance, text))


def _advance(letter):
    if letter in "ijlIftr.,:;'|!()[] -":
        return NARROW
    if letter in "mwMW@%+=→…":
        return WIDE
    return CAPITAL if letter.isupper() or not letter.isascii() else NORMAL


def _overlap(a, b):
    return a[0] < b[2] - SHY and b[0] < a[2] - SHY and a[1] < b[3] - SHY and b[1] < a[3] - SHY


def _within(box, page):
    return page[0] <= box[0] and page[1] <= box[1] and box[2] <= page[2] and box[3] <= page[3]


def _lines(tree):
    """Every straight line of the drawing, as two corners; a circle counts as the box around it."""
    for element in tree.iter():
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", element.get("points") or "")]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        if element.tag == f"{SVG}polygon":
            points.append(points[0])
        elif element.tag == f"{SVG}path" and "a" not in element.get("d"):
            points = [
                tuple(map(float, p.split(",")))
                for p in re.findall(r"[-\d.]+,[-\d.]+", element.get("d"))
            ]
        elif element.tag == f"{SVG}circle":
            x, y, r = (float(element.get(name)) for name in ("cx", "cy", "r"))
            points = [(x - r, y - r), (x + r, y + r), (x - r, y + r), (x + r, y - r)]
        yield from pairwise(points)


def _crosses(line, box):
    """True if the line has a point in the box: clip it at each of the four sides."""
    (ax, ay), (bx, by) = line
    begin, end = 0.0, 1.0
    for start, way, low, high in (
        (ax, bx - ax, box[0] + SHY, box[2] - SHY),
        (ay, by - ay, box[1] + SHY, box[3] - SHY),
    ):
        if way == 0:
            if not low < start < high:
                return False
            continue
        near, far = sorted(((low - start) / way, (high - start) / way))
        begin, end = max(begin, near), min(end, far)
    return begin < end
