"""Pictures of games for the page: a card and a demonstration match for each game."""

from typing import Tuple

from nimatron import games
from nimatron.games.game import Game
from nimatron_play import texts
from nimatron_play.explain import mask

_CARD_TAKE = 2  # the lamps that the move on a card takes, or as close to this as the game allows
_MOVES = 24  # the most moves in a demonstration

Card = Tuple[int, int, str]


def card(name: str) -> Card:
    """Return a game's card: the lamps in an opening, the lamps in one possible move, and the rule
    in a sentence. The lamps are a mask, as in explain.py."""
    game = games.find(name)
    position = game.openings[len(game.openings) // 2]
    before = mask(game, position)
    moves = [before & ~mask(game, option) for option in game.options(position)]
    best = min(moves, key=lambda move: abs(bin(move).count("1") - _CARD_TAKE))
    return before, best, texts.rules(game)


def demonstration(game: Game, misere: bool) -> list[int]:
    """Return a short match as masks, from an opening to the end, which the first side wins. The
    list is empty if no opening can be won."""
    openings = [rows for rows in game.openings if not game.is_p(rows, misere)]
    shown = []
    position = openings[0] if openings else None
    while position is not None:
        shown.append(mask(game, position))
        options = list(game.options(position))
        order = sorted([(game.size(option), at) for at, option in enumerate(options)])
        if not options or len(shown) > _MOVES:
            return shown
        good = game.winning_options(position, misere)
        position = min(good, key=game.size) if good else options[order[len(order) // 2][1]]
    return shown
