"""Pictures for the lamps: row masks, bit 0 the leftmost lamp; and moving ones, generators of
them."""

from nimatron import board

_RIGHTMOST = board.LAMPS - 1
_ENDS = 1 | 1 << _RIGHTMOST
CORNERS = (_ENDS,) + board.DARK[2:] + (_ENDS,)
_EVERY_SECOND = sum([1 << column for column in range(0, board.LAMPS, 2)])


def invitation(openings):
    """Attract: a wave rolls over the board, then an opening (its masks) goes out lamp by lamp."""
    while True:
        for masks in openings:
            for step in range(3 * board.LAMPS):
                yield tuple([_wave(step + row) for row in range(board.ROWS)])
            for _ in range(4):
                yield masks
            while True:
                longest = max(masks)
                masks = board.replace(masks, masks.index(longest), longest ^ _highest(longest))
                if not any(masks):  # the last lamp stays: nobody wants to be the one
                    break
                yield masks


def change(before, after):
    """From one picture to another, a lamp at a time, in each row the rightmost first."""
    masks = before
    for row in range(board.ROWS):
        for column in range(_RIGHTMOST, -1, -1):
            if (masks[row] ^ after[row]) >> column & 1:
                masks = board.replace(masks, row, masks[row] ^ 1 << column)
                yield masks


def each_lamp():
    """One lamp after the other; this one ends."""
    for row in range(board.ROWS):
        for column in range(board.LAMPS):
            yield tuple([(1 << column) * (r == row) for r in range(board.ROWS)])


def filling():
    """All lamps, one more at a time; this one ends."""
    masks = board.DARK
    for row in range(board.ROWS):
        for column in range(board.LAMPS):
            masks = board.replace(masks, row, masks[row] | 1 << column)
            yield masks


def player_wins():
    """The lamps dance: every second one, then the others."""
    pair = _EVERY_SECOND, _EVERY_SECOND ^ board.FULL
    while True:
        for odd in range(2):
            yield tuple([pair[(row + odd) % 2] for row in range(board.ROWS)])


def machine_wins():
    """One column of light paces to and fro."""
    while True:
        for column in range(_RIGHTMOST):
            yield (1 << column,) * board.ROWS
        for column in range(_RIGHTMOST, 0, -1):
            yield (1 << column,) * board.ROWS


def _wave(step):
    """Three lit lamps that move one to the right at each step and wrap."""
    lit = 0b111 << step % board.LAMPS
    return (lit | lit >> board.LAMPS) & board.FULL


def _highest(mask):
    """The highest bit of a mask."""
    bit = 1
    while bit <= mask >> 1:
        bit <<= 1
    return bit
