"""Octal and hexadecimal codes of games: players take from a heap and may split the rest.

A nim-sequence contains the Grundy values of the single heaps of a code, and their period.

The value of a heap is the least number that no move reaches. A split reaches the XOR of two
values. The time to try all splits grows with the square of the heap. In most games, nearly all
values have an odd number of ones under some mask. The other values are *rare* (Winning Ways,
chapter 4). The XOR of two common values is rare. Only a split into a rare and a common value can
rule out a common value, and few such splits exist. A few more splits then usually reach all
smaller rare values. A good mask makes this method fast, and every mask gives the right result.
"""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import xor

from nimatron_host.theory import time_limit

_SYMBOLS = "0123456789ABCDEF"
_DIGITS = 40

# The sequences of Grundy values in the On-Line Encyclopedia of Integer Sequences, by code.
OEIS = {
    "0.77": "A002186",
    "0.137": "A002187",
    "0.07": "A002187",
    "0.4": "A002187",
    "4.0": "A002188",
    "0.7777": "A071074",
    "0.16": "A071430",
    "0.1377": "A071434",
    "0.177": "A071435",
    "0.56": "A071436",
    "0.11377": "A071452",
    "0.117": "A071453",
    "0.127": "A071464",
    "0.1777": "A071509",
    "0.115": "A125829",
    "0.141": "A125912",
    "0.176": "A125920",
    "4.102": "A125938",
}

Heaps = tuple[int, ...]


class Code:
    """An octal or hexadecimal code. Digit k is the sum of what may remain after k lamps are taken:
    1 for nothing, 2 for one heap, 4 for two heaps, 8 for three. If `unequal` is true, a split must
    not leave two equal heaps."""

    def __init__(self, text: str, most: int = 7, unequal: bool = False):
        """`text` is a code such as .77 or 4.7, with digits up to `most`. Raises ValueError."""
        whole, dot, rest = text.upper().partition(".")
        digits = [_SYMBOLS.find(symbol) for symbol in f"{whole or '0'}{rest}"]
        if not dot or len(whole) > 1 or len(rest) > _DIGITS or not all(d >= 0 for d in digits):
            raise ValueError(f'"{text}" is not a code. Write one such as 0.77')
        if max(digits) > most:
            found = _SYMBOLS[max(digits)]
            raise ValueError(
                f"the digit {found} splits a heap into three, which is a hexadecimal code. "
                f"Write hexadecimal {text}"
            )
        if digits[0] & 3:
            raise ValueError(
                f"{text} begins with {digits[0]}: a move that takes nothing must split the heap, "
                "so the digit before the dot is 0, 4, 8 or C"
            )
        if not any(digits):
            raise ValueError(f"no move is allowed by {text}")
        self.digits = digits
        self.unequal = unequal
        self.text = f"{_SYMBOLS[digits[0]]}.{rest.upper()}"

    @property
    def splits(self) -> int:
        """Return the largest number of heaps into which a move may split a heap."""
        return max(1, max(self.digits).bit_length() - 1)

    def moves(self, heap: int, most: int | None = None) -> Iterator[Heaps]:
        """Yield each multiset of heaps that a move can make from a heap. `most` limits the smaller
        of two heaps."""
        for k, digit in enumerate(self.digits[: heap + 1]):
            left = heap - k
            if digit & 1 and not left:
                yield ()
            if digit & 2 and left:
                yield (left,)
            if digit & 4:
                yield from self._pairs(1, left, most)
            if digit & 8:
                for least in range(1, left // 3 + 1):
                    for pair in self._pairs(least, left - least):
                        yield least, *pair

    def _pairs(self, least: int, total: int, most: int | None = None) -> Iterator[Heaps]:
        half = (total - self.unequal) // 2
        for small in range(least, min(half, most or half) + 1):
            yield small, total - small


_FIRST = 64  # heaps before the first search for a period
_GROWTH = 1.25  # the ratio of heaps from one search to the next
_CHUNK = 64  # the splits in a chunk
_SURPLUS = 0.4  # the least useful surplus of common over rare values, as a part of all values
_TAIL = 32  # the values that a period must repeat before all values are compared


@dataclass(frozen=True)
class Period:
    """A period: for heaps of `start` or more, adding `length` to the heap adds `saltus` to the
    value. `proved` is True if the theorem of Guy and Smith proves the period for all heaps."""

    start: int
    length: int
    saltus: int = 0
    proved: bool = True

    def __str__(self) -> str:
        name = f"period {self.length} from {self.start} on"
        if self.saltus:
            name = f"arithmetic {name}, each time {self.saltus} more"
        return name if self.proved else f"{name}, seen but not proved"


class NimSequence:
    """The values of the single heaps 0, 1, 2 … of a code, up to the requested heap."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.period: Period | None = None
        self._values = array("I", [0])
        self._look = _FIRST
        self._mask = 0
        self._rare: list[int] = []  # heaps of 1 or more with a rare value
        self._pairs: list[int] = []  # index n: the values of all splits of n into two, as bits

    def value(self, heap: int) -> int:
        """Return the Grundy value of a heap, of any size if the period is known."""
        self.grow(heap)
        if heap >= len(self._values):
            assert self.period  # otherwise the sequence would have grown
            heap = self.period.start + (heap - self.period.start) % self.period.length
        return self._values[heap]

    def values(self, count: int) -> list[int]:
        """Return the values of the first `count` heaps, from heap 0."""
        return [self.value(heap) for heap in range(count)]

    def grow(self, heap: int) -> None:
        """Compute the values up to this heap, or until a period is proved."""
        next_value = self._next_of_three if self.code.splits == 3 else self._next
        while len(self._values) <= heap and not self.period:
            time_limit.check(self.so_far)
            if len(self._values) == self._look:
                self._look = int(self._look * _GROWTH)
                self.period = self._proved_period()
                self._choose_mask()
                continue
            self._append(next_value())

    def so_far(self) -> str:
        """Return the progress in words."""
        done = f"Grundy values of heaps up to {len(self._values) - 1:,} worked out"
        return f"{done}, {self.period}" if self.period else f"{done}, no period proved"

    @property
    def largest(self) -> int:
        """Return the largest heap with a computed value."""
        return len(self._values) - 1

    def _append(self, value: int) -> None:
        heap = len(self._values)
        if self._is_rare(value):
            self._rare.append(heap)
        self._values.append(value)

    # ------------------------------------------------------------------ the next value

    def _next(self) -> int:
        values, heap = self._values, len(self._values)
        reached: set[int] = set()
        splits = []  # the rests to split into two heaps
        for k, digit in enumerate(self.code.digits[: heap + 1]):
            left = heap - k
            if digit & 1 and not left:
                reached.add(0)
            if digit & 2 and left:
                reached.add(values[left])
            if digit & 4:
                splits.append(left)
        if self._mask:
            for left in splits:
                half = left // 2 if self.code.unequal and left % 2 == 0 else 0
                some = self._rare[: bisect_left(self._rare, left)]
                reached.update([values[a] ^ values[left - a] for a in some if a != half])
        others = [self._splits(left) for left in splits]
        value = 0
        while True:
            while value in reached:
                value += 1
            if not others or (self._mask and not self._is_rare(value)):
                return value
            found = next(others[-1], None)
            if found is None:
                others.pop()
            else:
                reached.update(found)

    def _splits(self, left: int) -> Iterator[Iterator[int]]:
        """Yield the values of all splits into two, in chunks."""
        values = self._values
        most = (left - self.code.unequal) // 2
        for first in range(1, most + 1, _CHUNK):
            last = min(first + _CHUNK - 1, most)
            larger = values[left - last : left - first + 1]
            yield map(xor, values[first : last + 1], reversed(larger))

    def _is_rare(self, value: int) -> bool:
        return (value & self._mask).bit_count() % 2 == 0

    def _choose_mask(self) -> None:
        """Choose the mask with the fewest rare values among the later heaps, or 0 if all masks
        have too many. A Walsh-Hadamard transform of the counts of the values finds the surplus of
        rare values for all masks at once."""
        values = self._values
        counts = Counter(values[len(values) // 2 :])
        surplus = [counts[value] for value in range(1 << max(counts).bit_length())]
        step = 1
        while step < len(surplus):
            for first in range(0, len(surplus), 2 * step):
                for at in range(first, first + step):
                    a, b = surplus[at], surplus[at + step]
                    surplus[at], surplus[at + step] = a + b, a - b
            step *= 2
        least = min(surplus)
        self._mask = surplus.index(least) if least < -_SURPLUS * counts.total() else 0
        self._rare = [n for n, value in enumerate(values) if n and self._is_rare(value)]

    def _next_of_three(self) -> int:
        """Return the next value if heaps are split into three. The bits of an int are a set."""
        values, heap = self._values, len(self._values)
        self._pairs.append(_bits(value for some in self._splits(heap) for value in some))
        reached = 0
        for k, digit in enumerate(self.code.digits[: heap + 1]):
            left = heap - k
            if digit & 1 and not left:
                reached |= 1
            if digit & 2 and left:
                reached |= 1 << values[left]
            if digit & 4 and left:
                reached |= self._pairs[left - 1]
            if digit & 8:
                for least in range(1, left // 3 + 1):
                    time_limit.check(self.so_far)
                    reached |= _shifted(self._pairs[left - least - 1], values[least])
        return (~reached & reached + 1).bit_length() - 1

    # ------------------------------------------------------------------ the period

    def _proved_period(self) -> Period | None:
        """Return the shortest period that the known values prove, or None. The theorem of Guy and
        Smith is applied to as many heaps as a move of the code can leave."""
        if self.code.unequal or len(self._values) < _FIRST:
            return None  # a period less can make unequal heaps equal
        values = self._values
        size, width = len(values), values.itemsize
        content = values.tobytes()
        tail = content[-_TAIL * width :]
        at = len(content) - 1
        while (at := content.rfind(tail, 0, at)) >= 0:
            length, odd = divmod(len(content) - len(tail) - at, width)
            at += len(tail) - 1
            start = (size - len(self.code.digits) + 1) // self.code.splits - length
            if odd or start < 1:
                continue
            if values[start : size - length] == values[start + length :]:
                while start and values[start - 1] == values[start - 1 + length]:
                    start -= 1
                return Period(start, length)
        return None

    def seen_period(self) -> Period | None:
        """Return the proved period. Otherwise return a period, perhaps arithmetic, that the second
        half of the values repeats at least twice, or None."""
        self.period = self.period or self._proved_period()
        if self.period:
            return self.period
        values, half = self._values, len(self._values) // 2
        for length in range(1, half // 2):
            saltus = values[half + length] - values[half]
            later = range(half, len(values) - length)
            if all(values[n + length] - values[n] == saltus for n in later):
                start = half
                while start and values[start - 1 + length] - values[start - 1] == saltus:
                    start -= 1
                return Period(start, length, saltus, proved=False)
        return None


def _bits(values: Iterable[int]) -> int:
    bits = 0
    for value in set(values):
        bits |= 1 << value
    return bits


def _shifted(bits: int, value: int) -> int:
    """Return the set of the numbers in the set `bits`, each XOR `value`."""
    width = 1 << max(bits.bit_length() - 1, value, 1).bit_length()
    step = 1
    while step <= value:
        if value & step:
            low = ((1 << width) - 1) // ((1 << 2 * step) - 1) * ((1 << step) - 1)
            bits = (bits & low) << step | bits >> step & low
        step <<= 1
    return bits
