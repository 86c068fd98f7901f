"""Which move the machine makes: a perfect one, or now and then a slip."""

# The chance in percent that a move is a slip: one of the legal moves, all equally likely. Against
# a perfect visitor from 1-3-5-7 misère, visitor first, the machine wins about 100, 78, 54, 24 %.
LEVELS = {"perfect": 0, "strong": 10, "fair": 25, "easy": 50}


def choose(game, rows, misere, slip, dice):
    """The position the machine leaves; never more work than one look at each row.

    In an N-position it wins; in a P-position it resists as long as it can; among equals the dice
    decide. Raises ValueError on a finished board.
    """
    if not any(rows):
        raise ValueError("no move on a finished board")
    if slip and dice.roll(100) < slip:
        return game.any_option(rows, dice)
    return dice.pick(game.winning_options(rows, misere) or game.resisting_options(rows))
