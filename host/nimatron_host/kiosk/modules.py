"""Files with facts for a page."""

import json

from nimatron import board as _board
from nimatron import games
from nimatron_play import words
from nimatron_play.pictures import card


def board() -> str:
    """board.js: the size of the board, and a picture of each game."""
    cards = json.dumps({name: card(name) for name in games.names()}, separators=(",", ":"))
    size = f"export const ROWS = {_board.ROWS}, LAMPS = {_board.LAMPS};\n"
    return f"{size}export const PICTURES = {cards};\n"


def language(code: str) -> str:
    """words/CODE.json: the texts of a language, in English where it lacks one."""
    return json.dumps(words.table(code), ensure_ascii=False, separators=(",", ":"))


def languages() -> str:
    """languages.js: the facts that a page needs before its first word."""
    names = {code: table["language"] for code, table in words.tables().items()}
    return f"export const LANGUAGES = {json.dumps(names)};\n"
