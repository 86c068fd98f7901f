"""Octal and hexadecimal codes of games: players take from a heap and may split the rest."""

from collections.abc import Iterator

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
        return (
            3 if any(d & 8 for d in self.digits) else 2 if any(d & 4 for d in self.digits) else 1
        )

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
