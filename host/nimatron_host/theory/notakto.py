"""Notakto: noughts and crosses with crosses only, on one board or several."""

from collections.abc import Iterator
from functools import cache

from nimatron_host.theory.boxes import LAMPS
from nimatron_host.theory.search import NOTHING, Searched

_LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
_CELLS = range(9)


Boards = tuple[int, ...]


class Notakto(Searched[Boards]):
    """A position is a tuple of the unfinished boards, each as a mask of its crosses."""

    sentence = "Put a cross on a board. Three in a row end that board."
    rules = ("misere", "normal")
    example = "x../.../... 2"
    drawn = True

    def options(self, position: Boards) -> Iterator[Boards]:
        for i, board in enumerate(position):
            ends = False
            for cell in _CELLS:
                after = board | 1 << cell
                if after != board and not _is_over(after):
                    yield (*position[:i], after, *position[i + 1 :])
                ends = ends or _is_over(after)
            if ends:
                yield (*position[:i], *position[i + 1 :])

    def parts(self, position: Boards) -> list[Boards]:
        return [(_turned(board),) for board in position]

    def size(self, position: Boards) -> int:
        return sum(len(_CELLS) - board.bit_count() for board in position)

    def words(self, position: Boards) -> str:
        boards = ["".join(".x"[board >> cell & 1] for cell in _CELLS) for board in position]
        return ",".join(f"{b[:3]}/{b[3:6]}/{b[6:]}" for b in boards) or NOTHING

    def parse_option(self, words: list[str]) -> Boards:
        boards = []
        for word in words:
            if len(word) == 1 and word.isdecimal():
                boards += [0] * int(word)
                continue
            if set(word) & set("oO"):
                raise ValueError(f"{word} has a nought. Here both players put crosses, so write x")
            cells = word.translate(LAMPS).replace("/", "")
            if len(cells) != len(_CELLS) or set(cells) - {"0", "1"}:
                raise ValueError(
                    f'"{word}" is not a board. Draw one such as x../.x./..., or write how many '
                    "empty ones there are"
                )
            boards.append(sum(1 << cell for cell in _CELLS if cells[cell] == "1"))
        return tuple(board for board in boards if not _is_over(board))


@cache
def _is_over(board: int) -> bool:
    return any(board & line == line for line in _LINES)


@cache
def _turned(board: int) -> int:
    """Return the least of the eight turned and mirrored images of a board."""
    seen, rows = [], [[board >> 3 * row + column & 1 for column in range(3)] for row in range(3)]
    for _ in range(4):
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
        for some in (rows, rows[::-1]):
            seen.append(sum(cell << n for n, cell in enumerate(some[0] + some[1] + some[2])))
    return min(seen)
