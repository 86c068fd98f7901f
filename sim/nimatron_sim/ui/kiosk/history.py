"""The moves of the present match, or of the last one: what a page can step through."""

from nimatron import board
from nimatron.games.game import Game


def mask(rows) -> int:
    """28 bits for a mask for each row: bit 7 * row + column, bit 0 the upper left."""
    return sum(lit << row * board.LAMPS for row, lit in enumerate(rows))


def better(game: Game, before, after, misere: bool) -> int | None:
    """The lamps after a winning move, if the one that was made gave the win away. This can take
    seconds."""
    if game.is_p(after, misere):
        return None
    winning = game.winning_options(before, misere)
    return mask(game.picture(winning[0])) if winning else None


class History:
    """moves: a list of {by, before, after, said, better}. It stays until the next match's first
    move."""

    def __init__(self) -> None:
        self.moves: list[dict] = []
        self._over = False

    def over(self) -> None:
        """Note that the match has ended, or was given up."""
        self._over = True

    def moved(self, by: str, game: Game, before, after, said: list) -> dict:
        """Add a move between two positions; returns it."""
        if self._over:
            self.moves = []
        self._over = False
        move = {
            "by": by,
            "before": mask(game.picture(before)),
            "after": mask(game.picture(after)),
            "said": said,
            "better": None,
        }
        self.moves = [*self.moves, move]
        return move

    def improve(self, move: dict, better: int | None) -> None:
        """Add the better move to one that was returned by `moved`."""
        if better is not None:
            self.moves = [
                each | {"better": better} if each is move else each for each in self.moves
            ]
