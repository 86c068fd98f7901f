"""The handout for a class: one page with the method and exercises, one with the answers."""

from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from nimatron import VERSION, bouton
from nimatron_host.theory.exercises import exercises
from nimatron_sim import extras
from nimatron_sim.errors import UserError

if TYPE_CHECKING:
    from fpdf import FPDF

_MARGIN = 18  # mm
_BODY, _SMALL, _TITLE, _HEAD = 11, 9, 20, 13  # points
_LINE = 5.4  # mm
_MOST = 7  # in the table of the answers
_CELL = 8  # mm

_METHOD = (
    "Nim is a game for two players. On your turn, choose a row and put out as many of its lamps "
    "as you like. In these exercises, the player who puts out the last lamp wins.",
    "1. Write each row as a sum of different powers of two: 1, 2, 4, 8, ...",
    "2. Cross out equal powers in pairs. The others are left over. If nothing is left over, the "
    "player to move will lose.",
    "3. Otherwise find the largest power left over. Choose a row that has it. Write that row "
    "again with all its powers from step 1. For each power left over: if the row has it, cross it "
    "out. If not, add it. The sum is the number of lamps that stay.",
    "For example 1, 2 and 5: 1 = 1, 2 = 2, 5 = 4 + 1. The 1s cancel; 4 and 2 are left over. The "
    "row of 5 has the 4. Write it again as 4 + 1. Cross out the 4 and add a 2: 2 + 1 = 3 lamps "
    "stay. So take 2 of the 5. Now 1, 2 and 3 cancel.",
    "If the last lamp loses, play in the same way until your move would leave only single lamps. "
    "Then leave an odd number of them.",
    "One heap, and each turn takes 1 to 3: leave a multiple of 4, that is, of one more than the "
    "most you may take. In other games, such as Kayles, a row is worth as much as some row of "
    "Nim: write down these values instead of the lamps, and make a move after which they cancel. "
    "If a move splits a row, each piece counts as a row.",
)


def write(path: Path, seed: int, paper: str) -> None:
    """Write the handout as a PDF of two pages. Raises UserError if that cannot be done."""
    if path.suffix.lower() not in ("", ".pdf"):
        pdf = path.with_suffix(".pdf")
        raise UserError(f"the handout is a PDF, not {path.suffix}. Write {pdf}")
    try:
        import fpdf
    except ImportError:
        raise extras.missing("fpdf", "theory", "the handout") from None
    page = fpdf.FPDF(format=paper)
    page.set_creation_date(datetime(2026, 1, 1, tzinfo=timezone.utc))  # the same each time
    page.set_title("Nim: powers of two that cancel")
    page.set_margin(_MARGIN)
    page.set_auto_page_break(False)
    tasks = exercises(seed)
    _begin(page, "Nim: powers of two that cancel", f"Exercises {seed}")
    for text in _METHOD:
        _say(page, text)
    _head(page, "Exercises")
    for number, task in enumerate(tasks, 1):
        _say(page, f"{number}. {task.question}")
        page.ln(_LINE * 1.6)  # to write on
    _begin(page, "Answers", f"Exercises {seed}, for the teacher")
    for number, task in enumerate(tasks, 1):
        _say(page, f"{number}. {task.answer}")
    _head(page, "Three rows that are lost")
    _say(
        page,
        "Find one row on the left and another above: the number where they meet is the third row "
        "of a lost position, if the last lamp wins. If the last lamp loses, the same holds "
        "unless all rows are 0 or 1.",
    )
    _grid(page)
    _head(page, "Why it works")
    _say(
        page,
        "From a position in which all powers cancel, each move changes one row, so that something "
        "is left over. From any other position, step 3 makes all powers cancel, and it always "
        "takes lamps away, since the largest power that changes is crossed out. Without lamps, "
        "all powers cancel: so the player who makes them cancel each time also puts out the last "
        "lamp. C. L. Bouton proved both rules: Nim, a game with a complete mathematical theory, "
        "1901.",
    )
    try:
        page.output(str(path))
    except OSError as why:
        raise UserError(f"cannot write {path}: {why.strerror}") from None


def _begin(page: "FPDF", title: str, aside: str) -> None:
    page.add_page()
    page.set_font("helvetica", "B", _TITLE)
    page.cell(0, 12, title, new_x="LMARGIN", new_y="NEXT")
    page.set_font("helvetica", "", _SMALL)
    page.set_y(-_MARGIN)
    page.cell(0, 5, f"Nimatron {VERSION}. {aside}.")
    page.set_xy(_MARGIN, _MARGIN + 14)


def _head(page: "FPDF", text: str) -> None:
    page.ln(_LINE / 2)
    page.set_font("helvetica", "B", _HEAD)
    page.cell(0, 9, text, new_x="LMARGIN", new_y="NEXT")


def _say(page: "FPDF", text: str) -> None:
    page.set_font("helvetica", "", _BODY)
    page.multi_cell(0, _LINE, text, new_x="LMARGIN", new_y="NEXT", align="L")
    page.ln(_LINE / 3)


def _grid(page: "FPDF") -> None:
    page.set_font("helvetica", "", _SMALL)
    for a in range(-1, _MOST + 1):
        for b in range(-1, _MOST + 1):
            number = bouton.nim_sum((a, b)) if min(a, b) >= 0 else max(a, b)
            text = str(number) if number >= 0 else ""
            page.set_font("helvetica", "B" if min(a, b) < 0 else "", _SMALL)
            page.cell(_CELL, _CELL, text, border=1 if min(a, b) >= 0 else 0, align="C")
        page.ln(_CELL)
    page.ln(_LINE / 2)
