"""The parts of a position and their Grundy values. This module is loaded only for an answer, so it
takes no memory during the show."""


def parts(game, position):
    """Return positions that together are worth as much as this position, or None if its game has
    no Grundy values."""
    if game.grundy(position) is None:
        return None
    pieces = getattr(game, "pieces", None)
    if pieces is None:
        return [(heap,) for heap in position if game.grundy((heap,)) or heap > 2]
    return groups(pieces, position)


def groups(pieces, position):
    """Return the lamps that moves can switch off, as a mask for each connected group."""
    found = []
    for piece in pieces:
        if position & piece == piece:
            apart = []
            for group in found:
                if group & piece:
                    piece |= group
                else:
                    apart.append(group)
            found = apart + [piece]
    return found


def facts(match):
    """Return the (key, value) pair for the console's `why`."""
    found = surprising(match.game, match.position, match.misere)
    return (("worth", ["%d:%d" % pair for pair in found]),) if found else ()


def surprising(game, position, misere):
    """Return (number of lamps, Grundy value) for each part, if any value is not the number of
    lamps. In misère play, return no pair, because Grundy values do not decide every game."""
    found = [
        (bin(part).count("1") if isinstance(part, int) else part[0], game.grundy(part))
        for part in (() if misere else parts(game, position) or ())
    ]
    return () if all([lamps == value for lamps, value in found]) else found
