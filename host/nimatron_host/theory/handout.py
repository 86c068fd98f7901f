"""The handout for a class: a page to discover Nim, a page of exercises, and a page of answers. The
exercises are random. The player who takes the last counter loses, as at the machine."""

import json
import random
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timezone
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nimatron import VERSION, bouton
from nimatron_sim import extras
from nimatron_sim.errors import UserError

if TYPE_CHECKING:
    from fpdf import FPDF

WORDS: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
)  # the texts by language

_MARGIN = 18  # mm
_BODY, _SMALL, _TITLE, _HEAD = 12, 9, 20, 14  # points
_LINE = 5.8  # mm
_MOST = 4  # the longest row in the table
_CELL = 8  # mm
_COUNTER, _DRAWN = 5, (3, 5, 6)  # a size in mm, and rows in which each group has a partner


def write(path: Path, seed: int, paper: str, language: str) -> None:
    """Write the handout as a PDF of three pages. Raises UserError on failure."""
    if path.suffix.lower() not in ("", ".pdf"):
        pdf = path.with_suffix(".pdf")
        raise UserError(f"the handout is a PDF, not {path.suffix}. Write {pdf}")
    try:
        import fpdf
    except ImportError:
        raise extras.missing("fpdf", "theory", "the handout") from None
    words = WORDS[language]
    page = fpdf.FPDF(format=paper)
    page.set_creation_date(datetime(2026, 1, 1, tzinfo=timezone.utc))  # the same in each file
    page.set_title(words["title"])
    page.set_lang(language)
    page.set_margin(_MARGIN)
    page.set_auto_page_break(False)
    _begin(page, words["title"], "")
    _say(page, words["rules"])
    for part in ("play", "table", "pattern", "draw"):
        _head(page, words[part])
        _say(page, words[f"{part}.text"])
        if part == "table":
            _grid(page, filled=False)
        if part == "draw":
            _groups(page)
            _say(page, words["end.text"])
    tasks = exercises(seed)
    name = f"{words['exercises']} {seed}"
    _begin(page, words["exercises"], name)
    for number, (key, gaps) in enumerate(tasks, 1):
        _say(page, f"{number}. {_text(words[key], gaps)}")
        page.ln(_LINE * 4)  # space for drawing and writing
    _begin(page, words["answers"], f"{name}, {words['teacher']}")
    for number, (key, gaps) in enumerate(tasks, 1):
        if key == "lost":
            gaps = {"positions": gaps["right"]}
        _say(page, f"{number}. {_text(words[f'{key}.answer'], gaps)}")
    _head(page, words["table"])
    _grid(page, filled=True)
    _head(page, words["why"])
    _say(page, words["why.text"])
    try:
        page.output(str(path))
    except OSError as why:
        raise UserError(f"cannot write {path}: {why.strerror}") from None


def _text(text: str, gaps: dict[str, Any]) -> str:
    said = {key: listed(value) if key == "rows" else value for key, value in gaps.items()}
    if "positions" in gaps:
        said["positions"] = "; ".join(map(listed, gaps["positions"]))
    return text.format(**said)


def _begin(page: "FPDF", title: str, aside: str) -> None:
    page.add_page()
    page.set_font("helvetica", "B", _TITLE)
    page.cell(0, 12, title, new_x="LMARGIN", new_y="NEXT")
    page.set_font("helvetica", "", _SMALL)
    page.set_y(-_MARGIN)
    page.cell(0, 5, " ".join(filter(None, (f"Nimatron {VERSION}.", aside))))
    page.set_xy(_MARGIN, _MARGIN + 14)


def _head(page: "FPDF", text: str) -> None:
    page.ln(_LINE / 2)
    page.set_font("helvetica", "B", _HEAD)
    page.cell(0, 9, text, new_x="LMARGIN", new_y="NEXT")


def _say(page: "FPDF", text: str) -> None:
    page.set_font("helvetica", "", _BODY)
    page.multi_cell(0, _LINE, text, new_x="LMARGIN", new_y="NEXT", align="L")
    page.ln(_LINE / 3)


def _grid(page: "FPDF", filled: bool) -> None:
    """Draw the table of two rows. If `filled` is true, mark the lost positions."""
    for a in range(-1, _MOST + 1):
        for b in range(-1, _MOST + 1):
            inside = min(a, b) >= 0 and max(a, b) > 0
            mark = "X" if filled and inside and bouton.is_p((a, b)) else ""
            label = str(max(a, b)) if min(a, b) < 0 <= max(a, b) else mark
            page.set_font("helvetica", "B" if min(a, b) < 0 else "", _SMALL)
            page.cell(_CELL, _CELL, label, border=1 if inside else 0, align="C")
        page.ln(_CELL)
    page.ln(_LINE / 3)


def _groups(page: "FPDF") -> None:
    """Draw rows of counters in groups of 4, 2 and 1. A line joins each group to its partner."""
    top, places = page.get_y() + 1, {4: 0, 2: 4.5, 1: 7}  # distances from the left, in counters
    for row, n in enumerate(_DRAWN):
        y = top + row * _COUNTER * 1.6
        for weight, place in places.items():
            if n & weight:
                x = _MARGIN + 10 + place * _COUNTER
                below = [r for r in range(row + 1, len(_DRAWN)) if _DRAWN[r] & weight]
                middle = x + weight * _COUNTER / 2
                if below:
                    page.line(middle, y + _COUNTER, middle, top + below[0] * _COUNTER * 1.6)
                page.rect(
                    x - 0.5, y - 0.5, weight * _COUNTER + 1, _COUNTER + 1, round_corners=True
                )
                for one in range(weight):
                    page.ellipse(x + one * _COUNTER + 0.5, y + 0.5, _COUNTER - 1, _COUNTER - 1)
        page.set_xy(_MARGIN, y)
        page.set_font("helvetica", "B", _SMALL)
        page.cell(8, _COUNTER, str(n))
    page.set_xy(_MARGIN, top + len(_DRAWN) * _COUNTER * 1.6 + 1)


Exercise = tuple[str, dict[str, Any]]  # the key of its texts, and the values for their gaps


def exercises(seed: int) -> list[Exercise]:
    """Return five exercises, easy ones first. The same seed gives the same exercises."""
    chance = random.Random(seed)
    return [_lost(chance), _move(chance, 7), _move(chance, 15), _end(chance), _heap(chance)]


def listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _lost(chance: random.Random) -> Exercise:
    lost = [rows for rows in combinations(range(2, 8), 3) if bouton.is_p(rows)]
    right = chance.sample(lost, 2)
    asked = [*right, _rows(chance, 7, lambda rows: not bouton.is_p(rows))]
    chance.shuffle(asked)
    return "lost", {"positions": asked, "right": sorted(right, key=asked.index)}


def _move(chance: random.Random, most: int) -> Exercise:
    rows = _rows(chance, most, lambda rows: len(bouton.winning_moves(rows)) == 1)
    ((row, take),) = bouton.winning_moves(rows)
    return "move", {"rows": rows, "before": rows[row], "after": rows[row] - take, "take": take}


def _end(chance: random.Random) -> Exercise:
    rows = (*[1] * chance.randint(1, 4), chance.randint(3, 7))
    ((_, take),) = bouton.winning_moves(rows)
    return "end", {"rows": rows, "large": rows[-1], "leave": rows[-1] - take}


def _heap(chance: random.Random) -> Exercise:
    most = chance.randint(3, 6)
    left = chance.randint(3, 6) * (most + 1) + 1
    take = chance.randint(1, most)
    gaps = {"heap": left + take, "most": most, "take": take, "by": most + 1, "left": left}
    return "heap", gaps


def _rows(
    chance: random.Random, most: int, wanted: Callable[[Sequence[int]], bool]
) -> tuple[int, ...]:
    """Return three different rows of 2 to `most` counters that `wanted` accepts."""
    while True:
        rows = tuple(sorted(chance.sample(range(2, most + 1), 3)))
        if wanted(rows):
            return rows
