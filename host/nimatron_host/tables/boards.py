"""Tables for the board games.

They are built from all positions in ascending order. Every move makes the number of a position
smaller, so its result follows from earlier results.
"""

from collections.abc import Callable, Iterator

from nimatron.board import LAMPS, ROWS
from nimatron.games.nim_2d import PIECE
from nimatron.games.tables import Partitions

_LAMPS = ROWS * LAMPS
Heaps = tuple[int, ...]


def tables() -> dict[str, tuple[str, dict[str, bytes | tuple[bytes, ...]]]]:
    """Return a sentence about each table and its constants, by the name of the module."""
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

Pieces = list[int]  # masks of lamps. A move takes one of them


def _boards(pieces: Pieces, misere: bool) -> bytes:
    """Return a bit for each board, which is 1 if the mover loses."""
    size = max(pieces).bit_length()
    lost = bytearray(1 << size)
    for board in range(1 << size):
        options = [board ^ piece for piece in pieces if board & piece == piece]
        lost[board] = not any(lost[option] for option in options) if options else not misere
    return _bits(1 << size, (board for board, p in enumerate(lost) if p))


def _lines(rows: int, columns: int) -> Pieces:
    """Return all groups of neighbours in a row or column. The bits are in reading order."""
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
    """Return the moves that take one of `lengths` neighbours out of a run. The gap stays."""

    def moves(run: int) -> Iterator[Heaps]:
        for length in lengths:
            for before in range(run - length + 1):
                yield tuple(n for n in (before, run - length - before) if n)

    return moves


def _splitting(heap: int) -> Iterator[Heaps]:
    """Yield the results of splitting a heap into two unequal heaps."""
    for smaller in range(1, (heap + 1) // 2):
        yield smaller, heap - smaller


def _dark_after(moves: Moves) -> Moves:
    """Return the same moves for runs that include the dark lamp after them."""
    return lambda part: (tuple(n + 1 for n in left) for left in moves(part - 1))


def _nimbers(largest: int, moves: Moves) -> bytes:
    """Return the Grundy value of each heap, from 0 to `largest`."""
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
    """Return a bit for each multiset of heaps, which is 1 if the mover loses in misère play. A
    heap smaller than `least` has no move and is omitted."""
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
    """Return the sort key for an order in which every move leads backwards, whether it takes lamps
    or splits a heap."""
    return sum(heaps), -len(heaps)


def _multisets(least: int, most: int) -> Iterator[Heaps]:
    """Yield every sorted tuple of numbers that are at least `least`, with a sum of at most
    `most`."""
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
