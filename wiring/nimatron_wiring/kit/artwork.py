"""Prints for the front of the exhibit: the full-size artwork for the panel, on one sheet and in
tiles, and a label that shows visitors how to play. All have a page for each language."""

from itertools import product
from math import ceil

from nimatron_play import words
from nimatron_wiring.kit.paper import FACE, POINT, SIZES, Paper
from nimatron_wiring.panel.dimensions import HEIGHT, WIDTH, Panel
from nimatron_wiring.panel.drawing import svg

_BLANK = 10.0  # mm: the edge of a sheet that printers leave blank
_RULES = [words.message("rules.nim"), words.message("rule.misere", last="last.lamp")]
_HOW = ("term.help.machine", "term.help.turn", "term.help.new", "term.help.token")
_STORY = ("page.story.1", "page.story.3", "page.story.5")


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
