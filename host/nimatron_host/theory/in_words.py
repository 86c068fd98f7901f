"""The texts of a game in English: the texts of the firmware's games by name, and the texts of the
PC's games from the games, because they depend on numbers."""

from nimatron.games.game import Game
from nimatron_play import texts, words

PLAIN = words.table(words.PLAIN)


def rules(game: Game) -> str:
    """The rules in a sentence."""
    return getattr(game, "sentence", None) or PLAIN[texts.rules(game)]


def theory(game: Game) -> str:
    """The theory that decides who wins, in a sentence."""
    return getattr(game, "theory", None) or PLAIN[texts.theory(game)]


def last(game: Game) -> str:
    """Return the deciding move: `switch off the last lamp`."""
    return (getattr(game, "last", None) or PLAIN[texts.last(game)]).lower()
