"""`nimatron solve --proof`: a certificate that tests/judges/check_proof.py checks.

In normal play, the certificate has the Grundy values of all parts, and a proved period if any. In
misère play, the certificate is a strategy: lost positions to leave, and a reply to each move.
"""

from collections.abc import Iterator
from typing import Any

from nimatron import bouton, worth
from nimatron.games.game import Game
from nimatron.games.pieces import PieceGame
from nimatron_host.theory import budget
from nimatron_host.theory.boxes import Box
from nimatron_host.theory.graphs import Cliques
from nimatron_host.theory.large import LargeNim, LargeSubtraction
from nimatron_host.theory.rules import Circular, Codes
from nimatron_host.theory.search import Search

Parts = tuple[int, ...]


class Proof:
    """A proof of one position's outcome. Raises ValueError if the rules cannot be described."""

    def __init__(self, game: Game, position: Any, misere: bool) -> None:
        self._game, self._misere = game, misere
        self._search = getattr(game, "search", None) or Search(game)
        self.rules, self._of = self._described(position)
        pieces = self.rules.get("pieces")
        if pieces is None:
            self._start = tuple(sorted(n for n in position if n))
        else:
            mask = position[1] if isinstance(game, Cliques) else position
            self._start = tuple(sorted(worth.groups(pieces, mask)))

    def _described(self, position: Any) -> tuple[dict[str, Any], Any]:
        """Return the rules as data, and a function from a part to a position of the game."""
        game = self._game
        if isinstance(game, LargeNim):
            return {"take": 0}, lambda part: (part,)
        if isinstance(game, LargeSubtraction):
            return {"take": game._k}, lambda part: (part,)
        if isinstance(game, Codes) and not isinstance(game, Circular):
            rules = {"code": game.code.text} | ({"unequal": True} if game.code.unequal else {})
            return rules, lambda part: (part,)
        if isinstance(game, Box | PieceGame):
            return {"pieces": list(game.pieces)}, lambda part: part
        if isinstance(game, Cliques):
            drawing, left = position
            return {"pieces": game.pieces(drawing, left)}, lambda part: (drawing, part)
        raise ValueError(
            f"--proof cannot describe the rules of {game.name} yet. It can for nim, subtraction, "
            "octal and hexadecimal codes, boxes and games on graphs"
        )

    def document(self) -> dict[str, Any]:
        """Return the certificate."""
        lost = self._lost(self._start)
        proof: dict[str, Any] = {
            "rules": self.rules,
            "rule": "misere" if self._misere else "normal",
            "start": list(self._start),
            "outcome": "P" if lost else "N",
        }
        return proof | (self._strategy(lost) if self._misere else self._values())

    def _lost(self, parts: Parts) -> bool:
        if not self._misere:
            return not bouton.nim_sum(self._search.value(self._of(part)) for part in parts)
        if "pieces" in self.rules:
            return self._game.is_p(self._of(sum(parts)), True)
        return self._game.is_p(parts, True) if parts else False

    def _leavings(self, part: int) -> Iterator[Parts]:
        budget.check(self._search.so_far)
        if "take" in self.rules:
            least = part - self.rules["take"] if self.rules["take"] else 0
            yield from ((left,) if left else () for left in range(max(least, 0), part))
        elif "pieces" in self.rules:
            for piece in self.rules["pieces"]:
                if part & piece == piece:
                    yield tuple(worth.groups(self.rules["pieces"], part ^ piece))
        else:
            assert isinstance(self._game, Codes)
            yield from self._game.code.moves(part)

    def _options(self, parts: Parts) -> list[Parts]:
        return [
            tuple(sorted((*parts[:i], *left, *parts[i + 1 :])))
            for i, part in enumerate(parts)
            for left in self._leavings(part)
        ]

    def _values(self) -> dict[str, Any]:
        found: dict[int, int] = {}
        more: dict[str, Any] = {}
        front = [*self._start]
        if isinstance(self._game, Codes) and (period := self._game.sequence.period):
            front += range(self._game.sequence.largest + 1)
            more["period"] = [max(period.start, 1), period.length]
        while front:
            part = front.pop()
            if part not in found:
                found[part] = self._search.value(self._of(part))
                for left in self._leavings(part):
                    front += left
        return {"values": sorted(found.items())} | more

    def _strategy(self, lost: bool) -> dict[str, Any]:
        left, replies = set[Parts](), dict[Parts, Parts]()
        front = [self._start] if lost else []
        asked = [] if lost else [self._start]
        while front or asked:
            if front:
                position = front.pop()
                if position not in left:
                    left.add(position)
                    asked += self._options(position)
                continue
            option = asked.pop()
            if option not in replies and (after := self._options(option)):
                replies[option] = next(reply for reply in after if self._lost(reply))
                front.append(replies[option])
        return {"lost": sorted(left), "replies": sorted(replies.items())}
