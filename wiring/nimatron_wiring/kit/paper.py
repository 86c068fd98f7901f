"""A PDF document, with a font that has every letter we use, and drawings."""

import io
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import fpdf
import ziafont

from nimatron import VERSION
from nimatron_wiring.svg import SVG

FACE = "DejaVu Sans"
SIZES = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}  # mm
MARGIN = 12.0
POINT = 25.4 / 72  # a point in mm
_PNG = b"\x89PNG"
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

    def picture(self, picture: bytes, x: float, y: float, width: float) -> float:
        """Place a drawing or a PNG file, and return its height."""
        wide, high = proportions(picture)
        shown = picture if picture.startswith(_PNG) else self._visible(picture)
        self.image(io.BytesIO(shown), x=x, y=y, w=width)
        return width * high / wide

    def _visible(self, svg):
        """Return a drawing in our font, without the words that are not visible on paper."""
        tree = ElementTree.fromstring(svg)
        for words in [tree.find(f"{SVG}title"), tree.find(f"{SVG}desc")]:
            if words is not None:
                tree.remove(words)
        for element in tree.iter():
            if element.get("font-family"):
                element.set("font-family", FACE)
        ElementTree.register_namespace("", SVG.strip("{}"))  # fpdf2 recognizes an SVG by "<svg"
        return ElementTree.tostring(tree)


def proportions(picture: bytes) -> tuple[float, float]:
    """Return the width and height of a drawing or a PNG file in its own units."""
    if picture.startswith(_PNG):
        width, height = struct.unpack(">II", picture[16:24])
        return width, height
    _, _, width, height = map(float, ElementTree.fromstring(picture).get("viewBox").split())
    return width, height


def plain(text: str) -> str:
    """Return Markdown as plain text. A link to another page names the page in brackets."""
    text = re.sub(r"\[([^]]*)\]\(#[^)]*\)", r"\1", text)
    text = re.sub(r"\[([^]]*)\]\(([^)#]*)[^)]*\)", r"\1 (see \2)", text)
    return re.sub(r"[`*]", "", text)
