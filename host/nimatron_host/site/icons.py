"""The icon as a PNG, for phones whose home screen takes no SVG. It draws the
shapes of icon.svg: a square with round corners, and circles."""

import io
from xml.etree import ElementTree

from PIL import Image, ImageDraw

_FINE = 4  # times as large as the result, for smooth edges
_COLOURS = 64  # two, and their mixtures on the edges: a fifth of the bytes


def png(svg: str, size: int) -> bytes:
    """The picture, `size` pixels wide and high."""
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
    """This shape, and the shapes below it."""
    fill = element.get("fill", fill)
    kind = element.tag.rpartition("}")[2]
    cx, cy, r, rx, width = (
        float(element.get(name, 0)) * scale for name in ("cx", "cy", "r", "rx", "width")
    )
    if kind == "circle":
        pen.ellipse((cx - r, cy - r, cx + r, cy + r), fill)
    elif kind == "rect":  # all of the picture
        pen.rounded_rectangle((0, 0, width, width), rx, fill)
    for part in element:
        _draw(pen, part, scale, fill)
