"""The meaning of a touch on a lamp: the position that `pick` should leave.

A touch has the same effect as the row's button, pressed until that lamp changes. In nim, the lamp
and all lamps to its right go out. In chomp, the touch is a bite at that lamp. In games with single
lamps, the touched lamp changes. If no move takes the lamp together with the lamps picked before,
picking starts over with this lamp, as with the buttons. A touch on a picked lamp gives it back. In
nim, it also gives back all picked lamps to its left, and in chomp the whole bite.
"""

from collections import namedtuple

from nimatron import board
from nimatron.games.boards import BoardGame, lamp_at
from nimatron.games.game import Game
from nimatron.games.heaps import HeapGame, span_of

_PRESSES = 2 * board.ROWS * board.LAMPS  # the most presses to try. The first half may undo picks


# pick: the ROWS argument for `pick`. lamps: the lamps lit after that, as a mask for each row.
Touch = namedtuple("Touch", ("pick", "lamps"))


def touches(game: Game, position, left) -> list[Touch | None]:
    """Return the meaning of a touch on each lamp, in reading order, or None if it has no effect.

    `position` is the position at the start of the turn. `left` is the same position without the
    picked lamps.
    """
    on_panel = isinstance(game, (BoardGame, HeapGame))
    draft = game.draft_of(position, left) if on_panel else None
    if draft is None:
        return [None] * (board.ROWS * board.LAMPS)
    return [
        _touch(game, position, draft, row, column)
        for row in range(board.ROWS)
        for column in range(board.LAMPS)
    ]


def changed(game: Game, before, after) -> list[int]:
    """Return the lamps that differ between two positions, as a mask for each row."""
    pictures = game.picture(before), game.picture(after)
    return [was ^ now for was, now in zip(*pictures)]


def row_of(game: Game, before, after) -> int:
    """Return the row, from 1, that contains all the lamps that differ between two positions, or 0
    for several rows."""
    rows = [row for row, mask in enumerate(changed(game, before, after), 1) if mask]
    return rows[0] if len(rows) == 1 else 0


def _touch(game, position, draft, row, column):
    picked = changed(game, position, game.remaining(position, draft))[row] >> column & 1
    if picked and game.whole:
        more = game.empty_draft(position)
    elif isinstance(game, BoardGame):
        more = _at_the_light(game, position, draft, row, column)
    elif picked:
        more = _given_back(game, position, draft, row, column)
    else:
        more = _pressed(game, position, draft, row, column)
    if more is None:
        return None
    left = game.remaining(position, more)
    return Touch(game.words(left), game.picture(left))


def _at_the_light(game, position, draft, row, column):
    """Return the draft after the light has moved to the lamp and the button was held."""
    lamp = lamp_at(row, column)
    moved = game.press(position, (draft[0], lamp - 1), row)
    if moved is None or moved[1] != lamp:
        return None
    return game.long_press(position, moved, row)


def _pressed(game, position, draft, row, column):
    """Return the draft after the button was pressed until this lamp changed or another lit up."""
    was = game.picture(position)
    for _ in range(_PRESSES):
        draft = game.press(position, draft, row)
        if draft is None:
            return None
        now = game.picture(game.remaining(position, draft))
        lit = any(after & ~before for before, after in zip(was, now))
        if lit or (was[row] ^ now[row]) >> column & 1:
            return draft
    return None


def _given_back(game, position, draft, row, column):
    """Return the draft without the lamp and the lamps before it in its heap. If a move has lit the
    lamp, return the empty draft."""
    span = span_of(draft)
    heap, place = row // span, row % span * board.LAMPS + column
    stays = game.counts(position)[heap] - place - 1
    return board.replace(draft, heap, stays) if stays >= 0 else game.empty_draft(position)
