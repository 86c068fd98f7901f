"""The English texts of a game. The table of words has texts for the firmware's games. The PC's
games have their own texts, because these depend on numbers."""

from nimatron.games.game import Game
from nimatron_play import game_texts, words

PLAIN = words.table(words.PLAIN)


def rules(game: Game) -> str:
    """Return the rules of a game in English."""
    return getattr(game, "sentence", None) or PLAIN[game_texts.rules(game)]


def theory(game: Game) -> str:
    """Return the theory that decides who wins, in English."""
    return getattr(game, "theory", None) or PLAIN[game_texts.theory(game)]


def last(game: Game) -> str:
    """Return the deciding move, such as `switch off the last lamp`."""
    return (getattr(game, "last", None) or PLAIN[game_texts.last(game)]).lower()
