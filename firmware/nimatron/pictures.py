"""Pictures for the lamps, as row masks with bit 0 for the leftmost lamp. Moving pictures are
generators of row masks."""

from nimatron import board

_RIGHTMOST = board.LAMPS - 1
_ENDS = 1 | 1 << _RIGHTMOST
CORNERS = (_ENDS,) + board.DARK[2:] + (_ENDS,)
_EVERY_SECOND = sum([1 << column for column in range(0, board.LAMPS, 2)])


def invitation(openings):
    """Show a wave that crosses the board, then the masks of a starting position. Switch off its
    lamps one at a time, and continue with the next position."""
    while True:
        for masks in openings:
            for step in range(3 * board.LAMPS):
                yield tuple([_wave(step + row) for row in range(board.ROWS)])
            for _ in range(4):
                yield masks
            while True:
                longest = max(masks)
                masks = board.replace(masks, masks.index(longest), longest ^ _highest(longest))
                if not any(masks):  # the last lamp stays, because putting it out would lose
                    break
                yield masks


def change(before, after):
    """Change one picture to another, one lamp at a time, from the right in each row."""
    masks = before
    for row in range(board.ROWS):
        for column in range(_RIGHTMOST, -1, -1):
            if (masks[row] ^ after[row]) >> column & 1:
                masks = board.replace(masks, row, masks[row] ^ 1 << column)
                yield masks


def each_lamp():
    """Light one lamp after another, then end."""
    for row in range(board.ROWS):
        for column in range(board.LAMPS):
            yield tuple([(1 << column) * (r == row) for r in range(board.ROWS)])


def filling():
    """Light all lamps, one more at a time, then end."""
    masks = board.DARK
    for row in range(board.ROWS):
        for column in range(board.LAMPS):
            masks = board.replace(masks, row, masks[row] | 1 << column)
            yield masks


def player_wins():
    """Let the lamps dance: every other lamp, then the other half."""
    pair = _EVERY_SECOND, _EVERY_SECOND ^ board.FULL
    while True:
        for odd in range(2):
            yield tuple([pair[(row + odd) % 2] for row in range(board.ROWS)])


def machine_wins():
    """Move a column of light to and fro."""
    while True:
        for column in range(_RIGHTMOST):
            yield (1 << column,) * board.ROWS
        for column in range(_RIGHTMOST, 0, -1):
            yield (1 << column,) * board.ROWS


def _wave(step):
    """Return three lit lamps that move right by one at each step and wrap around."""
    lit = 0b111 << step % board.LAMPS
    return (lit | lit >> board.LAMPS) & board.FULL


def _highest(mask):
    """Return the highest bit of a mask."""
    bit = 1
    while bit <= mask >> 1:
        bit <<= 1
    return bit
