"""Positions as people type them: 3 4 5, (3,4,5), 3-4-5, kayles 7, say-100 said 89."""

import re

from nimatron.games.boards import BoardGame
from nimatron.games.game import Game
from nimatron.games.runs import Runs
from nimatron.games.subtraction import Counting
from nimatron.protocol import whole_number
from nimatron_host.theory.boxes import LAMPS
from nimatron_host.theory.search import Searched

_BRACKETS = str.maketrans("()[]{};,+|", " " * 10)
_ROW = 7  # characters or more of a row of lamps, unless there are several


def begins(word: str) -> bool:
    """True if a position of Nim begins with this word, and not the name of a game."""
    return word.lstrip("-([{")[:1].isdigit()


def is_picture(words: list[str]) -> bool:
    """True if they show which lamps are lit: several rows, or one long enough for no number."""
    return any(
        "/" in word or (len(word) >= _ROW and not set(word) - set("01oOxX#*._")) for word in words
    )


def read(game: Game, words: list[str]) -> object:
    """The position of a game. Raises ValueError, with a message for the person who typed it."""
    text = " ".join(words)
    if isinstance(game, BoardGame):
        return game.parse(_drawn(game, words))
    if isinstance(game, Searched) and game.drawn:
        return game.parse(words)
    said = re.fullmatch(r"said[ =]*(\d+)", text)
    if said and isinstance(game, Counting):
        assert game.most is not None
        return game.parse([str(game.most - whole_number(said[1]))])
    return game.parse(re.sub(r"(?<=\d)-(?=\d)", " ", text.translate(_BRACKETS)).split())


def _drawn(game: BoardGame, words: list[str]) -> list[str]:
    """The words of a picture as the game reads it."""
    rows, columns = game.shape
    if words == ["full"]:
        return ["/".join("1" * game.columns(row) for row in range(rows))]
    if (
        isinstance(game, Runs)
        and len(words) <= rows
        and all(re.fullmatch("[0-7]", w) for w in words)
    ):
        lengths = [*map(int, words), *[0] * (rows - len(words))]
        return ["/".join(("1" * length).ljust(columns, "0") for length in lengths)]
    if not is_picture(words):
        return words
    lamps = "/".join(words).translate(LAMPS)
    if "/" in lamps or len(lamps) > rows * columns:
        return [lamps]
    lamps = lamps.ljust(rows * columns, "0")
    return ["/".join(lamps[row * columns :][:columns] for row in range(rows))]
