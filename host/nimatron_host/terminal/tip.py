"""A tip: the lamps that a winning move changes."""

from nimatron import board, states
from nimatron_play import game_texts
from nimatron_play.panel_view import PanelView
from nimatron_play.rewind import marks
from nimatron_play.words import Message, message

_IN = (states.OPENING, states.PLAYER)  # the states in which a person can use a tip


class Tip:
    """A tip for the player to move."""

    def __init__(self, display: PanelView) -> None:
        assert display.game  # see `possible`
        self._game, self._position = display.game, display.position
        self._lit = self._game.picture(self._position)
        self._marks = list(board.DARK)
        self.said: list[Message] = [message("term.tip.many")]
        if display.players > 2:  # the theory is for two players only
            return
        misere = display.rule == "misere"
        options = list(self._game.winning_options(self._position, misere))
        self.said = [message("term.tip.none")]
        if options:
            lamps = marks(self._game, self._position, options[0])
            self._marks = [lamps >> board.LAMPS * row & board.FULL for row in range(board.ROWS)]
            self.said = [message("term.tip.there"), message(game_texts.buttons(self._game))]

    def holds(self, display: PanelView) -> bool:
        """Return True while the tip is about the current position of the player to move."""
        same = (display.game, display.position) == (self._game, self._position)
        return same and display.state in _IN

    def marks(self, lamps: list[int]) -> list[int]:
        """Return the lamps to mark: lamps in the move that have not changed yet."""
        now = zip(self._marks, self._lit, lamps, strict=True)
        return [marks & ~(before ^ lit) for marks, before, lit in now]


def possible(display: PanelView) -> bool:
    """Return True if it is a person's turn and the position is known."""
    return display.state in _IN and display.game is not None and display.position is not None
