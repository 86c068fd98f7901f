"""The machine's choice of a move: a perfect one, or now and then a slip."""

# The chance in percent that a move is a slip: any legal move, all equally likely. Against
# a perfect visitor from 1-3-5-7 misère, visitor first, the machine wins about 100, 78, 54, 24 %.
_CHANCES = (("perfect", 0), ("strong", 10), ("fair", 25), ("easy", 50), ("child", 80))

# At this level it slips just once per match, the first time it could win: as with the lever of
# Dr. Nim (1966), a visitor who plays perfectly from there on wins.
EQUALIZER = "equalizer"

LEVELS = dict(_CHANCES + ((EQUALIZER, 0),))
NAMES = tuple([name for name, _ in _CHANCES]) + (EQUALIZER,)


def choose(game, position, misere, slip, dice):
    """The option the machine leaves.

    slip: the chance in percent of a slip, which is any option. Otherwise it wins from an
    N-position, and resists as long as it can in a P-position. The dice decide between equals.
    Raises ValueError on a finished board.
    """
    if slip and dice.roll(100) < slip and not game.over(position):
        return game.any_option(position, dice)
    options = game.winning_options(position, misere) or game.resisting_options(position)
    if not options:
        raise ValueError("no move on a finished board")
    return dice.pick(options)


def equalize(game, position, misere, dice):
    """An option that lets the other player win, of the options that leave the most, or None."""
    best, most = [], -1
    for option in game.options(position):
        size = game.size(option)
        if size >= most and not game.is_p(option, misere):
            if size > most:
                best, most = [], size
            best.append(option)
    return dice.pick(best) if best else None
