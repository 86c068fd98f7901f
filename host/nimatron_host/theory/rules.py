"""Rule sets with a PC's limits, next to those of the firmware, which they extend or replace."""

import re
from collections.abc import Callable, Iterator
from math import isqrt

from nimatron import bouton, games
from nimatron.games.fibonacci import Fibonacci
from nimatron.games.game import Game
from nimatron.games.nim import Nim
from nimatron.games.square import Square
from nimatron.games.subtraction import Counting, Subtraction
from nimatron.games.wythoff import Wythoff
from nimatron.protocol import whole_number
from nimatron_host.theory import in_words
from nimatron_host.theory.boxes import Box
from nimatron_host.theory.corners import Corners
from nimatron_host.theory.graphs import Cliques, Hackenbush, Poset
from nimatron_host.theory.index import Index
from nimatron_host.theory.misere import Misere
from nimatron_host.theory.notakto import Notakto
from nimatron_host.theory.octal_codes import Code, Heaps
from nimatron_host.theory.octal_values import NimSequence
from nimatron_host.theory.search import NO_MOVE

_DIGITS = 4000  # in a typed number. Python reads up to 4300
_LARGEST = {1: 100_000, 2: 100_000, 3: 1000}  # heap, by the splits of the code
_UNEQUAL = 20_000  # the same in Grundy's game
_HEAPS = 1000

# The games of a code that have a name.
NAMED = {
    "kayles": ("0.77", "Knock down one pin of a row, or two neighbours."),
    "dawsons-kayles": ("0.07", "Take two neighbours of a row. Gaps do not close."),
    "dawsons-chess": (
        "0.137",
        "Take a piece of a row, with its neighbours. Gaps do not close.",
    ),
}

# Games that 28 lamps cannot show.
LARGER: dict[str, Callable[[], Game]] = {
    "say-100": lambda: Say100(),
    "poset": Poset,
    "graph": Corners,
    "graph-nim": lambda: Cliques("Remove a point, or several if each two are joined.", 1, 99),
    "graph-kayles": lambda: Cliques("Remove one point, or two that are joined.", 1, 2),
    "arc-kayles": lambda: Cliques("Remove two points that are joined.", 2, 2),
    "hackenbush": Hackenbush,
    "notakto": Notakto,
}

# Families: how to name one, its rules, an example.
FAMILIES = {
    "subtraction": (
        "subtraction-K, subtraction-A,B,C",
        "take up to K lamps of one heap, or one of these numbers",
        "subtraction-1,3,4 10 7",
    ),
    "octal": (
        "octal-CODE",
        "take from a heap and perhaps split it in two, by an octal code",
        "octal-0.77 5 2",
    ),
    "hexadecimal": (
        "hexadecimal-CODE",
        "the same with splits into three, digits 0 to F",
        "hexadecimal-0.F 9",
    ),
    "index": (
        "index-K, index-K-R",
        "take from up to K heaps at once, with the second number at most R lamps of each",
        "index-3-2 1 1 1 1 3",
    ),
    "circular": (
        "circular-N",
        "a ring of N lamps, up to three neighbours at a time; N is the full ring",
        "circular-10 10",
    ),
    "nim-2d": (
        "nim-2d-AxB, nim-3d-AxBxC, ...",
        "a box of lamps of any dimension, any number of neighbours in a line at a time",
        "nim-3d-2x2x3 full",
    ),
    "cram": (
        "cram-AxB, cram-L-AxB",
        "the same, two neighbours at a time, or L",
        "cram-3x4 full",
    ),
}


def find(name: str) -> Game | None:
    """The rule set of this name with a PC's limits, or None. Raises ValueError if the name is a
    family's, but its numbers are wrong."""
    family, hyphen, rest = name.partition("-")
    box = _BOX.fullmatch(name)
    game: Game
    if name in _LARGE:
        game = _LARGE[name]()
    elif name in LARGER:
        game = LARGER[name]()
    elif name in NAMED:
        code, sentence = NAMED[name]
        game = Codes(Code(code), sentence)
    elif box and name not in games.names():
        game = _nim_on_a_box(*box.groups())
    elif family in _MAKE and hyphen:
        game = _MAKE[family](rest)
    else:
        return None
    game.name = name
    return game


# ---------------------------------------------------------------------- codes


class Codes(Game):
    """A game of a code. A position is a tuple of heaps, all of them 1 or more."""

    last, last_done = "makes the last move", "made the last move"
    solved = "nimbers"
    theory = (
        "Guy and Smith 1956: each heap is worth a heap of Nim. In misère play the game is solved "
        "by Nim's misère rule while it is tame, and by search after that."
    )
    example = "3 4 5"

    def __init__(self, code: Code, sentence: str = "") -> None:
        self.code = code
        self.sequence = NimSequence(code)
        self.misere = Misere(code)
        self.largest = _UNEQUAL if code.unequal else _LARGEST[code.splits]
        self.sentence = sentence or (
            f"Take from one heap what {code.text} allows, and leave what it allows."
        )

    def options(self, position: Heaps) -> Iterator[Heaps]:
        for i, heap in enumerate(position):
            if heap not in position[:i]:
                for left in self.code.moves(heap):
                    yield position[:i] + left + position[i + 1 :]

    def is_p(self, position: Heaps, misere: bool) -> bool:
        if misere:
            return self.misere.is_p(position)
        return not self.grundy(position)

    def grundy(self, position: Heaps) -> int:
        total = 0
        for heap in position:
            total ^= self.sequence.value(heap)
        return total

    def winning_options(self, position: Heaps, misere: bool) -> list[Heaps]:
        if misere:
            return super().winning_options(position, misere)
        total, found = self.grundy(position), []
        for i, heap in enumerate(position):
            if heap not in position[:i]:
                wanted = total ^ self.sequence.value(heap)
                for left in self.code.moves(heap):
                    if self.grundy(left) == wanted:
                        found.append(position[:i] + left + position[i + 1 :])
        return found

    def known(self, position: Heaps, misere: bool) -> tuple[str, str]:
        """How this position is solved, and the theory behind it."""
        if not misere:
            period = self.sequence.period
            return "nimbers", (
                "Guy and Smith 1956: each heap is worth a heap of Nim"
                + (f", here with {period}." if period else ".")
            )
        if self.misere.is_tame(position):
            return (
                "rule",
                "The game is tame up to this size: the values decide by Nim's misère rule.",
            )
        return "search", "In misère play a complete search decides."

    # ------------------------------------------------------------------ as people know them

    def size(self, position: Heaps) -> int:
        return sum(position)

    def words(self, position: Heaps) -> str:
        return ",".join(map(str, position)) or "0"

    def parse(self, words: list[str]) -> Heaps:
        position = self.parse_option(words)
        if self.over(position):
            raise ValueError(NO_MOVE)
        return position

    def parse_option(self, words: list[str]) -> Heaps:
        heaps = [whole_number(word, _DIGITS) for word in words]
        if len(heaps) > _HEAPS:
            raise ValueError(f"{len(heaps)} heaps, at most {_HEAPS}")
        for heap in heaps:
            if not 0 <= heap <= self.largest:
                raise ValueError(f"a heap of {heap}, a heap of this game has 0 to {self.largest}")
        return tuple(heap for heap in heaps if heap)


class Grundy(Codes):
    """Grundy's game: nothing is taken, and a heap is split into two unequal ones."""

    last, last_done = "makes the last cut", "made the last cut"

    def __init__(self) -> None:
        super().__init__(Code("4.0", unequal=True), "Split one heap into two of different sizes.")

    def known(self, position: Heaps, misere: bool) -> tuple[str, str]:
        solved, theory = super().known(position, misere)
        return solved, theory.replace("Guy and Smith 1956", "P. M. Grundy 1939")


class Circular(Codes):
    """A ring of `lamps`. From the first move on, rows of octal 0.777. The full ring is written as
    a heap of that size, which no row of a broken ring has."""

    _MOST = 3

    def __init__(self, lamps: str) -> None:
        self.example = lamps
        super().__init__(
            Code("0.777"),
            "Put out one, two or three neighbours of the ring. Gaps do not close.",
        )
        self._lamps = self.largest = _number(lamps, 1, self.largest)

    def options(self, position: Heaps) -> Iterator[Heaps]:
        if position == (self._lamps,):
            return ((left,) * (left > 0) for left in self._broken())
        return super().options(position)

    def is_p(self, position: Heaps, misere: bool) -> bool:
        if position == (self._lamps,):
            return not any(self.is_p(option, misere) for option in self.options(position))
        return super().is_p(position, misere)

    def grundy(self, position: Heaps) -> int:
        if position != (self._lamps,):
            return super().grundy(position)
        values = {self.sequence.value(left) for left in self._broken()}
        return next(value for value in range(len(values) + 1) if value not in values)

    def winning_options(self, position: Heaps, misere: bool) -> list[Heaps]:
        if position == (self._lamps,):
            return Game.winning_options(self, position, misere)
        return super().winning_options(position, misere)

    def _broken(self) -> list[int]:
        return [self._lamps - take for take in range(1, min(self._MOST, self._lamps) + 1)]

    def parse_option(self, words: list[str]) -> Heaps:
        rows = super().parse_option(words)
        if rows != (self._lamps,) and sum(rows) + len(rows) > self._lamps:
            raise ValueError(
                f"a ring of {self._lamps} has no room for these rows and a gap after each"
            )
        return rows


# ---------------------------------------------------------------------- large numbers


class LargeNim(Nim):
    heaps = (1, _HEAPS)

    def parse_option(self, words: list[str]) -> Heaps:
        heaps = tuple(whole_number(word, _DIGITS) for word in words)
        self._check(heaps, self.most)
        return heaps


class LargeSubtraction(Subtraction):
    heaps = (1, _HEAPS)
    theory = in_words.PLAIN["theory.subtraction-3"]

    def __init__(self, most: str) -> None:
        super().__init__(_number(most, 1, 10**9))
        self.sentence = f"Put out 1 to {self._k} lamps, all in one heap."

    parse_option = LargeNim.parse_option

    def winning_options(self, position: Heaps, misere: bool) -> list[Heaps]:
        """A move can change a remainder to any other. Only two of them can be right."""
        found = []
        for row, heap in enumerate(position):
            others = bouton.nim_sum(self._residues(position[:row] + position[row + 1 :]))
            for residue in (others, others ^ 1):
                take = (heap - residue) % (self._k + 1)
                option = (*position[:row], heap - take, *position[row + 1 :])
                if residue <= self._k and 0 < take <= heap and self.is_p(option, misere):
                    found.append(option)
        return found


class Say100(Counting):
    sentence = "Take turns counting to 100, 1 to 10 numbers at a time."
    theory = in_words.PLAIN["theory.say-21"]
    example = "28"

    def __init__(self) -> None:
        super().__init__(100, 10)


class LargeWythoff(Wythoff):
    most: int | None = None  # type: ignore[assignment]  # the firmware has a limit

    parse_option = LargeNim.parse_option

    def winning_options(self, position: Heaps, misere: bool) -> list[Heaps]:
        """The P-positions with the same number in one heap, or with the same difference."""
        a, b = position
        found: list[Heaps] = []
        if (other := _partner(a, misere)) < b:
            found.append((a, other))
        if (other := _partner(b, misere)) < a:
            found.append((other, b))
        least = _pair(abs(a - b), misere)
        if least < min(a, b):
            found.append((a - min(a, b) + least, b - min(a, b) + least))
        return found


class LargeFibonacci(Fibonacci):
    most: int | None = None  # type: ignore[assignment]  # the firmware has a limit

    def parse_option(self, words: list[str]) -> Heaps:
        said = " ".join(words).split(":")
        n = whole_number(said[0].strip(), _DIGITS)
        limit = whole_number(":".join(said[1:]).strip(), _DIGITS) if len(said) > 1 else n - 1
        if n < 0 or (limit < 0 and n):
            raise ValueError(f"{n} lamps, of which {limit} may be taken")
        return n, max(min(limit, n), 0)

    def winning_options(self, position: Heaps, misere: bool) -> list[Heaps]:
        """Only what is the sum of the smallest Fibonacci parts can be right to take: what is left
        must have no part of up to twice as much."""
        n, limit = position
        found: list[Heaps] = []
        take = 0
        for part in _fibonacci_parts(n - misere):
            take += part
            if take > limit:
                break
            option = (n - take, min(2 * take, n - take))
            if self.is_p(option, misere):
                found.append(option)
        return found


class LargeSquare(Square):
    most = 100_000
    heaps = (1, _HEAPS)
    sentence = "Put out a square number of lamps, all in one heap: 1, 4, 9, 16, 25 and so on."

    def _worth(self, position: Heaps) -> list[int]:
        values = self._nimbers
        squares: list[int] = []
        for n in range(len(values), max(position) + 1):
            while (len(squares) + 1) ** 2 <= n:
                squares.append((len(squares) + 1) ** 2)
            others = {values[n - square] for square in squares}
            values.append(next(v for v in range(len(others) + 1) if v not in others))
        return [values[n] for n in position]


def _pair(difference: int, misere: bool) -> int:
    """The smaller number of the P-position with this difference."""
    if misere and difference < 2:
        return 0 if difference else 2
    return (difference + isqrt(5 * difference * difference)) // 2


def _partner(n: int, misere: bool) -> int:
    """The other number of the P-position in which n occurs."""
    if misere and n < 3:
        return (1, 0, 2)[n]
    d = (isqrt(5 * n * n) - n) // 2  # n divided by the golden ratio, rounded down
    for difference in (d, d + 1):
        if _pair(difference, False) == n:
            return n + difference
    d = (3 * n - isqrt(5 * n * n) - 1) // 2  # n divided by its square
    for difference in (d, d + 1):
        if _pair(difference, False) + difference == n:
            return n - difference
    raise AssertionError(f"{n} occurs in no pair")


def _fibonacci_parts(n: int) -> list[int]:
    """The Fibonacci numbers whose sum is n, no two of them neighbours, ascending."""
    numbers = [1, 2]
    while numbers[-1] <= n:
        numbers.append(numbers[-1] + numbers[-2])
    parts = []
    for number in reversed(numbers):
        if number <= n:
            parts.append(number)
            n -= number
    return parts[::-1]


# ---------------------------------------------------------------------- families


def _number(text: str, least: int, most: int) -> int:
    number = whole_number(text)
    if not least <= number <= most:
        raise ValueError(f"{number} is out of range: {least} to {most}")
    return number


def _subtraction(rest: str) -> Game:
    if "," not in rest:
        return LargeSubtraction(rest)
    takes = sorted({_number(text, 1, 40) for text in rest.split(",")})
    digits = "".join("3" if k in takes else "0" for k in range(1, takes[-1] + 1))
    numbers = ", ".join(map(str, takes[:-1])) + f" or {takes[-1]}"
    return Codes(Code(f"0.{digits}"), f"Put out {numbers} lamps, all in one heap.")


def _nim_on_a_box(dimensions: str, sides: str) -> Game:
    if len(sides.split("x")) != int(dimensions):
        raise ValueError(f"{sides} has not {dimensions} sides")
    return Box(sides, "Put out one or more neighbours of one line. Gaps do not close.")


def _cram(rest: str) -> Game:
    length, hyphen, sides = rest.rpartition("-")
    if not hyphen:
        return Box(sides, "Put out two neighbours. Gaps do not close.", (2,))
    count = _number(length, 1, 16)
    sentence = f"Put out {count} neighbours of one line. Gaps do not close."
    return Box(sides, sentence, (count,))


_BOX = re.compile(r"nim-(\d)d-(\d+(?:x\d+)*)")
_LARGE: dict[str, Callable[[], Game]] = {
    "nim": LargeNim,
    "wythoff": LargeWythoff,
    "fibonacci": LargeFibonacci,
    "square": LargeSquare,
    "grundy": Grundy,
}
_MAKE: dict[str, Callable[[str], Game]] = {
    "subtraction": _subtraction,
    "octal": lambda code: Codes(Code(code)),
    "hexadecimal": lambda code: Codes(Code(code, most=15)),
    "index": Index,
    "circular": Circular,
    "cram": _cram,
}
