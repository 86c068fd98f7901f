"""The console's answers about moves, positions and games. Loaded for one answer."""

import asyncio

from nimatron import board, games
from nimatron.protocol import Refused

_OPTIONS = 8  # at most so many in the answer to `solve`


def hint(match):
    """The (key, value) pairs that name a best move. Raises Refused if more than two play."""
    game, position = match.game, match.position
    winning = _winning(match)
    option = (winning or game.resisting_options(position))[0]
    return (
        (("outcome", "N" if winning else "P"),)
        + game.describe_move(position, option)
        + (("lamps", changed(game, position, option)), ("rows", game.words(option)))
    )


def why(match):
    """The (key, value) pairs that say who can win a match, how that is known, and by which lamps.
    Raises Refused if more than two play."""
    game, position = match.game, match.position
    winning = _winning(match)
    facts = (("rows", game.words(position)),) + game.working(position, match.misere)
    facts += (
        ("mover", match.turn),
        ("meaning", "can win" if winning else "loses against best play"),
    )
    if winning:
        facts += (("lamps", changed(game, position, winning[0])),)
    return facts


async def solve(words, rule):
    """The (key, value) pairs that solve a position, typed as a game's name and the words of
    the position. Raises ValueError if either does not exist."""
    game = await _found(words[0])
    position = game.parse(words[1:])
    if rule not in game.rules:
        rule = game.rules[0]
    misere = rule == "misere"
    options = game.winning_options(position, misere)
    await asyncio.sleep_ms(0)
    some = [game.words(option) for option in options[:_OPTIONS]]
    return (
        (("game", game.name), ("rule", rule), ("rows", game.words(position)))
        + game.working(position, misere)
        + (("winning", len(options)), ("options", ";".join(some) or "none"))
    )


async def explain(name):
    """The (key, value) pairs of a game, or of all games if `name` is None. Raises Refused if no
    such game exists."""
    if not name:
        return (("games", games.names()),)
    game = await _found(name)
    openings = [game.words(opening) for opening in game.openings]
    return (
        ("game", name),
        ("rules", game.rules),
        ("solved", game.solved),
        ("openings", ";".join(openings)),
    )


def changed(game, before, after):
    """The lamps that a move puts out, or lights if it puts out none, each as ROW.LAMP from 1. Of a
    cut, which moves the rest of the run along, it is the lamp before which it is made."""
    out, lit = [], []
    for row, (was, now) in enumerate(zip(game.picture(before), game.picture(after))):
        for lamp in range(board.LAMPS):
            if (was ^ now) >> lamp & 1:
                (out if was >> lamp & 1 else lit).append("%d.%d" % (row + 1, lamp + 1))
    return out[:1] if out and lit else out or lit


def _winning(match):
    if len(match.seats) > 2:
        text = "with more than two players, no player can be sure to win"
        raise Refused("for-two", text)
    return match.game.winning_options(match.position, match.misere)


async def _found(name):
    """The rule set of this name. A Pico needs up to 80 ms to import it, and a few more to make it.
    Other tasks get a turn in between."""
    games.load(name)
    await asyncio.sleep_ms(0)
    game = games.find(name)
    await asyncio.sleep_ms(0)
    return game
