"""The rule sets that exist only on a PC, and the firmware's rule sets with larger positions."""

import re
from collections.abc import Callable, Iterator

from nimatron import bouton
from nimatron.games.game import Game
from nimatron.protocol import whole_number
from nimatron_host.theory import large_heaps, time_limit
from nimatron_host.theory.boxes import Box
from nimatron_host.theory.graphs import Cliques, Graph, Hackenbush, Poset
from nimatron_host.theory.large_heaps import DIGITS, HEAPS, Heaps, in_range
from nimatron_host.theory.moore import Index
from nimatron_host.theory.notakto import Notakto
from nimatron_host.theory.octal import Code, NimSequence
from nimatron_host.theory.search import Searched

# Octal codes with a name.
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
    "poset": Poset,
    "graph": Graph,
    "graph-nim": lambda: Cliques("Remove a point, or several if each two are joined.", 1, 99),
    "graph-kayles": lambda: Cliques("Remove one point, or two that are joined.", 1, 2),
    "arc-kayles": lambda: Cliques("Remove two points that are joined.", 2, 2),
    "hackenbush": Hackenbush,
    "notakto": Notakto,
}

# Families of games: the form of a name, the rules, an example.
FAMILIES = {
    "say": (
        "say-N, say-N-K",
        "count to N, 1 to K numbers at a time; K is 3 if omitted, or 5 to 34 and 10 to 100",
        "say-100 said 89",
    ),
    "subtraction": (
        "subtraction-K, subtraction-A,B,C",
        "take up to K lamps of one heap, or one of these numbers, such as subtraction-10,",
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
        "nim-2d-AxB, nim-3d-AxBxC",
        "a box of lamps, any number of neighbours in a line at a time",
        "nim-3d-2x2x3 full",
    ),
    "cram": (
        "cram-AxB",
        "the same, two neighbours at a time",
        "cram-3x4 full",
    ),
}


def find(name: str) -> Game | None:
    """Return the rule set called `name` with a PC's limits, or None. Raises ValueError for a
    family's name with wrong numbers."""
    family, hyphen, rest = name.partition("-")
    box = _BOX.fullmatch(name)
    game: Game
    if name in _LARGE:
        game = _LARGE[name]()
    elif name in LARGER:
        game = LARGER[name]()
    elif name in NAMED:
        code, sentence = NAMED[name]
        game = (Kayles if name == "kayles" else Codes)(Code(code), sentence)
    elif box:
        game = _nim_on_a_box(*box.groups())
    elif family in _MAKE and hyphen:
        game = _MAKE[family](rest)
    else:
        return None
    game.name = name
    return game


# ---------------------------------------------------------------------- codes


class Codes(Searched[Heaps]):
    """A game that a code defines. A position is a tuple of heaps, without empty heaps."""

    solved = "nimbers"
    theory = (
        "Guy and Smith 1956: each heap is worth a heap of Nim. In misère play the game is solved "
        "by Nim's misère rule while it is tame, and by search after that."
    )
    example = "3 4 5"
    partial = False  # True if the last call of `reaching` omitted options that repeat others

    def __init__(self, code: Code, sentence: str = "") -> None:
        super().__init__()
        self.code = code
        self.sequence = NimSequence(code)
        self.sentence = sentence or (
            f"Take from one heap what {code.text} allows, and leave what it allows."
        )

    def options(self, position: Heaps) -> Iterator[Heaps]:
        for i, heap in enumerate(position):
            if heap not in position[:i]:
                for left in self.code.moves(heap):
                    yield position[:i] + left + position[i + 1 :]

    def parts(self, position: Heaps) -> list[Heaps]:
        """Return the heaps from which a move is possible. The other heaps change nothing."""
        return [(heap,) for heap in position if any(True for _ in self.code.moves(heap))]

    def value_of(self, part: Heaps) -> int:
        return self.sequence.value(part[0])

    def is_p(self, position: Heaps, misere: bool) -> bool:
        if misere:
            self.is_tame(max(position, default=0))
        return super().is_p(position, misere)

    def is_tame(self, largest: int) -> bool:
        """Return True if the theorem on tame games holds up to this heap."""
        return all(self.search.label((heap,)) is not None for heap in range(1, largest + 1))

    def winning_options(self, position: Heaps, misere: bool) -> Iterator[Heaps]:
        return super().winning_options(position, True) if misere else self.reaching(position, 0)

    def reaching(self, position: Heaps, value: int) -> Iterator[Heaps]:
        """Yield the options with this Grundy value. If a heap is far into the period, some splits
        are omitted, because they repeat the values of other splits."""
        value ^= self.grundy(position)
        worth, period = self.sequence.value, self.sequence.period
        most = period.start + 2 * period.length if period and self.code.splits < 3 else None
        self.partial = most is not None and max(position) > 3 * most
        for i, heap in enumerate(position):
            if heap not in position[:i]:
                wanted = value ^ worth(heap)
                for left in self.code.moves(heap, most if self.partial else None):
                    time_limit.check(self.sequence.so_far)
                    if bouton.nim_sum(map(worth, left)) == wanted:
                        yield position[:i] + left + position[i + 1 :]

    def known(self, position: Heaps, misere: bool) -> tuple[str, str]:
        """Return the method that solves this position, and its theory."""
        if not misere:
            period = self.sequence.period
            return "nimbers", (
                "Guy and Smith 1956: each heap is worth a heap of Nim"
                + (f", here with {period}." if period else ".")
            )
        if self.search.label(position) is not None:
            return (
                "rule",
                "The game is tame up to this size: the values decide by Nim's misère rule.",
            )
        return "search", Searched.theory

    # ------------------------------------------------------------------ as people know them

    def size(self, position: Heaps) -> int:
        return sum(position)

    def words(self, position: Heaps) -> str:
        return ",".join(map(str, position)) or "0"

    def parse_option(self, words: list[str]) -> Heaps:
        heaps = [whole_number(word, DIGITS) for word in words]
        if len(heaps) > HEAPS:
            raise ValueError(f"{len(heaps)} heaps, at most {HEAPS}")
        if min(heaps) < 0:
            raise ValueError(f"a heap of {min(heaps)}, a heap has 0 or more")
        return tuple(heap for heap in heaps if heap)


class Kayles(Codes):
    """Kayles. In misère play, the rule of Sibert and Conway (1992) gives the winner."""

    finite = True

    def is_p(self, position: Heaps, misere: bool) -> bool:
        return (self.grundy(position) == 0) != (misere and self._differs(position))

    def _differs(self, position: Heaps) -> bool:
        """Return True if normal and misère play have different winners, as in special rows."""
        rows = [heap for heap in position if heap]

        def number(*some: int) -> int:
            return sum(map(rows.count, some))

        few, fours = number(1, 4), number(9, 12, 17)
        if few + number(5) == len(rows):
            return number(5) % 2 == 0 or few % 2 == 1
        ones, late = number(1, 4, 20), number(25)
        if ones + fours + late == len(rows) and late < 2 and fours % 2 == 0:
            return not late or ones % 2 == 1
        if few + number(9) + late == len(rows) and late < 2:
            return number(9) % 2 == 1 and few % 2 == late
        return few % 2 == 0 and number(12) == 1 and few + 1 == len(rows)

    def known(self, position: Heaps, misere: bool) -> tuple[str, str]:
        if not misere:
            return super().known(position, misere)
        return "rule", "Sibert and Conway 1992: the values decide, except for a few special rows."


class Grundy(Codes):
    """Grundy's game: a move takes nothing, and splits a heap into two unequal heaps."""

    last = "make the last cut"

    def __init__(self) -> None:
        super().__init__(Code("4.0", unequal=True), "Split one heap into two of different sizes.")

    def known(self, position: Heaps, misere: bool) -> tuple[str, str]:
        solved, theory = super().known(position, misere)
        return solved, theory.replace("Guy and Smith 1956", "P. M. Grundy 1939")


class Circular(Codes):
    """A ring of `lamps`. The first move leaves a row of octal 0.777. A full ring is stored as one
    heap with all lamps, because no broken ring leaves such a large row."""

    _MOST = 3

    def __init__(self, lamps: str) -> None:
        self.example = lamps
        super().__init__(
            Code("0.777"),
            "Switch off one, two or three neighbours of the ring. Gaps do not close.",
        )
        self._lamps = in_range(lamps, 1, 10**6)

    def options(self, position: Heaps) -> Iterator[Heaps]:
        if position != (self._lamps,):
            return super().options(position)
        broken = (self._lamps - take for take in range(1, min(self._MOST, self._lamps) + 1))
        return ((left,) * (left > 0) for left in broken)

    def value_of(self, part: Heaps) -> int:
        if part != (self._lamps,):
            return super().value_of(part)
        return 0 if self._lamps > self._MOST else self._lamps  # 0 by copying in a mirror

    def is_tame(self, largest: int) -> bool:
        return super().is_tame(min(largest, self._lamps - 1))

    def reaching(self, position: Heaps, value: int) -> Iterator[Heaps]:
        if position != (self._lamps,):
            return super().reaching(position, value)
        return (option for option in self.options(position) if self.grundy(option) == value)

    def parse_option(self, words: list[str]) -> Heaps:
        rows = super().parse_option(words)
        if rows != (self._lamps,) and sum(rows) + len(rows) > self._lamps:
            raise ValueError(
                f"a ring of {self._lamps} has no room for these rows and a gap after each"
            )
        return rows


# ---------------------------------------------------------------------- families


def _subtraction(rest: str) -> Game:
    if "," not in rest:
        return large_heaps.LargeSubtraction(in_range(rest, 1, 10**9))
    takes = sorted({in_range(text, 1, 40) for text in rest.split(",") if text})
    digits = "".join("3" if k in takes else "0" for k in range(1, takes[-1] + 1))
    numbers = " or ".join([", ".join(map(str, takes[:-1])), str(takes[-1])][takes[1:] == [] :])
    return Codes(Code(f"0.{digits}"), f"Switch off {numbers} lamps, all in one heap.")


def _say(rest: str) -> Game:
    target, hyphen, most = rest.partition("-")
    n = in_range(target, 1, 10**9)
    k = in_range(most, 1, 10**9) if hyphen else _STEPS.get(n, 3)
    return large_heaps.LargeCounting(n, k)


def _nim_on_a_box(dimensions: str, sides: str) -> Game:
    if len(sides.split("x")) != int(dimensions):
        raise ValueError(f"{sides} does not have {dimensions} sides")
    return Box(sides, "Switch off one or more neighbours of one line. Gaps do not close.")


_BOX = re.compile(r"nim-([1-3])d-(\d+(?:x\d+)*)")
_LARGE: dict[str, Callable[[], Game]] = {
    "nim": large_heaps.LargeNim,
    "wythoff": large_heaps.LargeWythoff,
    "fibonacci": large_heaps.LargeFibonacci,
    "square": large_heaps.LargeSquare,
    "greedy": large_heaps.LargeGreedy,
    "same-number": large_heaps.LargeSameNumber,
    "chomp": large_heaps.LargeChomp,
    "building": large_heaps.LargeBuilding,
    "candy": large_heaps.LargeCandy,
    "grundy": Grundy,
}
_STEPS = {34: 5, 100: 10}  # the usual steps to these targets
_MAKE: dict[str, Callable[[str], Game]] = {
    "say": _say,
    "subtraction": _subtraction,
    "octal": lambda code: Codes(Code(code)),
    "hexadecimal": lambda code: Codes(Code(code, most=15)),
    "index": Index,
    "circular": Circular,
    "cram": lambda sides: Box(sides, "Switch off two neighbours. Gaps do not close.", (2,)),
}
