"""`nimatron solve --proof`: a certificate that tests/judges/check_proof.py checks.

In normal play, the certificate lists the Grundy values of all parts, and the proved period if one
exists. In misère play, the certificate contains the misère quotient if the game has a finite one.
Otherwise, it lists the lost positions to which the winner moves.
"""

from collections.abc import Iterable
from typing import Any

from nimatron import bouton, worth
from nimatron.games.game import Game
from nimatron.games.pieces import PieceGame
from nimatron_host.theory import budget
from nimatron_host.theory.boxes import Box
from nimatron_host.theory.graphs import Cliques
from nimatron_host.theory.large import LargeNim, LargeSubtraction
from nimatron_host.theory.notakto import LINES, Notakto
from nimatron_host.theory.quotient import Quotient
from nimatron_host.theory.rules import Circular, Codes
from nimatron_host.theory.search import Search

Parts = tuple[int, ...]


class Proof:
    """A proof of one position's outcome. Raises ValueError if the rules cannot be described."""

    def __init__(self, game: Game, position: Any, misere: bool) -> None:
        self._game, self._misere = game, misere
        self._search = getattr(game, "search", None) or Search(game)
        self._drawing = position[0] if isinstance(game, Cliques) else None
        self._rules = self._described(position)
        self._start = self._parts(position)

    def _described(self, position: Any) -> dict[str, Any]:
        """Return the rules as data."""
        game = self._game
        if isinstance(game, LargeNim):
            return {"take": 0}
        if isinstance(game, LargeSubtraction):
            return {"take": game._k}
        if isinstance(game, Codes) and not isinstance(game, Circular):
            return {"code": game.code.text} | ({"unequal": True} if game.code.unequal else {})
        if isinstance(game, Box | PieceGame):
            return {"pieces": list(game.pieces)}
        if isinstance(game, Cliques):
            return {"pieces": game.pieces(*position)}
        if isinstance(game, Notakto):
            return {"lines": LINES}
        raise ValueError(
            f"--proof cannot describe the rules of {game.name} yet. It can for nim, subtraction, "
            "octal and hexadecimal codes, boxes, notakto and games on graphs"
        )

    def _parts(self, position: Any) -> Parts:
        """Return the parts of a position of the game, each as a number."""
        if "pieces" in self._rules:
            mask = position[1] if self._drawing else position
            return tuple(sorted(worth.groups(self._rules["pieces"], mask)))
        return tuple(sorted(n for n in position if n or "lines" in self._rules))

    def _of(self, parts: Parts) -> Any:
        """Return the position of the game with these parts."""
        if "pieces" in self._rules:
            return (self._drawing, sum(parts)) if self._drawing else sum(parts)
        return parts

    def _options(self, parts: Parts) -> list[Parts]:
        budget.check(self._search.so_far)
        return [self._parts(option) for option in self._game.options(self._of(parts))]

    def document(self) -> dict[str, Any]:
        """Return the certificate."""
        lost = self._lost(self._start)
        proof: dict[str, Any] = {
            "rules": self._rules,
            "rule": "misere" if self._misere else "normal",
            "start": self._start,
            "outcome": "P" if lost else "N",
        }
        if self._misere and not getattr(self._game, "finite", False):
            return proof | {"lost": self._left(lost)}
        sequence = self._game.sequence if isinstance(self._game, Codes) else None
        if sequence and sequence.period:
            parts = [*range(1, sequence.largest + 1)]
        else:
            parts = self._closed(self._start)
        if self._misere:
            quotient = Quotient(parts, self._lost)
            proof |= {"table": quotient.table, "lost": quotient.lost}
            values = quotient.values
        else:
            values = {part: self._search.value(self._of((part,))) for part in parts}
        if sequence and sequence.period:
            length = sequence.period.length
            start = sequence.largest - length
            while start > 1 and values[start - 1] == values[start - 1 + length]:
                start -= 1
            proof["period"] = [start, length]
        return proof | {"values": sorted(values.items())}

    def _lost(self, parts: Parts) -> bool:
        if not self._misere:
            return not bouton.nim_sum(self._search.value(self._of((part,))) for part in parts)
        return bool(parts) and self._game.is_p(self._of(parts), True)

    def _closed(self, parts: Iterable[int]) -> list[int]:
        """Return the parts, and all parts that moves can make from them."""
        found, front = set[int](), [*parts]
        while front:
            part = front.pop()
            if part not in found:
                found.add(part)
                front += [one for option in self._options((part,)) for one in option]
        return sorted(found)

    def _left(self, lost: bool) -> list[Parts]:
        """Return the lost positions to which the winner moves, and the start if it is lost."""
        left, front = set[Parts](), [self._start]
        asked: list[Parts] = []
        if not lost:
            front, asked = [], [self._start]
        while front or asked:
            if front:
                position = front.pop()
                if position not in left:
                    left.add(position)
                    asked += self._options(position)
            else:
                after = self._options(asked.pop())
                if after and not left.intersection(after):
                    front.append(next(option for option in after if self._lost(option)))
        return sorted(left)
