"""The keys of each game's texts in the tables of words."""

from nimatron.games.boards import BoardGame
from nimatron.games.game import Game

# The texts for games whose buttons work differently from other games on heaps or on boards.
_BUTTONS = {
    "nim": "nim",
    "candy": "nim",
    "chomp": "chomp",
    "grundy": "grundy",
    "building": "building",
}


def rules(game: Game) -> str:
    """Return the key of the rules, a sentence for newcomers."""
    return f"rules.{game.name}"


def buttons(game: Game) -> str:
    """Return the key of a sentence on how to move."""
    usual = "lamps" if isinstance(game, BoardGame) else "rows"
    return f"buttons.{_BUTTONS.get(game.name, usual)}"


def theory(game: Game) -> str:
    """Return the key of a sentence on the theory that the machine uses."""
    return f"theory.{game.name}"


def last(game: Game | None) -> str:
    """Return the key for the deciding move, such as "Switch off the last lamp"."""
    return "last.cut" if game and game.name == "grundy" else "last.lamp"


def last_done(game: Game) -> str:
    """Return the key for the deciding move in the past, such as "switched off the last lamp"."""
    return f"{last(game)}.done"
