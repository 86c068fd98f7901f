"""The firmware's games of heaps, with many more and much larger heaps."""

from collections.abc import Hashable, Iterable, Iterator
from math import isqrt
from typing import Any

from nimatron import bouton
from nimatron.games.building import Building
from nimatron.games.candy import Candy
from nimatron.games.chomp import Chomp
from nimatron.games.fibonacci import Fibonacci
from nimatron.games.greedy import Greedy
from nimatron.games.heaps import HeapGame
from nimatron.games.nim import Nim
from nimatron.games.same_number import SameNumber
from nimatron.games.square import Square
from nimatron.games.stateful import HeapGameWithState
from nimatron.games.subtraction import Counting, Subtraction
from nimatron.games.wythoff import Wythoff
from nimatron.protocol import whole_number
from nimatron_host.theory import english, time_limit
from nimatron_host.theory.search import Search

DIGITS = 4000  # the most in a typed number. Python reads up to 4300
HEAPS = 1000

Heaps = tuple[int, ...]


class Large(HeapGame):
    """A mixin that lifts the limits of a firmware's game. It comes before the game's class."""

    heaps = (1, HEAPS)
    most: Any = None  # no limit
    solved = "rule"

    def parse_option(self, words: list[str]) -> Heaps:
        heaps = tuple(whole_number(word, DIGITS) for word in words)
        self._check(heaps, self.most)
        return heaps


class LargeNim(Large, Nim):
    def reaching(self, position: Heaps, value: int) -> Iterator[Heaps]:
        """Yield the options with the nim-sum `value`."""
        value ^= bouton.nim_sum(position)
        for row, heap in enumerate(position):
            if heap ^ value < heap:
                yield (*position[:row], heap ^ value, *position[row + 1 :])


class LargeSubtraction(Large, Subtraction):
    theory = english.PLAIN["theory.subtraction-3"]

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.sentence = f"Switch off 1 to {most} lamps, all in one heap."

    def winning_options(self, position: Heaps, misere: bool) -> list[Heaps]:
        """Return the winning options. Only two of all possible remainders can win."""
        found = []
        for row, heap in enumerate(position):
            others = bouton.nim_sum(self._residues(position[:row] + position[row + 1 :]))
            for residue in (others, others ^ 1):
                take = (heap - residue) % (self._k + 1)
                option = (*position[:row], heap - take, *position[row + 1 :])
                if residue <= self._k and 0 < take <= heap and self.is_p(option, misere):
                    found.append(option)
        return found


class LargeCounting(Counting):
    winning_options = LargeSubtraction.winning_options
    theory = english.PLAIN["theory.say-21"]

    def __init__(self, target: int, most: int) -> None:
        super().__init__(target, most)
        self.sentence = f"Take turns counting to {target}, 1 to {most} numbers at a time."
        self.example = str(target)


class LargeWythoff(Large, Wythoff):
    heaps = (2, 2)

    def winning_options(self, position: Heaps, misere: bool) -> list[Heaps]:
        """Return the P-positions that keep one heap or the difference of the heaps."""
        a, b = position
        found: list[Heaps] = []
        if (other := _partner(a, misere)) < b:
            found.append((a, other))
        if (other := _partner(b, misere)) < a:
            found.append((other, b))
        least = _pair(abs(a - b), misere)
        if least < min(a, b):
            found.append((a - min(a, b) + least, b - min(a, b) + least))
        return found


class LargeFibonacci(Large, Fibonacci):
    heaps = (1, 1)

    def parse_option(self, words: list[str]) -> Heaps:
        said = " ".join(words).split(":")
        n = whole_number(said[0].strip(), DIGITS)
        limit = whole_number(":".join(said[1:]).strip(), DIGITS) if len(said) > 1 else n - 1
        if n < 0 or (limit < 0 and n):
            raise ValueError(f"{n} lamps, of which {limit} may be taken")
        return n, max(min(limit, n), 0)

    def is_p(self, position: Heaps, misere: bool) -> bool:
        return position[0] == 0 or _fibonacci_parts(position[0])[0] > position[1]

    def winning_options(self, position: Heaps, misere: bool) -> list[Heaps]:
        """Return the winning options. A winning move takes the smallest Fibonacci parts: all of
        them, or several that together are less than half the next part."""
        n, limit = position
        parts, take = _fibonacci_parts(n), 0
        found: list[Heaps] = []
        for part, following in zip(parts, [*parts, 0][1:], strict=True):
            take += part
            if take > limit:
                break
            if following > 2 * take or take == n:
                found.append((n - take, min(2 * take, n - take)))
        return found


class LargeSquare(Large, Square):
    solved = "nimbers"
    sentence = "Switch off a square number of lamps, all in one heap: 1, 4, 9, 16, 25 and so on."

    def _worth(self, position: Heaps) -> list[int]:
        values = self._nimbers
        for n in range(len(values), max(position) + 1):
            time_limit.check(
                lambda: f"Grundy values of heaps up to {len(values) - 1:,} worked out"
            )
            values.append(bouton.mex({values[n - r * r] for r in range(1, isqrt(n) + 1)}))
        return [values[n] for n in position]


class LargeGreedy(Large, Greedy):
    def options(self, position: Heaps) -> Iterator[Heaps]:
        """Yield the options of one longest heap. Moves in equal heaps have the same effect."""
        longest = max(position)
        row = position.index(longest)
        for take in range(1, longest + 1):
            yield (*position[:row], longest - take, *position[row + 1 :])

    def winning_options(self, position: Heaps, misere: bool) -> Iterator[Heaps]:
        """Yield the winning options. A winning move must not leave a single longest heap, except
        with 1 lamp left."""
        next_one, longest = sorted((0, *position))[-2:]
        row, alone = position.index(longest), next_one < longest
        most = min(longest - 1, max(next_one, 1)) if alone else longest - 1
        lefts: Iterable[int] = range(most + 1)
        if alone and position.count(next_one) % 2:
            lefts = sorted({0, min(1, most), next_one})
        for left in lefts:
            option = (*position[:row], left, *position[row + 1 :])
            if self.is_p(option, misere):
                yield option


class BySearch(Large):
    """A large game that a search solves."""

    solved = "search"

    def __init__(self) -> None:
        super().__init__()
        self.search = Search(self)

    def is_p(self, position: Heaps, misere: bool) -> bool:
        return self.search.is_p(position, misere)


class LargeSameNumber(BySearch, SameNumber):
    heaps = (3, HEAPS)

    def is_p(self, position: Heaps, misere: bool) -> bool:
        if len(position) % 2 and not misere:
            return bouton.is_p(position, False)
        return super().is_p(position, misere)


class LargeChomp(BySearch, Chomp):
    def parse_option(self, words: list[str]) -> Heaps:
        """Return the rows. A bar can be written as 3x4, which is 3 rows of 4 lamps."""
        rows, cross, columns = "".join(words).partition("x")
        if cross:
            words = [columns] * min(whole_number(rows), HEAPS + 1)
        return super().parse_option(words)

    def alike(self, position: Heaps) -> Hashable:
        """Return a form without empty rows, the same for a bar and its mirror image."""
        rows = tuple(n for n in position if n)
        columns = tuple(sum(n > column for n in rows) for column in range(max(rows, default=0)))
        return min(rows, columns)


class LargeBuilding(Large, Building):
    heaps = (2, HEAPS)
    solved = "search"

    def parse_option(self, words: list[str]) -> Heaps:
        return HeapGameWithState.parse_option(self, words)  # type: ignore[no-any-return]

    def _is_p(self, heaps: Heaps, stones: int, misere: bool, known: Any) -> bool:
        time_limit.check(lambda: f"{len(known):,} positions of building searched")
        return super()._is_p(heaps, stones, misere, known)  # type: ignore[no-any-return]


class LargeCandy(LargeNim, Candy):
    solved = "search"

    def __init__(self) -> None:
        self._more: dict[Heaps, int] = {}

    def candies(self, position: Heaps) -> int:
        """Return the mover's final lead in candies if both players play their best."""
        position = tuple(sorted(n for n in position if n))
        if position not in self._more:
            time_limit.check(lambda: f"{len(self._more):,} positions of candy searched")
            options = [*self.reaching(position, 0)] or self.options(position)
            leads = [sum(position) - sum(o) - self.candies(o) for o in options]
            self._more[position] = max(leads, default=0)
        return self._more[position]


def in_range(text: str, least: int, most: int) -> int:
    """Return the number in a game's name. Raises ValueError if it is out of range."""
    number = whole_number(text)
    if not least <= number <= most:
        raise ValueError(f"{number} is out of range: {least} to {most}")
    return number


def _pair(difference: int, misere: bool) -> int:
    """Return the smaller number of the P-position with this difference."""
    if misere and difference < 2:
        return 0 if difference else 2
    return (difference + isqrt(5 * difference * difference)) // 2


def _partner(n: int, misere: bool) -> int:
    """Return the other number of the P-position in which n occurs."""
    if misere and n < 3:
        return (1, 0, 2)[n]
    root = isqrt(5 * n * n)
    by_ratio = (root - n) // 2  # n divided by the golden ratio, rounded down
    by_square = (3 * n - root - 1) // 2  # n divided by the square of the golden ratio
    for d in (by_ratio, by_ratio + 1, by_square, by_square + 1):
        pair = _pair(d, False), _pair(d, False) + d
        if n in pair:
            return sum(pair) - n
    raise AssertionError(f"{n} occurs in no pair")


def _fibonacci_parts(n: int) -> list[int]:
    """Return the ascending Fibonacci numbers whose sum is n. No two of them are neighbours."""
    numbers = [1, 2]
    while numbers[-1] <= n:
        numbers.append(numbers[-1] + numbers[-2])
    parts = []
    for number in reversed(numbers):
        if number <= n:
            parts.append(number)
            n -= number
    return parts[::-1]
