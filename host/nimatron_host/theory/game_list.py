"""`nimatron games`: every game, its rules, and the method that solves it."""

from typing import Any

from nimatron import games
from nimatron.games.game import Game
from nimatron_host.theory import english, rules
from nimatron_host.theory.solve import KNOWN, filled

_BOTH = "solve; normal or misere"


def rows() -> list[dict[str, Any]]:
    """Return a dict for each game, in the order of the registry."""
    return [row(games.find(name)) for name in games.names()]


def row(game: Game) -> dict[str, Any]:
    """Return the description of a game."""
    return {
        "game": game.name,
        "rules": list(game.rules),
        "where": "panel" if game.name in games.names() else "solve",
        "solved": game.solved,
        "sentence": english.rules(game),
        "theory": english.theory(game),
    }


def explained(row: dict[str, Any]) -> str:
    """Return the description of a game as text for the terminal."""
    either = " or ".join(row["rules"])
    known = f"Known by {KNOWN.get(row['solved'], row['solved'])}: {row['theory']}"
    return "\n".join(
        [f"{row['game']}  ({row['where']}; {either})", filled(row["sentence"]), filled(known)]
    )


def as_text() -> str:
    """Return the list of all games and families as text for the terminal."""
    lines = []
    for row in rows():
        either = " or ".join(row["rules"])
        lines += [f"{row['game']}  ({row['where']}; {either})", f"    {row['sentence']}"]
    lines += ["", "Families, for `nimatron solve` and `nimatron table`:"]
    for names, rule, example in rules.FAMILIES.values():
        lines += [f"{names}  ({_BOTH})", f"    {rule}: nimatron solve {example}"]
    for name, (code, rule) in rules.NAMED.items():
        if name not in games.names():
            lines += [f"{name}  ({_BOTH})", f"    {rule} Octal {code}."]
    for name, game in larger():
        lines += [
            f"{name}  ({_BOTH})",
            f"    {game.sentence} For example: nimatron solve {name} {game.example}",
        ]
    lines += [
        "sums. Star, star N and zero are heaps of 1, N and 0",
        "    several games side by side: nimatron solve kayles 7 + nim 3 + star",
    ]
    return "\n".join(lines)


def larger() -> list[tuple[str, Any]]:
    """Return (name, game) for each game that the panel cannot show."""
    return [(name, make()) for name, make in rules.LARGER.items()]
