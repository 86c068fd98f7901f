"""The icon as a PNG, for phones whose home screen takes no SVG. It draws what icon.svg consists
of: a square with round corners, and circles."""

import math
import struct
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from xml.etree import ElementTree

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGBA = 6  # the colour type

# How far outside of a shape a point is, in pixels; negative inside.
Distance = Callable[[float, float], float]


@cache
def png(svg: str, size: int) -> bytes:
    """The picture, `size` pixels wide and high."""
    root = ElementTree.fromstring(svg)
    scale = size / float(root.get("viewBox", "").split()[2])
    rows = [bytearray(4 * size) for _ in range(size)]
    for distance, (left, top, right, bottom), colour in _shapes(root, scale, "#000000"):
        for y in range(int(top), math.ceil(bottom)):
            row = rows[y]
            for x in range(int(left), math.ceil(right)):
                # The shape's share of a pixel on its edge.
                cover = min(max(0.5 - distance(x + 0.5, y + 0.5), 0), 1)
                if cover:
                    _paint(row, 4 * x, colour, cover)
    header = struct.pack(">IIBBBBB", size, size, 8, _RGBA, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    chunks = (b"IHDR", header), (b"IDAT", pixels), (b"IEND", b"")
    return _SIGNATURE + b"".join(_chunk(name, content) for name, content in chunks)


def _shapes(element, scale, fill) -> Iterator[tuple[Distance, tuple, bytes]]:
    """Each shape below an element, the box that it is in, and its colour."""
    fill = element.get("fill", fill)
    kind, colour = element.tag.rpartition("}")[2], bytes.fromhex(fill[1:])
    cx, cy, r, rx, width = (
        float(element.get(name, 0)) * scale for name in ("cx", "cy", "r", "rx", "width")
    )
    if kind == "circle":
        yield _circle(cx, cy, r), (cx - r, cy - r, cx + r, cy + r), colour
    elif kind == "rect":  # all of the picture
        yield _square(width, rx), (0, 0, width, width), colour
    for part in element:
        yield from _shapes(part, scale, fill)


def _circle(cx, cy, r):
    return lambda x, y: math.hypot(x - cx, y - cy) - r


def _square(width, rx):
    middle, straight = width / 2, width / 2 - rx

    def distance(x, y):
        dx, dy = abs(x - middle) - straight, abs(y - middle) - straight
        return math.hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - rx

    return distance


def _paint(row, at, colour, cover):
    under = row[at + 3] / 255 * (1 - cover)
    alpha = cover + under
    for n in range(3):
        row[at + n] = round((colour[n] * cover + row[at + n] * under) / alpha)
    row[at + 3] = round(255 * alpha)


def _chunk(name, content):
    check = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", check)
