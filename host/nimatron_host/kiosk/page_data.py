"""Files with facts for a page."""

import json

from nimatron import board as _board
from nimatron import games
from nimatron_play import words
from nimatron_play.insight import card


def board() -> str:
    """Return board.js with the size of the board and a picture of each game."""
    cards = json.dumps({name: card(name) for name in games.names()}, separators=(",", ":"))
    size = f"export const ROWS = {_board.ROWS}, LAMPS = {_board.LAMPS};\n"
    return f"{size}export const PICTURES = {cards};\n"


def language(code: str, back: bool = False) -> str:
    """Return words/CODE.json with the texts in a language, or back/words/CODE.json with the texts
    of the page at the machine's back. Missing texts are in English."""
    texts = words.table(code).items()
    chosen = {key: text for key, text in texts if key.startswith("back.") is back}
    return json.dumps(chosen, ensure_ascii=False, separators=(",", ":"))


def languages() -> str:
    """Return languages.js with the facts that a page needs before its first word."""
    names = {code: table["language"] for code, table in words.tables().items()}
    return f"export const LANGUAGES = {json.dumps(names)};\n"
