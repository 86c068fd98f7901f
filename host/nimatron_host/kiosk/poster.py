"""A page to print and hang up: the rules, and a QR code that opens the game on a phone."""

from html import escape
from urllib.parse import urlsplit

import segno

from nimatron import games
from nimatron_play import texts, words
from nimatron_play.words import message

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Nimatron: a poster</title>
<style>
  @page {{ size: auto; margin: 12mm }} /* fits A4 and Letter */
  * {{ box-sizing: border-box; margin: 0 }}
  body {{ max-width: 186mm; min-height: 250mm; margin: auto; padding: 6mm; display: flex;
    flex-direction: column; align-items: center; gap: 5mm; text-align: center;
    border: 1.2mm double #8a6a1f; font: 12pt/1.3 Georgia, "Times New Roman", serif;
    color: #1b1408; background: #fff }}
  h1 {{ font-size: 40pt; line-height: 1.1; letter-spacing: .18em; margin-right: -.18em;
    font-weight: normal }}
  svg {{ width: 82mm; height: 82mm }}
  main {{ display: grid; grid-template-columns: 1fr 1fr; gap: 5mm 7mm }}
  h2 {{ font-size: 16pt; font-weight: normal }}
  footer {{ margin-top: auto; font-size: 17pt; overflow-wrap: anywhere }}
  @media print {{ body {{ break-inside: avoid }} }}
</style>
</head>
<body>
<h1>NIMATRON</h1>
{code}
<main>
{sections}
</main>
<footer>{address}</footer>
</body>
</html>
"""


def poster(url: str, game: str, misere: bool) -> str:
    """Return the page, in every language that has words for it. url: the target of the QR code,
    with the token. Only the address before the token is printed as text."""
    code = segno.make(url, error="m").svg_inline(border=4, omitsize=True, lineclass=None)
    rule = games.find(game)
    said = [
        message(texts.rules(rule)),
        message(f"rule.{'misere' if misere else 'normal'}", last=texts.last(rule)),
    ]
    return _PAGE.format(
        code=code,
        sections="\n".join(
            f'<section lang="{language}"><h2>{escape(table["poster.scan"])}</h2>'
            f"<p>{escape(words.say(said, table))}</p></section>"
            for language, table in words.tables().items()
            if "poster.scan" in table
        ),
        address=escape(urlsplit(url)._replace(fragment="").geturl()),
    )
