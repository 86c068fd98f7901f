"""Prints for the front of the exhibit: the full-size artwork for the panel, on one sheet and in
tiles, and a label that shows visitors how to play. All have a page for each language.

For a laser or a drill, the panel and the back are DXF drawings in mm, seen from outside. The
layers are CUT, CENTRE (a point at the centre of each round hole, for a drill), and one layer for
the words in each language, such as ENGRAVE-en. A workshop uses the layer for one language. The
words are outlines, because some laser programs ignore text.
"""

import io
from itertools import product
from math import ceil

import ezdxf
from ezdxf import units
from ezdxf.addons.text2path import make_paths_from_str
from ezdxf.enums import TextEntityAlignment
from ezdxf.fonts.fonts import FontFace, font_manager
from ezdxf.math import Matrix44
from ezdxf.path import render_lwpolylines

from nimatron_play import words
from nimatron_wiring.front_panel import CAPITAL, CORNER, HEIGHT, WIDTH, Panel, said, size, svg
from nimatron_wiring.kit.paper import FACE, FONT, POINT, SIZES, Paper

_BLANK = 10.0  # mm: the edge of a sheet that printers leave blank
_RULES = [words.message("rules.nim"), words.message("rule.misere", last="last.lamp")]
_HOW = ("term.help.machine", "term.help.turn", "term.help.new", "term.help.token")
_STORY = ("page.story.1", "page.story.3", "page.story.5")
_QUARTER = 0.41421356  # the DXF bulge of a quarter circle: tan(90 degrees / 4)
_SMOOTH = 0.05  # mm: how far a straight piece of a letter may be from its curve

font_manager.scan_folder(FONT.parent)


def artwork(panel: Panel) -> bytes:
    """Return a PDF of the full-size panel, to print and glue on, with a page for each language."""
    paper = Paper("Nimatron: the front panel", (WIDTH, HEIGHT), 0)
    paper.set_auto_page_break(False)
    for language in words.codes():
        paper.add_page()
        paper.without_foot.add(paper.page)  # the artwork has no footer
        paper.picture(svg(panel, language, 0.3), 0, 0, WIDTH)
    return bytes(paper.output())


def tiles(panel: Panel, size: str) -> bytes:
    """Return a PDF of the full-size panel in tiles to cut out and join, for any printer. `size` is
    a key of paper.SIZES."""
    paper = Paper("Nimatron: the front panel in tiles", SIZES[size], _BLANK)
    paper.set_auto_page_break(False)
    columns, rows = ceil(WIDTH / paper.epw), ceil(HEIGHT / paper.eph)
    wide, high = WIDTH / columns, HEIGHT / rows
    for language in words.codes():
        drawn = svg(panel, language, 0.3)
        for row, column in product(range(rows), range(columns)):
            paper.add_page()
            paper.without_foot.add(paper.page)
            paper.set_font(FACE, size=7)
            place = f"{language}: row {row + 1} of {rows}, column {column + 1} of {columns}"
            paper.text(_BLANK, _BLANK - 3, f"{place}. Print at 100 %. Cut along the grey lines.")
            with paper.rect_clip(_BLANK, _BLANK, wide, high):
                paper.picture(drawn, _BLANK - column * wide, _BLANK - row * high, WIDTH)
            paper.set_draw_color(128)
            paper.set_line_width(0.1)
            paper.rect(_BLANK, _BLANK, wide, high)
    return bytes(paper.output())


def label(size: str) -> bytes:
    """Return the label for visitors as a PDF. `size` is a key of paper.SIZES."""
    paper = Paper("Nimatron: the label for visitors", SIZES[size], 20)
    for language in words.codes():
        table = words.table(language)
        paper.add_page()
        paper.ln(20)
        _centred(paper, "NIMATRON", 34)
        _centred(paper, table["state.attract"], 22)
        paper.ln(6)
        _centred(paper, words.say(_RULES, table), 15)
        paper.ln(6)
        for key in _HOW:
            gaps = {"go": table["button.go"], "new": table["button.new"]}
            paper.say(words.say([words.message(key, **gaps)], table), 13, 3)
        paper.ln(6)
        for key in _STORY:
            paper.say(words.say([words.message(key)], table), 11, 1.5)
    return bytes(paper.output())


def _centred(paper, text, size):
    paper.set_font(FACE, size=size)
    paper.multi_cell(0, size * POINT * 1.35, text, align="C", new_x="LMARGIN", new_y="NEXT")
    paper.ln(2)


def dxf(panel: Panel) -> bytes:
    drawing = ezdxf.new("R2010", units=units.MM)
    for name, colour in (("CUT", 1), ("CENTRE", 5)):
        drawing.layers.add(name, color=colour)
    space = drawing.modelspace()
    _rectangle(space, WIDTH / 2, HEIGHT / 2, WIDTH, HEIGHT, CORNER)
    for hole in panel.holes:
        space.add_circle((hole.x, hole.y), hole.width / 2, dxfattribs={"layer": "CUT"})
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
