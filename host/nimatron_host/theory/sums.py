"""Sums of games: all are played side by side, and a move is a move in one of them."""

from collections.abc import Hashable, Iterator

from nimatron import bouton
from nimatron.games.game import Game
from nimatron_host.theory.search import Searched
from nimatron_host.theory.values import Values

NAME = "sum"


def parts(words: list[str]) -> list[list[str]] | None:
    """The words of each part of a sum, such as kayles 7 + wythoff 1 2, or None if this is no sum.
    A star is a heap of one in Nim, star 3 one of three, and a zero game is omitted."""
    text = " ".join(words)
    split = [part.split() for part in text.split("+")]
    begin = [part[0] if part else "" for part in split]
    if not {*begin} & {"star", "zero"} and not any(word[:1].isalpha() for word in begin[1:]):
        return None
    if not all(split):
        raise ValueError("a part of the sum is missing next to a +")
    return [
        ["nim", *(part[1:] or ["1"])] if part[0] == "star" else part
        for part in split
        if part != ["zero"]
    ]


Parts = tuple[Hashable, ...]


class Sum(Searched[Parts]):
    """A position is a tuple with a position of each game."""

    name = NAME
    sentence = "Play all of them side by side: a move is a move in one of them."
    further = "; normal play goes further: add --rule normal"

    def __init__(self, games: list[Game]) -> None:
        super().__init__()
        self.games = games
        self.rules = tuple(
            rule for rule in ("misere", "normal") if all(rule in game.rules for game in games)
        )
        self._values = [Values(game) for game in games]

    def options(self, position: Parts) -> Iterator[Parts]:
        for i, game in enumerate(self.games):
            for option in game.options(position[i]):
                yield (*position[:i], option, *position[i + 1 :])

    def is_p(self, position: Parts, misere: bool) -> bool:
        return super().is_p(position, misere) if misere else not self.grundy(position)

    def grundy(self, position: Parts) -> int:
        return bouton.nim_sum(self.values(position))

    def values(self, position: Parts) -> list[int]:
        """The Grundy value of each part."""
        return [values.of(part) for values, part in zip(self._values, position, strict=True)]

    def winning_options(self, position: Parts, misere: bool) -> list[Parts]:
        if misere:
            return super().winning_options(position, misere)
        total, found = self.grundy(position), []
        for i, game in enumerate(self.games):
            value = self._values[i].of
            wanted = total ^ value(position[i])
            for option in game.options(position[i]):
                if value(option) == wanted:
                    found.append((*position[:i], option, *position[i + 1 :]))
        return found

    def known(self, position: Parts, misere: bool) -> tuple[str, str]:
        """How it is solved, and the theory behind it."""
        if misere:
            return "search", "In misère play a complete search decides."
        worth = " + ".join(map(str, self.values(position))) or "0"
        return "nimbers", (
            "Sprague 1935, Grundy 1939: each part is worth a heap of Nim, here "
            f"{worth}, added in binary without carrying."
        )

    def size(self, position: Parts) -> int:
        return sum(game.size(part) for game, part in zip(self.games, position, strict=True))

    def words(self, position: Parts) -> str:
        said = [
            f"{game.name} {game.words(part)}"
            for game, part in zip(self.games, position, strict=True)
        ]
        return " + ".join(said) or "zero"
