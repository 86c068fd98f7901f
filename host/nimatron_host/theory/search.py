"""One search for all games, which finds outcomes and Grundy values from the later positions.

The search examines a position part by part. In normal play, a part is worth a heap of Nim. The
search tests whether a part and a heap of n are lost together, often without the values of all
options. In misère play, a tame part has a label: see the theorem on tame games in
docs/explanation/theory.md. If a part is wild, the search tries all combinations of parts.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from nimatron import bouton, worth
from nimatron.games.chomp import Chomp
from nimatron.games.game import Game
from nimatron.games.heaps import HeapGame
from nimatron.games.nim import Nim
from nimatron.games.runs import Runs
from nimatron.games.square import Square
from nimatron.games.stateful import HeapGameWithState
from nimatron.games.subtraction import Subtraction
from nimatron_host.theory import time_limit

NOTHING = "nothing"  # the word for a drawing after the last move
NO_MOVE = "no move is left: the player to move has won if the last move loses, and lost if it wins"

Position = TypeVar("Position", bound=Hashable)
Label = tuple[int, bool]  # the Grundy value, and True if the part is firm
_UNKNOWN = object()


class Search:
    """The search in one game, with its results so far."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._known: Callable[[Any], int | None] = getattr(game, "value_of", game.grundy)
        self._of_game: Callable[[Any], list[Any] | None] = getattr(
            game, "parts", lambda position: worth.parts(game, position)
        )
        self._splits = True  # False if a position of the game does not split
        self._tame = isinstance(game, Nim | Subtraction | Square | Runs)
        ordered = not isinstance(game, HeapGame) or isinstance(game, Chomp | HeapGameWithState)
        self._alike: Callable[[Any], Hashable] = getattr(
            game, "alike", (lambda position: position) if ordered else _sorted
        )
        self._values: dict[Hashable, int] = {}
        self._other: dict[Hashable, int] = {}  # values that a part does not have, as bits
        self._labels: dict[Hashable, Label | None] = {}
        self._numbers: dict[Hashable, int] = {}  # numbers of the parts, to sort them
        self._lost: dict[tuple[int, ...], bool] = {}

    def parts(self, position: Any) -> list[Any]:
        parts = self._of_game(position)
        if parts is None:
            self._splits = False
            return [self._alike(position)]
        return parts

    def so_far(self) -> str:
        """Return the progress in words."""
        count = max(len(self._other) + len(self._values), len(self._labels), len(self._lost))
        return f"{count:,} positions of {self._game.name} searched"

    def is_p(self, position: Any, misere: bool) -> bool:
        """Return True if the mover loses."""
        if misere:
            return self._is_lost(self.parts(position))
        return self.is_worth(position, 0)

    # ------------------------------------------------------------------ normal play

    def value(self, position: Any) -> int:
        """Return the Grundy value of a position."""
        return bouton.nim_sum(map(self._value, self.parts(position)))

    def is_worth(self, position: Any, value: int) -> bool:
        """Return True if the Grundy value of a position is `value`."""
        parts = self.parts(position)
        if not parts:
            return value == 0
        if len(parts) > 1:
            parts.sort(key=self._game.size)
            for part in parts[:-1]:
                value ^= self._value(part)
        return self._is(parts[-1], value)

    def _value(self, part: Any) -> int:
        value = 0
        while part not in self._values:
            self._is(part, value)
            value += 1
        return self._values[part]

    def _is(self, part: Any, value: int) -> bool:
        """Return True if a part is worth `value`, which means that the sum of the part and a heap
        of `value` is a lost position."""
        if part in self._values:
            return self._values[part] == value
        time_limit.check(self.so_far)
        known = self._known(part)
        if known is not None:
            self._values[part] = known
            return known == value
        other = self._other.get(part, 0)
        if other >> value & 1:
            return False
        for less in range(value):
            if not other >> less & 1 and self._is(part, less):
                return False
        for option in self._game.options(part):
            if self.is_worth(option, value):
                self._other[part] = self._other.get(part, 0) | 1 << value
                return False
        self._values[part] = value
        self._other.pop(part, None)
        return True

    def reaching(self, position: Any, value: int) -> Iterable[Any]:
        """Return the options with this Grundy value."""
        if hasattr(self._game, "reaching"):
            return self._game.reaching(position, value)  # type: ignore[no-any-return]
        return (o for o in self._game.options(position) if self.is_worth(o, value))

    # ------------------------------------------------------------------ misère play

    def label(self, position: Any) -> Label | None:
        """Return the label from the theorem on tame games, or None if the position is wild."""
        return self._sum(self.parts(position))

    def _is_lost(self, parts: list[Any]) -> bool:
        label = self._sum(parts) if self._splits else None
        if label:
            return label in ((1, False), (0, True))
        numbers = self._numbers
        key = tuple(sorted([numbers.setdefault(part, len(numbers)) for part in parts]))
        if key not in self._lost:
            time_limit.check(self.so_far)
            self._lost[key] = self._cannot_leave_p(parts)
        return self._lost[key]

    def _cannot_leave_p(self, parts: list[Any]) -> bool:
        moves = False
        for i, part in enumerate(parts):
            if part not in parts[:i]:
                others = parts[:i] + parts[i + 1 :]
                for option in self._game.options(part):
                    time_limit.check(self.so_far)
                    moves = True
                    if self._is_lost(others + self.parts(option)):
                        return False
        return moves

    def _sum(self, parts: list[Any]) -> Label | None:
        total, firm = 0, False
        for part in parts:
            label = self._label(part)
            if not label:
                return None
            total, firm = total ^ label[0], firm or label[1]
        return total, firm

    def _label(self, part: Any) -> Label | None:
        """Return the label of a part, or None if the part is wild."""
        label: Any = self._labels.get(part, _UNKNOWN)
        if label is _UNKNOWN:
            time_limit.check(self.so_far)
            if hasattr(self._game, "label"):
                label = self._game.label(part)
            elif self._tame:
                value = self.value(part)
                label = value, value > 1
            else:
                label = self._labelled(part)
            self._labels[part] = label
        return label  # type: ignore[no-any-return]

    def _labelled(self, part: Any) -> Label | None:
        options: set[Label] = set()
        for option in self._game.options(part):
            time_limit.check(self.so_far)
            label = self._sum(self.parts(option))
            if label is None:
                return None
            options.add(label)
        if not options:
            return 0, False
        value = bouton.mex({value for value, _ in options})
        other = value ^ 1
        if value < 2 and (other, False) in options:
            return None if (other, True) in options else (value, False)
        if value > 0 and not options & {(0, True), (1, False)}:
            return None
        if value > 1 and not options & {(1, True), (0, False)}:
            return None
        return value, True


def _sorted(position: tuple[int, ...]) -> Hashable:
    return tuple(sorted(position))


class Searched(Game, Generic[Position]):
    """The base of a game with `sentence`, `options`, `size`, `words` and `parse_option`.

    A position can be anything hashable. `parts` returns positions that together are worth as much,
    with equal parts in the same form. If a game does not split, `parts` returns None. `value_of`
    returns the Grundy value of a part if the game finds the value without a search, or None.
    """

    last = "make the last move"
    rules: tuple[str, ...] = ("normal", "misere")
    solved = "search"
    theory = "Found by a complete search."
    example = ""  # a position as typed
    drawn = False  # True if the words are a drawing, which `parse` reads unchanged
    finite = False  # True if the misère quotient is known to be finite

    def __init__(self) -> None:
        self.search = Search(self)

    def parts(self, position: Any) -> list[Any] | None:
        return None

    def value_of(self, part: Any) -> int | None:
        return None

    def is_p(self, position: Position, misere: bool) -> bool:
        return self.search.is_p(position, misere)

    def grundy(self, position: Position) -> int:
        return self.search.value(position)

    def winning_options(self, position: Position, misere: bool) -> Iterator[Position]:
        return (option for option in self.options(position) if self.is_p(option, misere))

    def parse(self, words: list[str]) -> Position:
        position: Position = self.parse_option(words)
        if self.over(position):
            raise ValueError(NO_MOVE)
        return position
