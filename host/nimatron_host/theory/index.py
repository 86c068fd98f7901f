"""Nim of any index, with or without a limit: take from up to k heaps at once."""

from collections.abc import Iterator

from nimatron.protocol import whole_number
from nimatron_host.theory.octal_codes import Heaps
from nimatron_host.theory.search import Searched

_HEAPS, _DIGITS = 1000, 4000
_MOST_K, _MOST_TAKEN = 99, 10**9
_MOVES = 200_000  # of one position, that are looked at


class Index(Searched[Heaps]):
    """A position is a tuple of counts."""

    last, last_done = "puts out the last lamp", "put out the last lamp"
    heaps = (1, _HEAPS)
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
        """rest: K, or K-R if a move takes at most R lamps of each heap."""
        super().__init__()
        k, hyphen, limit = rest.partition("-")
        self._k = self._number(k, _MOST_K)
        self._limit = self._number(limit, _MOST_TAKEN) if hyphen else None
        rows = f"each of up to {self._k} rows" if self._k > 1 else "one row"
        most = "one or more lamps" if not hyphen else "one lamp"
        if self._limit is not None and self._limit > 1:
            most = f"1 to {self._limit} lamps"
        self.sentence = f"Put out {most} in {rows}."
        self.solved = "search" if hyphen else "rule"
        self.theory = self._BOUNDED if hyphen else self._MOORE

    @staticmethod
    def _number(text: str, most: int) -> int:
        number = whole_number(text)
        if not 1 <= number <= most:
            raise ValueError(f"{number} is out of range: 1 to {most}")
        return number

    def alike(self, position: Heaps) -> Heaps:
        return tuple(sorted(n for n in position if n))

    def options(self, position: Heaps) -> Iterator[Heaps]:
        if self._moves(position) > _MOVES:
            raise ValueError(
                f"this position has more than {_MOVES:,} moves. Take smaller heaps, or fewer"
            )
        return self._from(position, 0, self._k)

    def _from(self, position: Heaps, first: int, heaps: int) -> Iterator[Heaps]:
        for i in range(first, len(position)):
            for take in range(1, self._most(position[i]) + 1):
                option = (*position[:i], position[i] - take, *position[i + 1 :])
                yield option
                if heaps > 1:
                    yield from self._from(option, i + 1, heaps - 1)

    def _most(self, heap: int) -> int:
        return heap if self._limit is None else min(heap, self._limit)

    def _moves(self, position: Heaps) -> int:
        """How many moves there are, or a number that is already too large."""
        by_heaps = [1] + [0] * self._k
        for heap in position:
            for used in range(self._k, 0, -1):
                by_heaps[used] += by_heaps[used - 1] * self._most(heap)
        return sum(by_heaps) - 1

    def is_p(self, position: Heaps, misere: bool) -> bool:
        if self._limit is not None:
            return super().is_p(position, misere)
        if misere and max(position) < 2:
            return sum(position) % (self._k + 1) == 1
        return all(
            sum(n >> column & 1 for n in position) % (self._k + 1) == 0
            for column in range(max(position).bit_length())
        )

    # ------------------------------------------------------------------ as people know them

    def size(self, position: Heaps) -> int:
        return sum(position)

    def over(self, position: Heaps) -> bool:
        return not any(position)

    def words(self, position: Heaps) -> str:
        return ",".join(map(str, position))

    def parse_option(self, words: list[str]) -> Heaps:
        heaps = tuple(whole_number(word, _DIGITS) for word in words)
        if not 1 <= len(heaps) <= _HEAPS or min(heaps) < 0:
            raise ValueError(f"write 1 to {_HEAPS} heaps, each of them 0 or more lamps")
        return heaps
