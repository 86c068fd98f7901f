"""Codes of games that take from one heap and may split the rest: octal and hexadecimal."""

from collections.abc import Iterator

_SYMBOLS = "0123456789ABCDEF"
_DIGITS = 40

Heaps = tuple[int, ...]


class Code:
    """Digit k has the rests that a move of k may leave: 1 nothing, 2 one heap, 4 two heaps, 8
    three, or a sum of these. `unequal` is for Grundy's game: no two equal heaps."""

    def __init__(self, text: str, most: int = 7, unequal: bool = False):
        """text: 0.77, .77 or 4.7. most: the highest digit. Raises ValueError."""
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
        """Into how many heaps a move may split one, at most."""
        return (
            3 if any(d & 8 for d in self.digits) else 2 if any(d & 4 for d in self.digits) else 1
        )

    def moves(self, heap: int) -> Iterator[Heaps]:
        """The rests of a heap after a move, each multiset of heaps once for each way to take."""
        for k, digit in enumerate(self.digits[: heap + 1]):
            left = heap - k
            if digit & 1 and not left:
                yield ()
            if digit & 2 and left:
                yield (left,)
            if digit & 4:
                yield from self._pairs(1, left)
            if digit & 8:
                for least in range(1, left // 3 + 1):
                    for pair in self._pairs(least, left - least):
                        yield least, *pair

    def _pairs(self, least: int, total: int) -> Iterator[Heaps]:
        for small in range(least, (total - self.unequal) // 2 + 1):
            yield small, total - small
