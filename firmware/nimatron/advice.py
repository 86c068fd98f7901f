"""The console's answers about moves, positions and games. The module is loaded for one answer."""

import asyncio

from nimatron import board, games
from nimatron.protocol import Refused

_OPTIONS = 8  # the most options to list in the answer to `solve`


def hint(match):
    """Return (key, value) pairs for a best move. Raises Refused for more than two players."""
    game, position = match.game, match.position
    winning = _winning(match)
    option = (winning or game.resisting_options(position))[0]
    return (
        (("outcome", "N" if winning else "P"),)
        + game.describe_move(position, option)
        + (("lamps", changed(game, position, option)), ("rows", game.words(option)))
    )


def why(match):
    """Return (key, value) pairs: the player who can win, the reason, and the lamps of a winning
    move. Raises Refused for more than two players."""
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
    """Return (key, value) pairs that solve a position. `words` are the typed name of a game and
    the typed position. Raises ValueError if the name or the position is wrong."""
    game = await _found(words[0])
    position = game.parse(words[1:])
    await asyncio.sleep_ms(0)
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
    """Return (key, value) pairs about a game, or about all games if `name` is None. Raises Refused
    if no game has this name."""
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
    """Return the lamps that a move switches off, each as ROW.LAMP from 1. For a move that only
    lights lamps, return the lit lamps. For a cut, which shifts the rest of the run, return the
    lamp after the cut."""
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
    """Return the rule set called `name`. On a Pico, the import takes up to 80 ms, and
    creating the rule set takes a few milliseconds more. Other tasks run in between."""
    games.load(name)
    await asyncio.sleep_ms(0)
    game = games.find(name)
    await asyncio.sleep_ms(0)
    return game
