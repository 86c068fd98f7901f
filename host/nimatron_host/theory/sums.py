"""Sums of games: several games side by side, in which a move is a move in one of the games."""

from collections.abc import Iterator
from typing import Any

from nimatron import bouton
from nimatron.games.game import Game
from nimatron_host.theory.search import Label, Search, Searched

NAME = "sum"


def parts(words: list[str]) -> list[list[str]] | None:
    """Return the words of each part of a sum, such as kayles 7 + wythoff 1 2, or None for a single
    game. A star is a Nim heap of one, star 3 a heap of three, and a zero game is omitted."""
    text = " ".join(words)
    split = [part.split() for part in text.split("+")]
    begin = [part[0] if part else "" for part in split]
    named = any(word[:1].isalpha() for word in begin[1:])
    if not {*begin} & {"star", "zero"} and not named and (begin[-1] or len(begin) == 1):
        return None
    if not all(split):
        raise ValueError("a part of the sum is missing next to a +")
    return [
        ["nim", *(part[1:] or ["1"])] if part[0] == "star" else part
        for part in split
        if part != ["zero"]
    ]


Part = tuple[int, Any]  # the index of a game, and a position of the game
Parts = tuple[Part, ...]


class Sum(Searched[Parts]):
    name = NAME
    sentence = "Play all of them side by side: a move is a move in one of them."

    def __init__(self, games: list[Game]) -> None:
        super().__init__()
        self.games = games
        self.rules = tuple(
            rule for rule in ("normal", "misere") if all(rule in game.rules for game in games)
        )
        self._searches = [getattr(game, "search", None) or Search(game) for game in games]

    def options(self, position: Parts) -> Iterator[Parts]:
        for at, (i, part) in enumerate(position):
            for option in self.games[i].options(part):
                yield (*position[:at], (i, option), *position[at + 1 :])

    def parts(self, position: Parts) -> list[Parts]:
        return [((i, part),) for i, whole in position for part in self._searches[i].parts(whole)]

    def value_of(self, part: Parts) -> int:
        (one,) = part
        return self._value(one)

    def label(self, part: Parts) -> Label | None:
        """Return the label from the theorem on tame games, or None if the part is wild."""
        ((i, one),) = part
        return self._searches[i].label(one)

    def _value(self, part: Part) -> int:
        return self._searches[part[0]].value(part[1])

    def winning_options(self, position: Parts, misere: bool) -> Iterator[Parts]:
        if misere:
            yield from super().winning_options(position, misere)
            return
        values = [self._value(part) for part in position]
        total = bouton.nim_sum(values)
        for at, (i, part) in enumerate(position):
            for option in self._searches[i].reaching(part, total ^ values[at]):
                yield (*position[:at], (i, option), *position[at + 1 :])

    def known(self, position: Parts, misere: bool) -> tuple[str, str]:
        """Return the method that solves the sum, and its theory."""
        if misere:
            return "search", Searched.theory
        return "nimbers", (
            "Sprague 1935, Grundy 1939: each part is worth a heap of Nim. The values are added in "
            "binary without carrying."
        )

    def size(self, position: Parts) -> int:
        return sum(self.games[i].size(part) for i, part in position)

    def words(self, position: Parts) -> str:
        said = [f"{self.games[i].name} {self.games[i].words(part)}" for i, part in position]
        return " + ".join(said) or "zero"
