"""Tables for the heap games. Each position comes after all positions that a move can leave."""

from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement, product

from nimatron.games.tables import rank

Heaps = tuple[int, ...]
Options = Callable[[Heaps], Iterator[Heaps]]

_MOST = 7
_NONE_MORE = 28  # the entry in the table if both get the same number of candies


def tables() -> dict[str, tuple[str, dict[str, bytes]]]:
    """Return a sentence about each table and its constants, by the name of the module."""
    return {
        "bounded_index": (
            "Up to 2 rows, at most 1 or 2 lamps of each.",
            {
                "NORMAL_1": _lost(4, _bounded_index(1), misere=False),
                "MISERE_1": _lost(4, _bounded_index(1), misere=True),
                "NORMAL_2": _lost(4, _bounded_index(2), misere=False),
                "MISERE_2": _lost(4, _bounded_index(2), misere=True),
            },
        ),
        "candy": (
            "Candy nim, the mover's lead in candies + 28.",
            {"MORE": _candies()},
        ),
        "chomp": (
            "Chomp.",
            {"MISERE": _lost(4, _chomp, misere=True)},
        ),
        "same_number": (
            "Nim, or the same number from each heap.",
            {
                "THREE_MISERE": _lost(3, _same_number, misere=True),
                "FOUR": _lost(4, _same_number, misere=False),
                "FOUR_MISERE": _lost(4, _same_number, misere=True),
            },
        ),
    }


def _upward(heaps: int) -> list[Heaps]:
    """Return every position, with its heaps in ascending order, the fewest lamps first."""
    return sorted(combinations_with_replacement(range(_MOST + 1), heaps), key=sum)


def _losers(heaps: int, options: Options, misere: bool) -> set[Heaps]:
    """Return the positions in which the mover loses."""
    lost: set[Heaps] = set()
    for position in _upward(heaps):
        after = [tuple(sorted(option)) for option in options(position)]
        if not any(option in lost for option in after) and (after or not misere):
            lost.add(position)
    return lost


def _lost(heaps: int, options: Options, misere: bool) -> bytes:
    """Return the losing positions as a table for nimatron.games.tables."""
    bits = bytearray(len(_upward(heaps)) // 8 + 1)
    for position in _losers(heaps, options, misere):
        number = rank(position)
        bits[number // 8] |= 1 << number % 8
    return bytes(bits)


def _candies() -> bytes:
    lost = _losers(4, _nim, misere=False)
    more: dict[Heaps, int] = {}
    for position in _upward(4):
        after = {tuple(sorted(option)) for option in _nim(position)}
        # Winning comes first: only a player who loses anyway chooses among all moves.
        more[position] = max(
            (sum(position) - sum(a) - more[a] for a in after & lost or after), default=0
        )
    content = bytearray(len(more))
    for position, candies in more.items():
        content[rank(position)] = candies + _NONE_MORE
    return bytes(content)


def _nim(heaps: Heaps) -> Iterator[Heaps]:
    for heap, n in enumerate(heaps):
        for left in range(n):
            yield (*heaps[:heap], left, *heaps[heap + 1 :])


def _same_number(heaps: Heaps) -> Iterator[Heaps]:
    yield from _nim(heaps)
    for take in range(1, min(heaps) + 1):
        yield tuple(n - take for n in heaps)


def _bounded_index(most: int) -> Options:
    def options(heaps: Heaps) -> Iterator[Heaps]:
        for chosen in (*combinations(range(4), 1), *combinations(range(4), 2)):
            for taken in product(range(1, most + 1), repeat=len(chosen)):
                left = list(heaps)
                for heap, take in zip(chosen, taken, strict=True):
                    left[heap] -= take
                if min(left) >= 0:
                    yield tuple(left)

    return options


def _chomp(rows: Heaps) -> Iterator[Heaps]:
    """Return the options in Chomp. Here the shortest row comes first."""
    for row, n in enumerate(rows):
        for left in range(n):
            yield (*(min(m, left) for m in rows[: row + 1]), *rows[row + 1 :])
