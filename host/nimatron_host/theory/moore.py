"""Moore's Nim, which is Nim of index k, with or without a limit: a move takes from up to k heaps
at once."""

from collections.abc import Iterator
from itertools import combinations, product

from nimatron_host.theory import time_limit
from nimatron_host.theory.large_heaps import BySearch, Heaps, in_range

_MOST_K, _MOST_TAKEN = 99, 10**9


class Index(BySearch):
    """Nim of any index. A position is a tuple with the size of each heap."""

    last = "switch off the last lamp"
    example = "3 4 5 6"
    _MOORE = (
        "Moore 1910: write the rows in binary and leave, in every column, a number of ones that "
        "divides by one more than the rows you may use. If the last lamp loses and only single "
        "lamps would be left, leave one more than such a number."
    )
    _BOUNDED = (
        "Found by a complete search. The published rule, Moore's applied to remainders, is right "
        "only if the last lamp wins and there is at most one row more than you may use."
    )

    def __init__(self, rest: str) -> None:
        """`rest` is the text K, or K-R if a move takes at most R lamps from each heap."""
        super().__init__()
        k, hyphen, limit = rest.partition("-")
        self._k = in_range(k, 1, _MOST_K)
        self._limit = in_range(limit, 1, _MOST_TAKEN) if hyphen else None
        rows = f"each of up to {self._k} rows" if self._k > 1 else "one row"
        most = "one or more lamps" if not hyphen else "one lamp"
        if self._limit is not None and self._limit > 1:
            most = f"1 to {self._limit} lamps"
        self.sentence = f"Switch off {most} in {rows}."
        self.solved = "search" if hyphen else "rule"
        self.theory = self._BOUNDED if hyphen else self._MOORE

    def alike(self, position: Heaps) -> Heaps:
        return tuple(sorted(n for n in position if n))

    def options(self, position: Heaps) -> Iterator[Heaps]:
        return self._from(position, 0, self._k)

    def _from(self, position: Heaps, first: int, heaps: int) -> Iterator[Heaps]:
        for i in range(first, len(position)):
            for take in range(1, min(position[i], self._limit or position[i]) + 1):
                option = (*position[:i], position[i] - take, *position[i + 1 :])
                yield option
                if heaps > 1:
                    yield from self._from(option, i + 1, heaps - 1)

    def is_p(self, position: Heaps, misere: bool) -> bool:
        if self._limit is not None:
            return super().is_p(position, misere)
        over = 1 if misere and max(position) < 2 else 0
        return all(ones % (self._k + 1) == over for ones in self._ones(position))

    def _ones(self, position: Heaps) -> list[int]:
        """Return the number of heaps with a one in each binary digit, the last digit first."""
        ones = [0] * max(1, max(position).bit_length())
        for n in position:
            for column in range(n.bit_length()):
                ones[column] += n >> column & 1
        return ones

    def winning_options(self, position: Heaps, misere: bool) -> Iterator[Heaps]:
        """Yield the winning options. By Moore's rule, the digits of an option follow one by one,
        from the highest digit down. If a move removes a one from a heap, the lower digits of this
        heap can be chosen freely."""
        if self._limit is not None:
            yield from super().winning_options(position, misere)
        elif not self.is_p(position, misere):
            width = len(self._ones(position))
            for option in self._mended(position, width - 1, frozenset()):
                if option != position and (not misere or max(option) > 1):
                    yield option
            if misere:
                yield from self._ending(position)

    def _mended(self, heaps: Heaps, column: int, free: frozenset[int]) -> Iterator[Heaps]:
        """Yield the heaps by Moore's rule. The lower digits of the heaps in `free` are free."""
        time_limit.check(lambda: f"{column + 1:,} binary digits are left")
        if column < 0:
            yield heaps
            return
        bit = 1 << column
        fixed = sum(n & bit > 0 for i, n in enumerate(heaps) if i not in free)
        having = [i for i, n in enumerate(heaps) if i not in free and n & bit]
        for more in range(min(self._k - len(free), len(having)) + 1):
            for given in combinations(having, more):
                for ones in range(len(free) + 1):
                    if (fixed - more + ones) % (self._k + 1) == 0:
                        for keep in combinations(sorted(free), ones):
                            left = [
                                n & ~bit | bit * (i in keep) if i in free or i in given else n
                                for i, n in enumerate(heaps)
                            ]
                            yield from self._mended(tuple(left), column - 1, free | {*given})

    def _ending(self, position: Heaps) -> Iterator[Heaps]:
        """Yield the lost options of misère play in which no heap has more than 1 lamp."""
        large = [i for i, n in enumerate(position) if n > 1]
        if len(large) <= self._k:
            ones = [i for i, n in enumerate(position) if n == 1]
            for used in range(min(self._k - len(large), len(ones)) + 1):
                for gone in combinations(ones, used):
                    for kept in product((0, 1), repeat=len(large)):
                        if (len(ones) - used + sum(kept)) % (self._k + 1) == 1:
                            left = dict.fromkeys(gone, 0) | dict(zip(large, kept, strict=True))
                            if left:
                                yield tuple(left.get(i, n) for i, n in enumerate(position))
