"""A page to print and hang up: the machine, the rules, and a QR code to play on a phone."""

import base64
import hashlib
from collections.abc import Iterator
from html import escape

import segno

from nimatron import board, games
from nimatron_play import texts, words
from nimatron_play.words import message

_STYLE = """
  @page { size: auto; margin: 10mm } /* fits A4 and Letter */
  * { box-sizing: border-box; margin: 0; text-wrap: balance }
  body { max-width: 190mm; height: 258mm; margin: auto; padding: 7mm 9mm; display: flex;
    flex-direction: column; align-items: center; gap: 3mm;
    text-align: center; border: 1.6mm double #8a6a1f; color: #1b1408; background: #fff;
    font: 11pt/1.3 Georgia, "Times New Roman", serif }
  h1 { font-size: 46pt; line-height: 1; font-weight: normal; color: #6d5212 }
  #machine { width: 66mm; flex: none }
  #code { flex: 1 1 0; min-height: 60mm; width: 100%; shape-rendering: crispEdges }
  h2 { font-size: 20pt; font-weight: normal }
  .rules { font-size: 14pt }
  main { display: grid; gap: 6mm;
    grid-template-columns: repeat(auto-fit, minmax(40mm, 1fr)) }
  main h2 { font-size: 13pt; line-height: 1.2; margin-bottom: 1mm }
  main p { font-size: 10pt }
  hr { width: 100%; border: 0; border-top: .5mm solid #b98327 }
  footer { font: 15pt/1.2 "DejaVu Sans Mono", "Courier New", monospace; overflow-wrap: anywhere }
  @media print { body { height: calc(100vh - 1mm); break-inside: avoid } }
"""
# The policy of the page allows only this style.
STYLE_HASH = f"'sha256-{base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'"

_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<title>Nimatron</title>
<style>{style}</style>
</head>
<body>
{machine}
<h1>{beat}</h1>
{code}
<section>
<h2>{scan}</h2>
<p class="rules">{rules}</p>
</section>
<hr>
<main>
{others}
</main>
<footer>{address}</footer>
</body>
</html>
"""
_OTHER = '<section lang="{language}"><h2>{beat}</h2><p>{scan}</p><p>{rules}</p></section>'


def poster(url: str, game: str, misere: bool, language: str = "") -> str:
    """Return the page, in every language that has texts for the poster. `url` is the target of the
    QR code, with the token. The page also shows this URL. `language` is the code of the museum's
    language, which comes first."""
    rules = _rules(game, misere)
    codes = [code for code, table in words.tables().items() if "poster.beat" in table]
    first = language if language in codes else words.PLAIN
    return _PAGE.format(
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
    last = message(f"rule.{'misere' if misere else 'normal'}", last=texts.last(rule))
    return [message(texts.rules(rule)), last]


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
