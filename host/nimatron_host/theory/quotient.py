"""The misère quotient (Plambeck 2005) of a set of parts: a state for each kind of sum."""

from collections.abc import Callable, Collection
from functools import cache

from nimatron_host.theory import budget

Sum = tuple[int, ...]


class Quotient:
    """The misère quotient of the given parts, as a state for each sum. The empty sum has state 0.

    Two sums are equal until a test finds that one is lost and the other is not. A test adds the
    same parts to both sums. If one more part makes equal sums different, it becomes a new test.
    """

    values: dict[int, int]  # by part. Parts of the same value can replace each other
    table: list[list[int]]  # by value and state: the state of the sum with one more part

    def __init__(self, parts: Collection[int], is_lost: Callable[[Sum], bool]) -> None:
        """Raises budget.Spent if the quotient is large or infinite."""
        self._is_lost = cache(is_lost)
        self._tests: list[Sum] = [()]
        while test := self._missing_test(parts):
            self._tests.append(test)

    @property
    def lost(self) -> list[int]:
        """Return the states of the lost sums."""
        return [state for results, state in self._states.items() if results[0]]

    def _missing_test(self, parts: Collection[int]) -> Sum | None:
        """Find the states from the tests so far. Return another test that splits a state, or
        None."""
        self._states: dict[tuple[bool, ...], int] = {}  # by the results of the tests
        self._sums: list[Sum] = []  # the first sum of each state
        self._state(())
        alone = {part: self._state((part,)) for part in parts}
        kinds = {state: self._sums[state] for state in alone.values()}
        equal: list[tuple[Sum, int]] = [((part,), state) for part, state in alone.items()]
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

    def _state(self, some: Sum) -> int:
        results = tuple([self._loses(some + test) for test in self._tests])
        if results not in self._states:
            self._states[results] = len(self._sums)
            self._sums.append(some)
        return self._states[results]

    def _loses(self, some: Sum) -> bool:
        budget.check(lambda: f"a misère quotient with {len(self._sums)} or more elements")
        return self._is_lost(tuple(sorted(some)))
