"""`nimatron solve --proof`: a certificate that tests/judges/check_proof.py checks.

In normal play, the certificate lists the Grundy values of all parts, and the proved period if one
exists. In misère play, the certificate contains the misère quotient if the game has a finite one.
Otherwise, it lists the lost positions to which the winner moves.
"""

from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import Any

from nimatron import bouton, worth
from nimatron.games.game import Game
from nimatron.games.pieces import PieceGame
from nimatron_host.theory import time_limit
from nimatron_host.theory.boxes import Box
from nimatron_host.theory.graphs import Cliques
from nimatron_host.theory.large_heaps import LargeNim, LargeSubtraction
from nimatron_host.theory.notakto import LINES, Notakto
from nimatron_host.theory.rules import Circular, Codes
from nimatron_host.theory.search import Search

Parts = tuple[int, ...]


class Proof:
    """A proof of one position's outcome. Raises ValueError if the rules cannot be described."""

    def __init__(self, game: Game, position: Any, misere: bool) -> None:
        self._game, self._misere = game, misere
        self._search = getattr(game, "search", None) or Search(game)
        self._drawing = position[0] if isinstance(game, Cliques) else None
        self._rules = self._described(position)
        self._start = self._parts(position)

    def _described(self, position: Any) -> dict[str, Any]:
        """Return the rules as data."""
        game = self._game
        if isinstance(game, LargeNim):
            return {"take": 0}
        if isinstance(game, LargeSubtraction):
            return {"take": game._k}
        if isinstance(game, Codes) and not isinstance(game, Circular):
            return {"code": game.code.text} | ({"unequal": True} if game.code.unequal else {})
        if isinstance(game, Box | PieceGame):
            return {"pieces": list(game.pieces)}
        if isinstance(game, Cliques):
            return {"pieces": game.pieces(*position)}
        if isinstance(game, Notakto):
            return {"lines": LINES}
        raise ValueError(
            f"--proof cannot describe the rules of {game.name} yet. It can for nim, subtraction, "
            "octal and hexadecimal codes, boxes, notakto and games on graphs"
        )

    def _parts(self, position: Any) -> Parts:
        """Return the parts of a position of the game, each as a number."""
        if "pieces" in self._rules:
            mask = position[1] if self._drawing else position
            return tuple(sorted(worth.groups(self._rules["pieces"], mask)))
        return tuple(sorted(n for n in position if n or "lines" in self._rules))

    def _of(self, parts: Parts) -> Any:
        """Return the position of the game with these parts."""
        if "pieces" in self._rules:
            return (self._drawing, sum(parts)) if self._drawing else sum(parts)
        return parts

    def _options(self, parts: Parts) -> list[Parts]:
        time_limit.check(self._search.so_far)
        return [self._parts(option) for option in self._game.options(self._of(parts))]

    def document(self) -> dict[str, Any]:
        """Return the certificate."""
        lost = self._lost(self._start)
        proof: dict[str, Any] = {
            "rules": self._rules,
            "rule": "misere" if self._misere else "normal",
            "start": self._start,
            "outcome": "P" if lost else "N",
        }
        if self._misere and not getattr(self._game, "finite", False):
            return proof | {"lost": self._left(lost)}
        sequence = self._game.sequence if isinstance(self._game, Codes) else None
        if sequence and sequence.period:
            parts = [*range(1, sequence.largest + 1)]
        else:
            parts = self._closed(self._start)
        if self._misere:
            quotient = Quotient(parts, self._lost)
            proof |= {"table": quotient.table, "lost": quotient.lost}
            values = quotient.values
        else:
            values = {part: self._search.value(self._of((part,))) for part in parts}
        if sequence and sequence.period:
            length = sequence.period.length
            start = sequence.largest - length
            while start > 1 and values[start - 1] == values[start - 1 + length]:
                start -= 1
            proof["period"] = [start, length]
        return proof | {"values": sorted(values.items())}

    def _lost(self, parts: Parts) -> bool:
        if not self._misere:
            return not bouton.nim_sum(self._search.value(self._of((part,))) for part in parts)
        return bool(parts) and self._game.is_p(self._of(parts), True)

    def _closed(self, parts: Iterable[int]) -> list[int]:
        """Return the parts, and all parts that moves can make from them."""
        found, front = set[int](), [*parts]
        while front:
            part = front.pop()
            if part not in found:
                found.add(part)
                front += [one for option in self._options((part,)) for one in option]
        return sorted(found)

    def _left(self, lost: bool) -> list[Parts]:
        """Return the lost positions to which the winner moves, and the start if it is lost."""
        left, front = set[Parts](), [self._start]
        asked: list[Parts] = []
        if not lost:
            front, asked = [], [self._start]
        while front or asked:
            if front:
                position = front.pop()
                if position not in left:
                    left.add(position)
                    asked += self._options(position)
            else:
                after = self._options(asked.pop())
                if after and not left.intersection(after):
                    front.append(next(option for option in after if self._lost(option)))
        return sorted(left)


class Quotient:
    """The misère quotient (Plambeck 2005) of the given parts, as a state for each sum. The
    empty sum has state 0.

    Two sums are equal until a test finds that one is lost and the other is not. A test adds the
    same parts to both sums. If one more part makes equal sums different, it becomes a new test.
    """

    values: dict[int, int]  # by part. Parts of the same value can replace each other
    table: list[list[int]]  # by value and state: the state of the sum with one more part

    def __init__(self, parts: Collection[int], is_lost: Callable[[Parts], bool]) -> None:
        """Raises time_limit.Spent if the quotient is large or infinite."""
        self._is_lost = cache(is_lost)
        self._tests: list[Parts] = [()]
        while test := self._missing_test(parts):
            self._tests.append(test)

    @property
    def lost(self) -> list[int]:
        """Return the states of the lost sums."""
        return [state for results, state in self._states.items() if results[0]]

    def _missing_test(self, parts: Collection[int]) -> Parts | None:
        """Find the states from the tests so far. Return another test that splits a state, or
        None."""
        self._states: dict[tuple[bool, ...], int] = {}  # by the results of the tests
        self._sums: list[Parts] = []  # the first sum of each state
        self._state(())
        alone = {part: self._state((part,)) for part in parts}
        kinds = {state: self._sums[state] for state in alone.values()}
        equal: list[tuple[Parts, int]] = [((part,), state) for part, state in alone.items()]
        self.table = [[] for _ in kinds]
        for some in self._sums:
            for row, one in zip(self.table, kinds.values(), strict=True):
                row.append(self._state(some + one))
                equal.append((some + one, row[-1]))
        self.values = {part: [*kinds].index(state) for part, state in alone.items()}
        for some, state in equal:
            for one in kinds.values():
                for test in self._tests:
                    more = one + test
                    if self._loses(some + more) != self._loses(self._sums[state] + more):
                        return more
        return None

    def _state(self, some: Parts) -> int:
        results = tuple([self._loses(some + test) for test in self._tests])
        if results not in self._states:
            self._states[results] = len(self._sums)
            self._sums.append(some)
        return self._states[results]

    def _loses(self, some: Parts) -> bool:
        time_limit.check(lambda: f"a misère quotient with {len(self._sums)} or more elements")
        return self._is_lost(tuple(sorted(some)))
