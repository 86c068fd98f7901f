"""The machine's choice of a move, which is perfect or, sometimes, a slip."""

PERFECT = "perfect"
# The chance, in percent, that a move is a slip: any legal move, all equally likely.
_CHANCES = ((PERFECT, 0), ("strong", 10), ("fair", 25), ("easy", 50), ("child", 80))

# At this level, the machine slips once per match, the first time that it could win. A visitor who
# plays perfectly from then on wins, as with the lever of Dr. Nim (1966).
EQUALIZER = "equalizer"

LEVELS = dict(_CHANCES + ((EQUALIZER, 0),))
NAMES = tuple([name for name, _ in _CHANCES]) + (EQUALIZER,)


def choose(game, position, misere, slip, dice):
    """Return the option that the machine chooses.

    With a chance of `slip` percent, the machine takes any option at random. Otherwise, it wins
    from an N-position, and resists as long as possible from a P-position. The dice decide between
    equally good options. Raises ValueError on a finished board.
    """
    if slip and dice.roll(100) < slip and not game.over(position):
        return game.any_option(position, dice)
    options = game.winning_options(position, misere) or game.resisting_options(position)
    if not options:
        raise ValueError("no move on a finished board")
    return dice.pick(options)


def equalize(game, position, misere, dice):
    """Return the option that leaves the most on the board and lets the other player win, or None
    if no option does."""
    best, most = [], -1
    for option in game.options(position):
        size = game.size(option)
        if size >= most and not game.is_p(option, misere):
            if size > most:
                best, most = [], size
            best.append(option)
    return dice.pick(best) if best else None
