"""Nim by exhaustive search: the rules, and nothing else.

Deliberately written apart from the firmware, so that the two can only agree by being right.
"""

import itertools
from functools import cache

POSITIONS = list(itertools.product(range(8), repeat=4))


@cache
def mover_wins(rows: tuple[int, ...], misere: bool) -> bool:
    """Can the mover force a win? Who cannot move has lost in normal and won in misère play."""
    after = [next_rows for _, next_rows in moves(rows)]
    if not after:
        return misere
    return any(not mover_wins(next_rows, misere) for next_rows in after)


def moves(rows: tuple[int, ...]) -> list[tuple[tuple[int, int], tuple[int, ...]]]:
    """Every ((row, take), position it leaves)."""
    found = []
    for row in range(len(rows)):
        for left in range(rows[row]):
            found.append(((row, rows[row] - left), (*rows[:row], left, *rows[row + 1 :])))
    return found


def winning_moves(rows: tuple[int, ...], misere: bool) -> set[tuple[int, int]]:
    return {move for move, after in moves(rows) if not mover_wins(after, misere)}


@cache
def length(rows: tuple[int, ...], misere: bool) -> int:
    """How many moves are left when the winner hurries and the loser delays."""
    after = [next_rows for _, next_rows in moves(rows)]
    if not after:
        return 0
    if mover_wins(rows, misere):
        return 1 + min(length(a, misere) for a in after if not mover_wins(a, misere))
    return 1 + max(length(a, misere) for a in after)
