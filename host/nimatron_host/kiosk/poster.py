"""A page to print and hang up: the machine, the rules, and a QR code to play on a phone."""

import base64
import hashlib
from collections.abc import Iterator
from html import escape
from pathlib import Path
from string import Template

import segno

from nimatron import board, games
from nimatron_play import game_texts, words
from nimatron_play.words import message

_FOLDER = Path(__file__).with_name("poster_page")
_STYLE, _PAGE = (
    (_FOLDER / name).read_text(encoding="utf-8") for name in ("style.css", "index.html")
)
# The policy of the page allows only this style.
STYLE_HASH = f"'sha256-{base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'"

_OTHER = '<section lang="{language}"><h2>{beat}</h2><p>{scan}</p><p>{rules}</p></section>'


def poster(url: str, game: str, misere: bool, language: str = "") -> str:
    """Return the page, in every language that has texts for the poster. `url` is the target of the
    QR code, with the token. The page also shows this URL. `language` is the code of the museum's
    language, which comes first."""
    rules = _rules(game, misere)
    codes = [code for code, table in words.tables().items() if "poster.beat" in table]
    first = language if language in codes else words.PLAIN
    return Template(_PAGE).substitute(
        style=_STYLE,
        machine=_machine(),
        code=segno.make(url, error="m").svg_inline(
            border=2, omitsize=True, svgid="code", svgclass=None, lineclass=None
        ),
        others="\n".join(_OTHER.format(**_said(code, rules)) for code in codes if code != first),
        address=escape(url),
        **_said(first, rules),
    )


def _rules(game: str, misere: bool) -> list[words.Message]:
    rule = games.find(game)
    last = message(f"rule.{'misere' if misere else 'normal'}", last=game_texts.last(rule))
    return [message(game_texts.rules(rule)), last]


def _said(language: str, rules: list[words.Message]) -> dict[str, str]:
    table = words.table(language)
    return {
        "language": language,
        "beat": escape(table["poster.beat"]),
        "scan": escape(table["poster.scan"]),
        "rules": escape(words.say(rules, table)),
    }


def _machine() -> str:
    """Return a picture of the machine: its crown, lamps and buttons."""
    return f'<svg id="machine" viewBox="0 -9 124 89" aria-hidden="true">{"".join(_shapes())}</svg>'


def _shapes() -> Iterator[str]:
    walnut, brass, lit, dark, go = "#4a2a14", "#d9ad5f", "#ffb53c", "#2a1503", "#b3261e"
    yield f'<path d="M18 14a44 22 0 0 1 88 0z" fill="{walnut}"/>'
    yield f'<rect y="12" width="124" height="68" rx="3" fill="{walnut}"/>'
    yield f'<text x="62" y="8" font-size="10" textLength="58" fill="{brass}" '
    yield 'text-anchor="middle">NIMATRON</text>'
    yield f'<rect x="3" y="15" width="118" height="62" rx="2" fill="none" stroke="{brass}"/>'
    for row in range(board.ROWS):
        y = 24 + 14 * row
        for lamp in range(board.LAMPS):
            color = lit if lamp < 2 * row + 1 else dark
            yield f'<circle cx="{12 + 11 * lamp}" cy="{y}" r="4" fill="{color}"/>'
        yield f'<rect x="86" y="{y - 3.5}" width="7" height="7" rx="1" fill="{brass}"/>'
    yield f'<circle cx="108" cy="52" r="8" fill="{go}" stroke="{brass}"/>'
    yield f'<circle cx="108" cy="30" r="5" fill="#f8ecd0" stroke="{brass}"/>'
