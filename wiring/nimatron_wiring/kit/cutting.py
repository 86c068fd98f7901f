"""The front panel and the back for a laser or a drill: a DXF drawing in mm, seen from outside.

The layers are CUT, CENTRE (a point at the centre of each round hole, for a drill), and one layer
for the words in each language, such as ENGRAVE-en. A workshop uses the layer for one language. The
words are outlines, because some laser programs ignore text.
"""

import io

import ezdxf
from ezdxf import units
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

from nimatron_play import words
from nimatron_wiring.kit.paper import FONT
from nimatron_wiring.panel.dimensions import CORNER, HEIGHT, WIDTH, Panel
from nimatron_wiring.panel.drawing import CAPITAL, said, size

_QUARTER = 0.41421356  # the DXF bulge of a quarter circle: tan(90 degrees / 4)


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


_SMOOTH = 4  # straight pieces for each curve of a letter


class _Outlines(BasePen):
    """A pen that draws a glyph as closed lines of straight pieces."""

    def __init__(self, glyphs):
        super().__init__(glyphs)
        self.lines = []

    def _moveTo(self, point):
        self.lines.append([point])

    def _lineTo(self, point):
        self.lines[-1].append(point)

    def _qCurveToOne(self, off, end):
        (ax, ay), (bx, by), (cx, cy) = self._getCurrentPoint(), off, end
        for n in range(1, _SMOOTH + 1):
            t = n / _SMOOTH
            u, v, w = (1 - t) ** 2, 2 * t * (1 - t), t * t
            self._lineTo((u * ax + v * bx + w * cx, u * ay + v * by + w * cy))


def _words(space, line, height, text, layer):
    """Draw the outlines of a line of text, with its capitals centred on a point."""
    font = TTFont(FONT)
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    scale = height / font["head"].unitsPerEm
    letters = [glyphs[names[ord(letter)]] for letter in text]
    x, y = line.x - scale * sum(g.width for g in letters) / 2, line.y - CAPITAL * height / 2
    for glyph in letters:
        pen = _Outlines(glyphs)
        glyph.draw(pen)
        for points in pen.lines:
            if len(points) > 2:  # a single point is an anchor
                there = [(x + px * scale, y + py * scale) for px, py in points]
                space.add_lwpolyline(there, close=True, dxfattribs={"layer": layer})
        x += glyph.width * scale
