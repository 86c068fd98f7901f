"""What the console says about the moves of a match. Loaded for one answer."""

from nimatron import board
from nimatron.protocol import Refused


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


def _winning(match):
    if len(match.seats) > 2:
        text = "this is known for two players only; with more, nobody can be sure to win"
        raise Refused("for-two", text)
    return match.game.winning_options(match.position, match.misere)


def changed(game, before, after):
    """The lamps that a move puts out, or lights if it puts out none, each as ROW.LAMP from 1. Of a
    cut, which moves the rest of the run along, it is the lamp before which it is made."""
    out, lit = [], []
    for row, (was, now) in enumerate(zip(game.picture(before), game.picture(after))):
        for lamp in range(board.LAMPS):
            if (was ^ now) >> lamp & 1:
                (out if was >> lamp & 1 else lit).append("%d.%d" % (row + 1, lamp + 1))
    return out[:1] if out and lit else out or lit
