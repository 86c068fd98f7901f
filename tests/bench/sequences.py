"""Nim-sequences: ours, with numpy and without, beside the plain recursion that textbooks have."""

from collections.abc import Callable
from functools import partial
from unittest import mock

from bench.measure import side_by_side
from bench.report import Goal, Section, Table, number
from nimatron_host.theory import octal_values
from nimatron_host.theory.octal_codes import Code
from nimatron_host.theory.octal_values import NimSequence

ROUNDS = 5
WANTED = 3.0  # times as fast as the plain recursion, with numpy if it is installed

# Name, code, whether the two parts must be unequal, heaps.
GAMES = (
    ("Kayles, 0.77", "0.77", False, 3000),
    ("0.16", "0.16", False, 4000),
    ("0.007", "0.007", False, 4000),
    ("Grundy's game", "4.0", True, 5000),
)


def plain(code: Code, count: int) -> list[int]:
    """The definition, heap by heap: the mex of what its moves leave."""
    values: list[int] = []
    for heap in range(count):
        reached = set()
        for left in code.moves(heap):
            value = 0
            for part in left:
                value ^= values[part]
            reached.add(value)
        value = 0
        while value in reached:
            value += 1
        values.append(value)
    return values


def ours(code: Code, count: int) -> list[int]:
    return NimSequence(code).values(count)


def without_numpy(code: Code, count: int) -> list[int]:
    with mock.patch.object(octal_values, "numpy", lambda: None):
        return NimSequence(code).values(count)


def section(say: Callable[[str], None]) -> Section:
    table = Table(("CPU seconds", "heaps", "plain recursion", "ours", "x", "ours with numpy", "x"))
    goals = []
    for name, text, unequal, count in GAMES:
        code = Code(text, unequal=unequal)
        runs = {"plain": partial(plain, code, count), "ours": partial(without_numpy, code, count)}
        if octal_values.numpy():
            runs["numpy"] = partial(ours, code, count)
        if len({tuple(run()) for run in runs.values()}) > 1:
            raise AssertionError(f"the values of {name} differ")
        taken = side_by_side(runs, ROUNDS)
        base = taken["plain"]
        row = [name, f"{count:,}", base.median]
        for one in list(taken.values())[1:]:
            ratio = base.over(one)
            row += [one.median, ratio.median]
        table.rows.append(row + ["-"] * (len(table.heads) - len(row)))
        goals.append(
            Goal(
                f"nim-sequence of {name}, how much faster than the plain recursion",
                f"{number(WANTED)} or more",
                number(ratio.median),
                ratio.reaches(WANTED),
                "it has many rare values, and numpy is not installed",
                ratio,
            )
        )
        say(f"sequences: {name}")
    about = (
        "The Grundy values of single heaps. The plain recursion looks at all splits of each heap; "
        "ours at those with a rare value and at a few others, and it stops where a period is "
        "proved. With numpy it looks at all splits in games with many rare values. All have "
        "found the same values; otherwise this page is not written."
    )
    return Section("Nim-sequences", [about, table], goals)
