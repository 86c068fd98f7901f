"""Grundy values by definition, for games whose rule sets do not need them."""

from collections.abc import Callable, Hashable
from typing import Any

from nimatron import bouton
from nimatron.games.chomp import Chomp
from nimatron.games.game import Game
from nimatron.games.heaps import HeapGame
from nimatron.games.stateful import HeapGameWithState
from nimatron_host.theory.search import Searched

_OPTIONS = 300_000  # that are looked at
_DEEPEST = 120  # moves, as many as there are lamps


class TooMany(ValueError):
    """There are too many positions to look at."""


class Values:
    """The Grundy values of a game's positions: the rule set's own, or the mex of the options'."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._known: dict[object, int] = {}
        self._left = _OPTIONS
        self._alike: Callable[[Any], Hashable] = lambda position: position
        if isinstance(game, Searched):
            self._alike = game.alike
        elif isinstance(game, HeapGame) and not isinstance(game, Chomp | HeapGameWithState):
            self._alike = lambda position: tuple(sorted(position))

    def of(self, position: Hashable) -> int:
        """The value of a position. Raises TooMany."""
        value = self._game.grundy(position)
        if value is not None:
            return value
        if self._game.size(position) > _DEEPEST:
            raise TooMany(f"{self._game.name} {self._game.words(position)[:40]} is too large")
        return self._of(position)

    def _of(self, position: Hashable) -> int:
        position = self._alike(position)
        if position not in self._known:
            values = set()
            for option in self._game.options(position):
                self._left -= 1
                if self._left < 0:
                    raise TooMany(f"{self._game.name} has too many positions below this one")
                values.add(self._of(option))
            self._known[position] = bouton.mex(values)
        return self._known[position]
