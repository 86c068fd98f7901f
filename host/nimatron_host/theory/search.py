"""The base of games that a PC solves by looking at all positions below one."""

from collections.abc import Hashable
from typing import Generic, TypeVar

from nimatron.games.game import Game

_LOOKED = 5_000_000  # moves that a search looks at, some seconds
_DEEPEST = 120  # moves, because the search is recursive
NOTHING = "nothing"  # the rest of a drawing after the last move
NO_MOVE = "no move is left: the player to move has won if the last move loses, and lost if it wins"


Position = TypeVar("Position", bound=Hashable)


class Searched(Game, Generic[Position]):
    """A rule set adds its `sentence`, `options`, `size`, `words` and `parse_option`.

    A position can be anything hashable. The same options must follow from it each time.
    """

    last, last_done = "makes the last move", "made the last move"
    solved = "search"
    theory = "Found by a complete search."
    most_positions = 300_000  # of a search: up to 100 MB
    example = ""  # a position as typed
    drawn = False  # whether `parse` reads the typed text unchanged, because it is a drawing
    further = ""  # what to do if a search would be too large

    def __init__(self) -> None:
        self._lost: dict[tuple[Hashable, bool], bool] = {}
        self._looked = 0

    def alike(self, position: Position) -> Position:
        """A position with the same options except for names and order."""
        return position

    def is_p(self, position: Position, misere: bool) -> bool:
        if self.size(position) > _DEEPEST:
            raise ValueError(
                f"a search follows up to {_DEEPEST} moves, and here may be "
                f"{self.size(position)}{self.further}"
            )
        return self._search(position, misere)

    def _search(self, position: Position, misere: bool) -> bool:
        position = self.alike(position)
        key = position, misere
        if key not in self._lost:
            after = list(self.options(position))
            self._looked += len(after)
            if len(self._lost) >= self.most_positions or self._looked > _LOOKED:
                raise ValueError(
                    f"a search looks at up to {self.most_positions:,} positions and "
                    f"{_LOOKED:,} moves, and here are more{self.further}"
                )
            lost = not any(self._search(a, misere) for a in after) if after else not misere
            self._lost[key] = lost
        return self._lost[key]

    def parse(self, words: list[str]) -> Position:
        position: Position = self.parse_option(words)
        if self.over(position):
            raise ValueError(NO_MOVE)
        return position
