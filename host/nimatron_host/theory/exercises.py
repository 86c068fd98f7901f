"""Exercises for a class, made by chance and answered by the solver."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from nimatron import bouton
from nimatron_host.theory import solve


@dataclass(frozen=True)
class Exercise:
    question: str
    answer: str


def exercises(seed: int) -> list[Exercise]:
    """Six exercises, easy ones first. The same for the same seed."""
    chance = random.Random(seed)
    return [
        _outcomes(chance),
        _one_move(chance, 7),
        _one_move(chance, 15),
        _end_of_misere(chance),
        _subtraction(chance),
        _kayles(chance),
    ]


def _outcomes(chance: random.Random) -> Exercise:
    won = _rows(chance, 7, lambda rows: bouton.nim_sum(rows) != 0)
    lost = [rows for rows in combinations(range(2, 8), 3) if not bouton.nim_sum(rows)]
    asked = [won, *chance.sample(lost, 2)]
    chance.shuffle(asked)
    said = [f"{_list(rows)}: {_outcome(rows)}" for rows in asked]
    return Exercise(
        "If you take the last lamp, you win. Which of these positions are lost for the player to "
        "move? " + "; ".join(_list(rows) for rows in asked) + ".",
        "; ".join(said) + ".",
    )


def _outcome(rows: Sequence[int]) -> str:
    left = bouton.nim_sum(rows)
    return f"won, {_powers(left)} is left" if left else "lost, all powers cancel"


def _one_move(chance: random.Random, most: int) -> Exercise:
    rows = _rows(chance, most, lambda rows: len(_moves(rows)) == 1)
    (move,) = _moves(rows)
    left = bouton.nim_sum(rows)
    before = rows[move["row"] - 1]
    after = before - move["take"]
    return Exercise(
        f"If you take the last lamp, you win. Rows of {_list(rows)}: which powers of two are left "
        "over, and what is the winning move?",
        f"{_powers(left)} is left. The row of {before} becomes {after}: take {move['take']}.",
    )


def _end_of_misere(chance: random.Random) -> Exercise:
    ones, large = chance.randint(1, 4), chance.randint(3, 7)
    rows = (*[1] * ones, large)
    leave = {rule: large - _moves(rows, rule)[0]["take"] for rule in ("normal", "misere")}
    return Exercise(
        f"Rows of {_list(rows)}. What do you leave of the row of {large} if the last lamp wins, "
        "and what if it loses?",
        f"If it wins, leave {leave['normal']}, so that an even number of single lamps is left. "
        f"If it loses, leave {leave['misere']}, so that the number is odd.",
    )


def _subtraction(chance: random.Random) -> Exercise:
    most = chance.randint(3, 6)
    heap = chance.randint(3, 6) * (most + 1) + chance.randint(1, most)
    (option,) = _options(f"subtraction-{most}", (heap,))
    return Exercise(
        f"One heap of {heap}. On each turn, take 1 to {most}. If you take the last lamp, you win. "
        "How many do you take?",
        f"{heap} divided by {most + 1} leaves {heap % (most + 1)}: take {heap - int(option)}. "
        f"From then on, always leave a multiple of {most + 1}.",
    )


def _kayles(chance: random.Random) -> Exercise:
    values = [int(solve.solve(["kayles", str(n)], "normal")["grundy"]) for n in range(1, 10)]
    while True:
        rows = (chance.randint(3, 9), chance.randint(3, 9))
        options = _options("kayles", rows)
        if rows[0] != rows[1] and 1 <= len(options) <= 4:
            break
    worth = [values[n - 1] for n in rows]
    return Exercise(
        "Kayles: knock down one pin of a row, or two neighbours. The last pin wins. Rows of 1, 2, "
        f"3, ... 9 pins are worth {_list(values)}. Two rows, of {rows[0]} and {rows[1]}: name a "
        "winning move by what it leaves.",
        f"They are worth {worth[0]} and {worth[1]}, which do not cancel. Leave "
        + ", or ".join(options)
        + ".",
    )


def _rows(
    chance: random.Random, most: int, wanted: Callable[[Sequence[int]], bool]
) -> tuple[int, ...]:
    """Three rows, all different, of 2 lamps or more."""
    while True:
        rows = tuple(sorted(chance.sample(range(2, most + 1), 3)))
        if wanted(rows):
            return rows


def _moves(rows: Sequence[int], rule: str = "normal") -> list[dict[str, int]]:
    moves: list[dict[str, int]] = solve.solve([str(n) for n in rows], rule)["winning_moves"]
    return moves


def _options(game: str, heaps: Sequence[int]) -> list[str]:
    options: list[str] = solve.solve([game, *map(str, heaps)], "normal")["winning_options"]
    return options


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _powers(number: int) -> str:
    """A number as a sum of powers of two."""
    return " + ".join(str(1 << n) for n in reversed(range(number.bit_length())) if number >> n & 1)
