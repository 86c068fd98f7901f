"""The build book, which is the page of a build on paper, with one step on each sheet. It has the
same words, tables and pictures as the page."""

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from fpdf.fonts import FontFace

from nimatron_wiring.kit.paper import FACE, POINT, SIZES, Paper, plain, proportions

_TICK = "\N{BALLOT BOX} "
_TICKED = "What to buy"  # the section whose items are ticked off, like the steps
_WORDS = 8  # points: the font size of a table
_WIDEST = 45  # letters in a column that has the same width as a longer one
_NARROW = 45  # letters in all columns of a table that is written in two halves
_CAPTION = 5  # mm: the room for a line below a life-size picture


def book(page: str, files: Mapping[str, bytes], size: str) -> bytes:
    """Return the build book as a PDF.

    page: the name of the build's page.
    files: the pages and pictures in wiring/, by name.
    size: a key of paper.SIZES."""
    pieces = list(_pieces(files[page].decode()))
    _, title = pieces[0]
    paper = Paper(f"Nimatron: {title}: build book", SIZES[size])
    paper.add_page()
    ticked = False
    for kind, content in pieces:
        if kind == "head":
            level, words = content.split(" ", 1) if content.startswith("#") else ("#", content)
            if words.startswith("Step ") or paper.room < 50:
                paper.add_page()
            paper.head(words, {"#": 20, "##": 14, "###": 14}[level])
            if level == "##":
                ticked = words == _TICKED
            elif words.startswith("Step "):
                ticked = True
        elif kind == "picture":
            _picture(paper, files[content])
        elif kind == "table":
            _table(paper, content, ticked)
        elif kind == "list":
            for item in content:
                mark = _TICK if ticked else "" if item[0].isdecimal() else "• "
                paper.say(mark + item, 9, 0.8)
            paper.ln(1)
        else:
            paper.say(content)
    return bytes(paper.output())


def _pieces(page: str) -> Iterator[tuple[str, object]]:
    """Yield the pieces of a Markdown page as (kind, content)."""
    text = re.sub(r"<!--.*?-->", "", page, flags=re.DOTALL).strip()
    for block in re.split(r"\n\s*\n", text):
        if found := re.match(r"(#+) (.+)\n?", block):
            title = found[2] if len(found[1]) == 1 else f"{found[1]} {found[2]}"
            yield "head", title
            block = block[found.end() :]
        if not block:
            continue
        if found := re.fullmatch(r"!\[[^]]*\]\((.+)\)", block):
            yield "picture", found[1]
        elif block.startswith("|"):
            lines = [line for line in block.splitlines() if set(line) - set("-| ")]
            yield "table", [[c.strip() for c in line[1:-1].split(" | ")] for line in lines]
        elif re.match(r"(- |\d+\. )", block):
            items = re.split(r"\n(?=- |\d+\. )", block)
            yield "list", [" ".join(re.sub("^- ", "", item).split()) for item in items]
        else:
            yield "paragraph", " ".join(block.split())


def _picture(paper: Paper, drawing: bytes) -> None:
    """Put a picture on the page, life-size if the picture gives its size in mm and fits."""
    wide, high = proportions(drawing)
    life = b'mm"' in drawing[:600]
    most = paper.h - paper.t_margin - paper.b_margin - 40
    scale = min(paper.epw / wide, most / high, 1.0 if life else 9.0)
    if high * scale > paper.room - _CAPTION:
        paper.add_page()
    left = paper.l_margin + (paper.epw - wide * scale) / 2
    paper.set_y(paper.get_y() + paper.picture(drawing, left, paper.get_y(), wide * scale) + 1)
    if life and scale == 1.0:
        paper.say("Life-size, if you print at 100 %.", 7, 0)


def _table(paper: Paper, rows: list[list[str]], ticked: bool) -> None:
    """Write a table, with boxes to tick. A narrow table is split into two halves, side by side."""
    rows = [[plain(cell) for cell in row] for row in rows]
    if ticked:
        rows[1:] = [[_TICK + row[0], *row[1:]] for row in rows[1:]]
    if sum(max(map(len, column)) for column in zip(*rows, strict=True)) < _NARROW:
        head, *rest = rows
        half = -(-len(rest) // 2)
        pairs = zip_longest(rest[:half], rest[half:], fillvalue=[""] * len(head))
        rows = [head * 2, *(one + other for one, other in pairs)]
    lengths = [min(max(map(len, column)), _WIDEST) + 5 for column in zip(*rows, strict=True)]
    paper.set_font(FACE, size=_WORDS)
    line, bold = _WORDS * POINT * 1.2, FontFace(emphasis="BOLD")
    look = {"headings_style": bold, "text_align": "LEFT", "padding": 0.15}
    with paper.table(col_widths=lengths, line_height=line, **look) as table:
        for cells in rows:
            row = table.row()
            for cell in cells:
                row.cell(cell)
    paper.ln(1)
