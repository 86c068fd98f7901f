"""Random exercises for a class, with the solver's answers. The machine's rule applies: the player
who takes the last counter loses."""

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

from nimatron import bouton

Exercise = tuple[str, dict[str, Any]]  # the key of its texts, and the values for their gaps


def exercises(seed: int) -> list[Exercise]:
    """Return five exercises, easy ones first. The same seed gives the same exercises."""
    chance = random.Random(seed)
    return [_lost(chance), _move(chance, 7), _move(chance, 15), _end(chance), _heap(chance)]


def listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _lost(chance: random.Random) -> Exercise:
    lost = [rows for rows in combinations(range(2, 8), 3) if bouton.is_p(rows)]
    right = chance.sample(lost, 2)
    asked = [*right, _rows(chance, 7, lambda rows: not bouton.is_p(rows))]
    chance.shuffle(asked)
    return "lost", {"positions": asked, "right": sorted(right, key=asked.index)}


def _move(chance: random.Random, most: int) -> Exercise:
    rows = _rows(chance, most, lambda rows: len(bouton.winning_moves(rows)) == 1)
    ((row, take),) = bouton.winning_moves(rows)
    return "move", {"rows": rows, "before": rows[row], "after": rows[row] - take, "take": take}


def _end(chance: random.Random) -> Exercise:
    rows = (*[1] * chance.randint(1, 4), chance.randint(3, 7))
    ((_, take),) = bouton.winning_moves(rows)
    return "end", {"rows": rows, "large": rows[-1], "leave": rows[-1] - take}


def _heap(chance: random.Random) -> Exercise:
    most = chance.randint(3, 6)
    left = chance.randint(3, 6) * (most + 1) + 1
    take = chance.randint(1, most)
    gaps = {"heap": left + take, "most": most, "take": take, "by": most + 1, "left": left}
    return "heap", gaps


def _rows(
    chance: random.Random, most: int, wanted: Callable[[Sequence[int]], bool]
) -> tuple[int, ...]:
    """Return three different rows of 2 to `most` counters that `wanted` accepts."""
    while True:
        rows = tuple(sorted(chance.sample(range(2, most + 1), 3)))
        if wanted(rows):
            return rows
