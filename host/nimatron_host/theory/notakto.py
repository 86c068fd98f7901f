"""Notakto: noughts and crosses with crosses only, on one board or several."""

from collections.abc import Iterator
from functools import cache

from nimatron_host.theory.boxes import LAMPS, Box
from nimatron_host.theory.search import NOTHING, Searched

LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
_CELLS = range(9)
_BOARD = Box("3x3", "")

# The misère quotient. A board is worth a product of letters. The boards are in octal, as `_turned`
# returns them.
_WORTH = {
    "": "1 2 142",
    "a": "12 15 25 33 34 50 53 104 141 146 154 163 252 255 345 356 505",
    "b": "5 13 14 21 22 35 36 52 55 143 145 156 161 162 253",
    "ab": "23 32 105 116 152",
    "c": "0",
    "cc": "20",
    "d": "16 51 106",
    "ad": "3",
}
_LETTERS = {int(board, 8): word for word, boards in _WORTH.items() for board in boards.split()}
_LOST = ("a", "bb", "bc", "cc")

Boards = tuple[int, ...]


class Notakto(Searched[Boards]):
    """A position is a tuple of the unfinished boards, each as a mask of its crosses."""

    sentence = "Put a cross on a board. Three in a row end that board."
    rules = ("misere", "normal")
    example = "x../.../... 2"
    drawn = True
    finite = True

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

    def is_p(self, position: Boards, misere: bool) -> bool:
        return worth(position) in _LOST if misere else super().is_p(position, False)

    def known(self, position: Boards, misere: bool) -> tuple[str, str]:
        """Return the method that solves the position, and its theory."""
        if not misere:
            return self.solved, self.theory
        return "rule", (
            "Plambeck and Whitehead 2013: in the misère quotient of 18 elements, these boards are "
            f"worth {worth(position) or 1}. Only {', '.join(_LOST[:-1])} and {_LOST[-1]} are lost."
        )

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


def worth(position: Boards) -> str:
    """Return the product of the boards in its shortest form. Here aa = 1, bbb = b, bbc = c,
    bbd = d, ccc = acc, cd = ad and dd = cc."""
    letters = "".join(_LETTERS[_turned(board)] for board in position)
    a, b, c, d = map(letters.count, "abcd")
    c, d = c + d // 2 * 2, d % 2
    least = 0 if d else 2
    if c > least:
        a, c = a + c - least, least
    if b > 2 or c or d:
        b = b % 2 if c or d else 2 - b % 2
    return "a" * (a % 2) + "b" * b + "c" * c + "d" * d


@cache
def _is_over(board: int) -> bool:
    return any(board & line == line for line in LINES)


@cache
def _turned(board: int) -> int:
    """Return the smallest of the turned and mirrored images of a board."""
    return min(_BOARD.images(board))
