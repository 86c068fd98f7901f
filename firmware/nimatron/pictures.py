"""Moving pictures for the lamps: generators of four row masks, bit 0 the leftmost lamp."""

from nimatron import board

_RIGHTMOST = board.LAMPS - 1


def invitation(openings):
    """Attract: a wave rolls over the board, then an opening is put out lamp by lamp."""
    while True:
        for opening in openings:
            for step in range(3 * board.LAMPS):
                yield tuple([_wave(step + row) for row in range(board.ROWS)])
            rows = board.position(opening)
            for _ in range(4):
                yield board.picture(rows)
            while sum(rows) > 1:  # the last lamp stays: nobody wants to be the one
                longest = max(rows)
                rows = board.leave(rows, rows.index(longest), 1)
                yield board.picture(rows)


def each_lamp():
    """One lamp after the other; this one ends."""
    for row in range(board.ROWS):
        for column in range(board.LAMPS):
            yield tuple([(1 << column) * (r == row) for r in range(board.ROWS)])


def player_wins():
    """The lamps dance: every second one, then the others."""
    while True:
        yield 0x55, 0x2A, 0x55, 0x2A
        yield 0x2A, 0x55, 0x2A, 0x55


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
