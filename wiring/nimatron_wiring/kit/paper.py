"""A PDF document, with a font that has every letter we use, and drawings."""

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import fpdf
import ziafont

from nimatron import VERSION
from nimatron_wiring.legible import SVG

FACE = "DejaVu Sans"
SIZES = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}  # mm
MARGIN = 12.0
POINT = 25.4 / 72  # a point in mm
_TICKED = 8  # points: the font size of an item to tick
TICK = _TICKED * POINT * 1.45  # mm: the height of a line to tick
GAP = 1.5  # mm: the gap below a paragraph
FONT = Path(ziafont.__file__).parent / "fonts" / "DejaVuSans.ttf"


class Paper(fpdf.FPDF):
    """A document with its title at the bottom of each page. Lengths are in mm."""

    def __init__(self, title: str, size: tuple[float, float], margin: float = MARGIN):
        super().__init__(unit="mm", format=size)
        for style in ("", "B"):
            self.add_font(FACE, style, FONT)
        self.set_title(title)
        self.set_author("nimatron wiring --kit")
        self.set_margins(margin, margin)
        self.set_auto_page_break(True, margin + 6)
        self.about, self.size = title, size
        self.without_foot: set[int] = set()  # numbers of the pages without a footer

    def footer(self) -> None:
        if self.page in self.without_foot:
            return
        self.set_y(-self.l_margin - 2)
        self.set_font(FACE, size=7)
        self.set_text_color(90)
        self.cell(0, 4, f"{self.about} · revision {VERSION}")
        self.set_x(self.l_margin)
        self.cell(0, 4, f"page {self.page_no()} of {{nb}}", align="R")
        self.set_text_color(0)

    @property
    def room(self) -> float:
        """The remaining height on this page."""
        return self.h - self.b_margin - self.get_y()

    def say(self, text: str, size: float = 9, gap: float = GAP) -> None:
        """Write a paragraph."""
        self.set_font(FACE, size=size)
        self.multi_cell(
            0, size * POINT * 1.3, plain(text), align="L", new_x="LMARGIN", new_y="NEXT"
        )
        self.ln(gap)

    def head(self, text: str, size: float = 14) -> None:
        self.set_font(FACE, "B", size)
        self.cell(0, size * POINT * 1.4, plain(text), new_x="LMARGIN", new_y="NEXT")
        self.ln(1)

    def columns(self, items: list[str], most: int) -> int:
        """Return the number of columns of items that fit side by side, up to `most`."""
        self.set_font(FACE, size=_TICKED)
        wide = max(self.get_string_width(plain(item)) for item in items) + 1.2 * TICK
        return max(1, min(most, int(self.epw / wide)))

    def ticks(self, items: list[str], most: int) -> None:
        """Write items with a box to tick, column by column."""
        columns = self.columns(items, most)
        line = TICK
        wide = self.epw / columns
        rows = -(-len(items) // columns)
        for first in range(0, rows, max(1, int(self.room / line))):
            # if a list is longer than the page, it continues on the next page
            last = min(rows, first + max(1, int(self.room / line)))
            top = self.get_y()
            for column in range(columns):
                for row in range(first, last):
                    if (n := column * rows + row) < len(items):
                        x, y = self.l_margin + column * wide, top + (row - first) * line
                        self.rect(x, y + 0.2 * line, 0.55 * line, 0.55 * line)
                        self.set_xy(x + 0.8 * line, y)
                        self.cell(wide - line, line, plain(items[n]))
            self.set_y(top + (last - first) * line)
            if last < rows:
                self.add_page()
                self.set_font(FACE, size=_TICKED)
        self.ln(GAP)

    def svg(self, svg: bytes, x: float, y: float, width: float) -> float:
        """Place a drawing, and return its height."""
        tree = ElementTree.fromstring(svg)
        for words in [tree.find(f"{SVG}title"), tree.find(f"{SVG}desc")]:
            if words is not None:  # they are not visible on paper
                tree.remove(words)
        for element in tree.iter():
            if element.get("font-family"):
                element.set("font-family", FACE)
        ElementTree.register_namespace("", SVG.strip("{}"))  # fpdf2 recognizes an SVG by "<svg"
        wide, high = proportions(svg)
        self.image(io.BytesIO(ElementTree.tostring(tree)), x=x, y=y, w=width)
        return width * high / wide


def proportions(svg: bytes) -> tuple[float, float]:
    """Return the width and height of a drawing in its own units."""
    _, _, width, height = map(float, ElementTree.fromstring(svg).get("viewBox").split())
    return width, height


def smallest_words(svg: bytes) -> float:
    """Return the smallest font size in a drawing, in its own units."""
    tree = ElementTree.fromstring(svg)
    sizes = [element.get("font-size") for element in tree.iter()]
    return min(float(size) for size in sizes if size)


def plain(text: str) -> str:
    """Return Markdown as plain text. A link to another page keeps its address in brackets."""
    text = re.sub(r"\[([^]]*)\]\(#[^)]*\)", r"\1", text)
    text = re.sub(r"\[([^]]*)\]\(([^)]*)\)", r"\1 (\2)", text)
    return re.sub(r"[`*]", "", text)
