"""The front panel and the back for a laser or a drill: a DXF drawing in mm, seen from outside.

The layers are CUT, CENTRE (a point at the centre of each round hole, for a drill), and one layer
for the words in each language, such as ENGRAVE-en. A workshop uses the layer for one language. The
words are outlines, because some laser programs ignore text.
"""

import io

import ezdxf
from ezdxf import units
from ezdxf.addons.text2path import make_paths_from_str
from ezdxf.enums import TextEntityAlignment
from ezdxf.fonts.fonts import FontFace, font_manager
from ezdxf.math import Matrix44
from ezdxf.path import render_lwpolylines

from nimatron_play import words
from nimatron_wiring.kit.paper import FONT
from nimatron_wiring.panel.dimensions import CORNER, HEIGHT, WIDTH, Panel
from nimatron_wiring.panel.drawing import CAPITAL, said, size

_QUARTER = 0.41421356  # the DXF bulge of a quarter circle: tan(90 degrees / 4)
_SMOOTH = 0.05  # mm: how far a straight piece of a letter may be from its curve
font_manager.scan_folder(FONT.parent)


def dxf(panel: Panel) -> bytes:
    drawing = ezdxf.new("R2010", units=units.MM)
    for name, colour in (("CUT", 1), ("CENTRE", 5)):
        drawing.layers.add(name, color=colour)
    space = drawing.modelspace()
    _rectangle(space, WIDTH / 2, HEIGHT / 2, WIDTH, HEIGHT, CORNER)
    for hole in panel.holes:
        space.add_circle((hole.x, hole.y), hole.diameter / 2, dxfattribs={"layer": "CUT"})
        space.add_point((hole.x, hole.y), dxfattribs={"layer": "CENTRE"})
    for window in panel.windows:
        _rectangle(space, window.x, window.y, window.width, window.height, window.corner)
    for language in words.codes():
        table = words.table(language)
        layer = f"ENGRAVE-{language}"
        drawing.layers.add(layer, color=7)
        if language != words.PLAIN:
            drawing.layers.get(layer).off()
        for line in panel.words:
            _words(space, line, size(line, panel, table), said(line, table), layer)
    stream = io.StringIO()
    drawing.write(stream)
    return stream.getvalue().encode()


def _rectangle(space, x, y, width, height, corner):
    left, right = x - width / 2, x + width / 2
    low, high = y - height / 2, y + height / 2
    points = [
        (left + corner, low, 0),
        (right - corner, low, _QUARTER),
        (right, low + corner, 0),
        (right, high - corner, _QUARTER),
        (right - corner, high, 0),
        (left + corner, high, _QUARTER),
        (left, high - corner, 0),
        (left, low + corner, _QUARTER),
    ]
    space.add_lwpolyline(points, format="xyb", close=True, dxfattribs={"layer": "CUT"})


def _words(space, line, height, text, layer):
    """Draw the outlines of a line of text, with its capitals centred on a point."""
    face, place = FontFace(filename=FONT.name), Matrix44.translate(line.x, line.y, 0)
    align = TextEntityAlignment.MIDDLE_CENTER
    outlines = make_paths_from_str(text, face, size=height * CAPITAL, align=align, m=place)
    look = {"layer": layer}
    for outline in render_lwpolylines(space, outlines, distance=_SMOOTH, dxfattribs=look):
        outline.close()
