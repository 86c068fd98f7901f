"""Positions as people type them, such as 3 4 5, (3,4,5), 3-4-5, kayles 7 or say-100 said 89."""

import re

from nimatron.games.boards import BoardGame
from nimatron.games.game import Game
from nimatron.games.runs import Runs
from nimatron.games.subtraction import Counting
from nimatron.protocol import whole_number
from nimatron_host.theory.boxes import LAMPS
from nimatron_host.theory.search import Searched

_BRACKETS = str.maketrans("()[]{};,+|", " " * 10)
_ROW = 7  # the least length of a single row of lamps


def begins(word: str) -> bool:
    """Return True if `word` begins a position of Nim, and not the name of a game."""
    return word.lstrip("-([{")[:1].isdigit()


def is_picture(words: list[str]) -> bool:
    """Return True if the words draw lamps: several rows, or one row of at least `_ROW` lamps."""
    return any(
        "/" in word or (len(word) >= _ROW and not set(word) - set("01oOxX#*._")) for word in words
    )


def read(game: Game, words: list[str]) -> object:
    """Return the position of a game in `words`. Raises ValueError with a message for the user."""
    text = " ".join(words)
    if isinstance(game, BoardGame):
        return game.parse(_drawn(game, words))
    if isinstance(game, Searched) and game.drawn:
        return game.parse(words)
    said = re.fullmatch(r"said[ =]*(\d+)", text)
    if said and isinstance(game, Counting):
        assert game.most is not None
        number = whole_number(said[1])
        if number > game.most:
            raise ValueError(f"{number} is more than {game.most}, where the count ends")
        return game.parse([str(game.most - number)])
    return game.parse(re.sub(r"(?<=\d)-(?=\d)", " ", text.translate(_BRACKETS)).split())


def _drawn(game: BoardGame, words: list[str]) -> list[str]:
    """Return the words of a picture in the form that the game reads."""
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
