"""Tables of the board games.

Positions are worked through in ascending order. Every move makes the number smaller, so the result
of each position follows from earlier ones.
"""

from collections.abc import Callable, Iterator

from nimatron.board import LAMPS, ROWS
from nimatron.games.nim_2d import PIECE
from nimatron.games.tables import Partitions

_LAMPS = ROWS * LAMPS
Heaps = tuple[int, ...]


def tables() -> dict[str, tuple[str, dict[str, bytes | tuple[bytes, ...]]]]:
    """By module name: a sentence about the table, and its constants."""
    found: dict[str, tuple[str, dict[str, bytes | tuple[bytes, ...]]]] = {
        "kayles": (
            "Kayles, runs of lamps in a row of 28.",
            {
                "NIMBERS": _nimbers(_LAMPS, _taking(1, 2)),
                "MISERE": _partitions(2, _LAMPS + 1, _dark_after(_taking(1, 2))),
            },
        ),
        "circular": (
            "Circular nim, runs left of a ring of 28.",
            {
                "NIMBERS": _nimbers(_LAMPS - 1, _taking(1, 2, 3)),
                "MISERE": _partitions(2, _LAMPS, _dark_after(_taking(1, 2, 3))),
            },
        ),
        "grundy": (
            "Grundy's game, 28 in heaps of 3 and more.",
            {"MISERE": _partitions(3, _LAMPS, _splitting)},
        ),
    }
    lost: dict[str, bytes | tuple[bytes, ...]] = {}
    for rows, columns in ((3, 3), (3, 4), (4, 4)):
        for rule in ("misere", "normal"):
            table = _boards(_lines(rows, columns), rule == "misere")
            pieces = tuple([table[at : at + PIECE] for at in range(0, len(table), PIECE)])
            lost[f"LOST_{rows}X{columns}_{rule.upper()}"] = pieces
    found["nim_2d"] = "Two-dimensional nim, by size and rule.", lost
    return found


# ---------------------------------------------------------------------- boards

Pieces = list[int]  # masks. A move takes one away


def _boards(pieces: Pieces, misere: bool) -> bytes:
    """A bit for each board, 1 if the mover loses."""
    size = max(pieces).bit_length()
    lost = bytearray(1 << size)
    for board in range(1 << size):
        options = [board ^ piece for piece in pieces if board & piece == piece]
        lost[board] = not any(lost[option] for option in options) if options else not misere
    return _bits(1 << size, (board for board, p in enumerate(lost) if p))


def _lines(rows: int, columns: int) -> Pieces:
    """All groups of neighbours in one row or one column. The board's bits are in reading order."""
    across = [[row * columns + column for column in range(columns)] for row in range(rows)]
    return sorted(
        {
            sum(1 << square for square in line[first : last + 1])
            for line in [*across, *map(list, zip(*across, strict=True))]
            for first in range(len(line))
            for last in range(first, len(line))
        }
    )


# ---------------------------------------------------------------------- sums of heaps

Moves = Callable[[int], Iterator[Heaps]]  # the remains of one heap after a move


def _taking(*lengths: int) -> Moves:
    """Take so many neighbours out of a run. The gap stays."""

    def moves(run: int) -> Iterator[Heaps]:
        for length in lengths:
            for before in range(run - length + 1):
                yield tuple(n for n in (before, run - length - before) if n)

    return moves


def _splitting(heap: int) -> Iterator[Heaps]:
    """Split a heap into two unequal ones."""
    for smaller in range(1, (heap + 1) // 2):
        yield smaller, heap - smaller


def _dark_after(moves: Moves) -> Moves:
    """The same moves if each run includes the dark lamp after it."""
    return lambda part: (tuple(n + 1 for n in left) for left in moves(part - 1))


def _nimbers(largest: int, moves: Moves) -> bytes:
    """The Grundy value of each heap from 0 on."""
    values: list[int] = []
    for heap in range(largest + 1):
        reached = set()
        for left in moves(heap):
            value = 0
            for n in left:
                value ^= values[n]
            reached.add(value)
        values.append(min(set(range(len(reached) + 1)) - reached))
    return bytes(values)


def _partitions(least: int, most: int, moves: Moves) -> bytes:
    """A bit for each multiset of heaps, 1 if the mover loses in misère play. A heap smaller than
    `least` has no move and is omitted."""
    left_of = [
        [tuple(n for n in left if n >= least) for left in moves(n)] for n in range(most + 1)
    ]
    lost: dict[Heaps, bool] = {}
    for heaps in sorted(_multisets(least, most), key=_before):
        lost[heaps] = any(heaps) and not any(
            lost[tuple(sorted((*heaps[:i], *left, *heaps[i + 1 :])))]
            for i, heap in enumerate(heaps)
            if heap not in heaps[:i]
            for left in left_of[heap]
        )
    numbers = Partitions(least, most)
    return _bits(numbers.size, (numbers.rank(heaps) for heaps, p in lost.items() if p))


def _before(heaps: Heaps) -> tuple[int, int]:
    """The sort key of an order in which every move leads backwards, whether it takes lamps or
    splits a heap."""
    return sum(heaps), -len(heaps)


def _multisets(least: int, most: int) -> Iterator[Heaps]:
    """Every sorted tuple of numbers from `least` up whose sum is at most `most`."""
    unfinished: list[Heaps] = [()]
    while unfinished:
        heaps = unfinished.pop()
        yield heaps
        for n in range(heaps[-1] if heaps else least, most - sum(heaps) + 1):
            unfinished.append((*heaps, n))


def _bits(size: int, ones: Iterator[int]) -> bytes:
    table = bytearray((size + 7) // 8)
    for number in ones:
        table[number >> 3] |= 1 << (number & 7)
    return bytes(table)
