"""`nimatron table`: the positions of a game, with outcomes, Grundy values and winning moves."""

import csv
import io
import json
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property, partial
from itertools import combinations_with_replacement
from typing import Any

from nimatron.games.boards import BoardGame
from nimatron.games.building import Building
from nimatron.games.chomp import Chomp
from nimatron.games.fibonacci import Fibonacci
from nimatron.games.game import Game
from nimatron.games.subtraction import Subtraction
from nimatron_host.theory import english, time_limit
from nimatron_host.theory.large_heaps import HEAPS
from nimatron_host.theory.moore import Index
from nimatron_host.theory.octal import OEIS, Period
from nimatron_host.theory.rules import Circular, Codes
from nimatron_host.theory.search import Search, Searched

Position = tuple[int, ...]

_COLUMNS = 79
_FIXED = "\x01"  # a space where no line may break
_MOST = {1: 99, 2: 20, 3: 9}  # the default for the largest heap, by the number of heaps
_SMALL = 7
_WITH_MOVES = 1000  # positions. Larger tables have no winning moves
_WILD = 30  # the default for the largest heap if misère play needs a search
_LOOK, _LARGEST = 0.5, 10**6  # the share of the time and the largest heap in a search for a period
_HEAPS = {"nim": 3, "same-number": 3, "wythoff": 2, "candy": 4, "chomp": 4, "greedy": 4}  # else 1


class Table:
    """All positions of a game with this number of heaps, none with more than `most` lamps. The
    order of the heaps does not matter."""

    def __init__(
        self, game: Game, rule: str, most: int | None = None, heaps: int | None = None
    ) -> None:
        """`most` is the largest heap and `heaps` the number of heaps, or None for the game's
        defaults. Raises ValueError with a message for the user."""
        searched = isinstance(game, Searched) and not isinstance(game, Codes)
        if searched or isinstance(game, BoardGame | Building):
            raise ValueError(f"there is no table of {game.name}; nimatron solve takes a position")
        self.game, self.rule, self.misere = game, rule, rule == "misere"
        self.heaps = self._heaps(heaps)
        self.most = self._most(most)
        self._search = getattr(game, "search", None) or Search(game)

    def _heaps(self, asked: int | None) -> int:
        game = self.game
        least, many = getattr(game, "heaps", (1, HEAPS))
        usual = 4 if isinstance(game, Index) else _HEAPS.get(game.name, 1)
        usual = min(max(usual, least), many)
        if asked is not None and not least <= asked <= many:
            raise ValueError(f"{asked} heaps: {game.name} has {least} to {many}")
        return asked or usual

    def _most(self, asked: int | None) -> int:
        usual = _SMALL if self.heaps > 3 else _MOST[self.heaps]
        limit = getattr(self.game, "most", None)
        if isinstance(self.game, Codes) and self.misere and self.heaps == 1:
            usual = usual if self.game.is_tame(usual) else _WILD
        if isinstance(self.game, Fibonacci):
            usual = 20
        if asked is None:
            return min(usual, limit or usual)
        if limit is not None and asked > limit:
            raise ValueError(f"--max {asked}: the heaps of {self.game.name} have 0 to {limit}")
        return asked

    # ------------------------------------------------------------------ contents

    def positions(self) -> Iterator[Position]:
        all_heaps: Iterable[Position] = combinations_with_replacement(
            range(self.most + 1), self.heaps
        )
        if isinstance(self.game, Fibonacci):
            all_heaps = ((n, limit) for n in range(1, self.most + 1) for limit in range(1, n + 1))
        for count, heaps in enumerate(all_heaps):
            time_limit.check(partial("{:,} positions listed".format, count))
            yield heaps[::-1] if isinstance(self.game, Chomp) else heaps

    @cached_property
    def lost(self) -> list[Position]:
        """Return the P-positions."""
        return [position for position in self.positions() if self._is_p(position)]

    def _is_p(self, position: Position) -> bool:
        return self.game.is_p(self._of(position), self.misere)

    def _of(self, position: Position) -> Position:
        """Convert a position to the game's own format. Games defined by a code have no empty
        heaps."""
        if isinstance(self.game, Codes):
            return tuple(heap for heap in position if heap)
        return position

    def value(self, position: Position) -> int:
        """Return the Grundy value of a position."""
        return self._search.value(self._of(position))

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Return a dict for each position, as in the JSON document."""
        lost, rows = set(self.lost), []
        positions = list(self.positions())
        for position in positions:
            row: dict[str, Any] = {
                "position": self._words(position),
                "outcome": "NP"[position in lost],
            }
            if not self.misere:
                row["grundy"] = self.value(position)
            if len(positions) <= _WITH_MOVES:
                options: Iterable[Position] = ()
                if position not in lost and not self.game.over(self._of(position) or (0,)):
                    options = self.game.winning_options(self._of(position), self.misere)
                row["leave"] = [self.game.words(option).replace(",", " ") for option in options]
            rows.append(row)
        return rows

    def _words(self, position: Position) -> str:
        return self.game.words(position).replace(",", " ") or "0"

    @cached_property
    def period(self) -> Period | None:
        """Return the period of the Grundy values of single heaps, or None if it is unknown."""
        if self.heaps > 1 or self.misere:
            return None
        if isinstance(self.game, Subtraction):
            return Period(0, self.game._k + 1)
        if not (codes := self._codes):
            return None
        sequence = codes.sequence
        with suppress(time_limit.Spent), time_limit.share(_LOOK):
            sequence.grow(_LARGEST)
        return sequence.seen_period()

    @property
    def _codes(self) -> Codes | None:
        """Return the game if a code gives the values of its heaps, or None."""
        game = self.game
        return game if isinstance(game, Codes) and not isinstance(game, Circular) else None

    # ------------------------------------------------------------------ as people read it

    def as_json(self) -> str:
        document = {
            "game": self.game.name,
            "rule": self.rule,
            "sentence": english.rules(self.game),
            "period": vars(self.period) if self.period else None,
            "positions": self.rows,
        }
        return json.dumps(document)

    def as_csv(self) -> str:
        text = io.StringIO()
        writer = csv.DictWriter(text, self.rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(_flat, self.rows))
        return text.getvalue().removesuffix("\n")

    def as_text(self) -> str:
        """Return text with the P-positions, and with the nim-sequence of single heaps."""
        how = "lose" if self.misere else "win"
        name = "Misère" if self.misere else "Normal"
        lines = [
            self.game.name,
            textwrap.fill(english.rules(self.game), _COLUMNS),
            f"{name} play: {english.last(self.game)} and you {how}.",
        ]
        if self.heaps == 1 and not self.misere and not isinstance(self.game, Fibonacci):
            lines += ["", "Grundy values of single heaps:", *self._sequence()]
            if self.period:
                lines.append(str(self.period).capitalize())
            elif codes := self._codes:
                lines.append(f"No period up to heaps of {codes.sequence.largest:,}")
            if codes := self._codes:
                lines += [f"OEIS {OEIS[codes.code.text]}"] if codes.code.text in OEIS else []
        lost = ", ".join(self._words(position).replace(" ", _FIXED) for position in self.lost)
        what = "heaps" if self.heaps == 1 else f"positions of {self.heaps} heaps"
        lines += ["", f"Lost for the mover (P), of all {what} up to {self.most}:"]
        lines += textwrap.wrap(lost or "none", _COLUMNS, break_on_hyphens=False)
        return "\n".join(lines).replace(_FIXED, " ")

    def _sequence(self) -> Iterator[str]:
        """Yield lines of values. If a period fits in a line, each line contains whole periods."""
        values = [self.value((heap,)) for heap in range(self.most + 1)]
        width = len(str(max(values))) + 1
        label = len(str(self.most))
        fits = (_COLUMNS - label - 3) // width
        length = self.period.length if self.period else 0
        each = length * max(1, 12 // length) if 0 < length <= fits else min(fits, 20)
        for first in range(0, len(values), each):
            some = "".join(f"{value:>{width}}" for value in values[first : first + each])
            yield f"  {first:>{label}} {some}"


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    return {key: "; ".join(cell) if isinstance(cell, list) else cell for key, cell in row.items()}
