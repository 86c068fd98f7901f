"""The texts of each game, as keys of the words."""

from nimatron.games.boards import BoardGame
from nimatron.games.game import Game

# Games that share a text with another.
_RULES = {"circular-18": "circular-12", "nim-2d-3x3": "tactix", "nim-2d-3x4": "tactix"}
_THEORY = _RULES | {
    "subtraction-5": "subtraction-3",
    "say-34": "say-21",
    "circular-28": "circular-12",
    "index-3": "index-2",
}
# The effect of the buttons, where it differs from other games on heaps or on boards.
_BUTTONS = {
    "nim": "nim",
    "candy": "nim",
    "chomp": "chomp",
    "grundy": "grundy",
    "building": "building",
}


def rules(game: Game) -> str:
    """The rules in a sentence, for newcomers."""
    return f"rules.{_RULES.get(game.name, game.name)}"


def buttons(game: Game) -> str:
    """How to move, in a sentence."""
    usual = "lamps" if isinstance(game, BoardGame) else "rows"
    return f"buttons.{_BUTTONS.get(game.name, usual)}"


def theory(game: Game) -> str:
    """The theory that the machine uses, in a sentence."""
    return f"theory.{_THEORY.get(game.name, game.name)}"


def last(game: Game | None) -> str:
    """The deciding move, such as `puts out the last lamp`."""
    return "last.cut" if game and game.name == "grundy" else "last.lamp"


def last_done(game: Game) -> str:
    """The deciding move in the past tense, such as `put out the last lamp`."""
    return f"{last(game)}.done"
