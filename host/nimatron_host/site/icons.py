"""The icon as a PNG, for phones whose home screen does not support SVG. This module draws the
shapes in icon.svg: a square with rounded corners, and circles."""

import io
from xml.etree import ElementTree

from PIL import Image, ImageDraw

_FINE = 4  # the drawing is this many times larger than the result, for smooth edges
_COLOURS = 64  # two colours and their mixtures on the edges, which saves 80 % of the bytes


def png(svg: str, size: int) -> bytes:
    """Return the picture, `size` pixels wide and high."""
    root = ElementTree.fromstring(svg)
    picture = Image.new("RGBA", (size * _FINE,) * 2)
    _draw(ImageDraw.Draw(picture), root, picture.width / float(root.get("viewBox", "").split()[2]))
    file = io.BytesIO()
    picture = picture.resize((size, size), Image.Resampling.LANCZOS)
    picture.quantize(_COLOURS, Image.Quantize.FASTOCTREE).save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw(
    pen: ImageDraw.ImageDraw, element: ElementTree.Element, scale: float, fill: str | None = None
) -> None:
    """Draw an element and the elements in it."""
    fill = element.get("fill", fill)
    kind = element.tag.rpartition("}")[2]
    cx, cy, r, rx, width = (
        float(element.get(name, 0)) * scale for name in ("cx", "cy", "r", "rx", "width")
    )
    if kind == "circle":
        pen.ellipse((cx - r, cy - r, cx + r, cy + r), fill)
    elif kind == "rect":  # the whole picture
        pen.rounded_rectangle((0, 0, width, width), rx, fill)
    for part in element:
        _draw(pen, part, scale, fill)
