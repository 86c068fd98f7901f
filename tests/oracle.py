"""Games by exhaustive search: their rules, and nothing else.

It is deliberately independent of the firmware, so the two can only agree if both are right.
"""

import itertools
from functools import cache

POSITIONS = list(itertools.product(range(8), repeat=4))


@cache
def mover_wins(rows: tuple[int, ...], misere: bool) -> bool:
    """Return True if the mover can force a win. A player who cannot move has lost in normal play
    and won in misère play."""
    after = [next_rows for _, next_rows in moves(rows)]
    if not after:
        return misere
    return any(not mover_wins(next_rows, misere) for next_rows in after)


def moves(rows: tuple[int, ...]) -> list[tuple[tuple[int, int], tuple[int, ...]]]:
    """Return ((row, take), position it leaves) for every move."""
    found = []
    for row in range(len(rows)):
        for left in range(rows[row]):
            found.append(((row, rows[row] - left), (*rows[:row], left, *rows[row + 1 :])))
    return found


def winning_moves(rows: tuple[int, ...], misere: bool) -> set[tuple[int, int]]:
    return {move for move, after in moves(rows) if not mover_wins(after, misere)}


@cache
def length(rows: tuple[int, ...], misere: bool) -> int:
    """Return the number of moves that are left if the winner hurries and the loser delays."""
    after = [next_rows for _, next_rows in moves(rows)]
    if not after:
        return 0
    if mover_wins(rows, misere):
        return 1 + min(length(a, misere) for a in after if not mover_wins(a, misere))
    return 1 + max(length(a, misere) for a in after)


class Search:
    """A search for the value of a position, by the rules alone. moves(position) yields the
    positions that a move can leave. `same` returns one name for equivalent positions."""

    def __init__(self, moves, same=lambda position: position):
        self.options = moves
        outcome, value = cache(self._lost), cache(self._grundy)
        self.lost = lambda position, misere: outcome(same(position), misere)
        self.grundy = lambda position: value(same(position))

    def _lost(self, position, misere):
        after = list(self.options(position))
        if not after:
            return not misere
        return not any(self.lost(option, misere) for option in after)

    def _grundy(self, position):
        after = {self.grundy(option) for option in self.options(position)}
        return next(value for value in itertools.count() if value not in after)


def sums(moves):
    """Return the search of sums of heaps, largest last. moves(n) yields the results of a move."""

    def options(heaps):
        return {
            tuple(sorted((*heaps[:i], *left, *heaps[i + 1 :])))
            for i, n in enumerate(heaps)
            for left in moves(n)
        }

    return Search(options, lambda heaps: tuple(sorted(heaps)))


def masks(pieces):
    """Return the search of boards as masks, from which a move takes a piece."""
    pieces = list(pieces)
    return Search(lambda board: [board ^ piece for piece in pieces if board & piece == piece])


def octal(text):
    """Return the moves of an octal or hexadecimal code: moves(n) yields the heaps that a move in n
    can leave."""
    digits = [int(symbol, 16) for symbol in text.replace(".", "")]

    def moves(heap):
        for left, digit in zip(range(heap, -1, -1), digits, strict=False):
            if left == 0 and digit & 1:
                yield ()
            if left > 0 and digit & 2:
                yield (left,)
            if digit & 4:
                yield from [(a, left - a) for a in range(1, left // 2 + 1)]
            if digit & 8:
                for a in range(1, left // 3 + 1):
                    yield from [(a, b, left - a - b) for b in range(a, (left - a) // 2 + 1)]

    return moves


def unequal(heap):
    """Return the moves of Grundy's game, which splits a heap into two of different sizes."""
    return [(a, heap - a) for a in range(1, heap) if a < heap - a]


def heaps_within(most, least=1):
    """Yield every multiset of numbers of at least `least` whose sum is at most `most`, largest
    first."""
    yield ()
    for largest in range(least, most + 1):
        for rest in heaps_within(most - largest, least):
            if not rest or rest[0] <= largest:
                yield (largest, *rest)
