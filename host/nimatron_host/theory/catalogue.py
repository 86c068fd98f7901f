"""`nimatron games`: every game, its rules, and how it is solved, also as Markdown tables."""

from typing import Any

from nimatron import games
from nimatron.games.game import Game
from nimatron_host.theory import in_words, rules
from nimatron_host.theory.solve import KNOWN, filled

_BOTH = "solve; normal or misere"

# Games that the articles name and Nimatron does not play, with the reason.
_LEFT_OUT = (
    (
        "Domineering, Hexapawn, red and blue Hackenbush",
        "The two players have different moves. Such games are worth numbers and more, not heaps "
        "of Nim, so that this theory does not apply.",
    ),
    ("Tri-nim", "Points decide, not the last move."),
    (
        "Sprouts",
        "Its positions are drawings on paper, which neither lamps nor a line of text can show.",
    ),
    (
        "Nimbi",
        "Its board has rows in three directions. We have its layout from no source we trust.",
    ),
    (
        "Nim on a graph with weights (Fukuyama)",
        "A token moves along edges. The article has another graph nim, which is `graph-nim`.",
    ),
    (
        "The genus and the misère quotient of a position",
        "Named in [the theory](../explanation/theory.md), not worked out: where a game is not "
        "tame, a search decides.",
    ),
    (
        "On the panel: Cram, Notakto, Hackenbush and other drawings",
        "The lamps cannot show drawings. Cram on four rows of four would take a table of 8 kB for "
        "each rule. A board of Notakto ends while lamps are still lit.",
    ),
)


def rows() -> list[dict[str, Any]]:
    """One dict for each game, in the order of the registry."""
    return [row(games.find(name)) for name in games.names()]


def row(game: Game) -> dict[str, Any]:
    """The description of a game."""
    return {
        "game": game.name,
        "rules": list(game.rules),
        "where": "panel" if game.name in games.names() else "solve",
        "solved": game.solved,
        "sentence": in_words.rules(game),
        "theory": in_words.theory(game),
    }


def explained(row: dict[str, Any]) -> str:
    """One game for a person at a terminal."""
    either = " or ".join(row["rules"])
    known = f"Known by {KNOWN.get(row['solved'], row['solved'])}: {row['theory']}"
    return "\n".join(
        [f"{row['game']}  ({row['where']}; {either})", filled(row["sentence"]), filled(known)]
    )


def as_text() -> str:
    """The list for a person at a terminal."""
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
    for name, game in _larger():
        lines += [
            f"{name}  ({_BOTH})",
            f"    {game.sentence} For example: nimatron solve {name} {game.example}",
        ]
    lines += [
        "sums. Star, star N and zero are heaps of 1, N and 0",
        "    several games side by side: nimatron solve kayles 7 + nim 3 + star",
    ]
    return "\n".join(lines)


def families() -> str:
    """The families of games that only a PC plays, as a Markdown table."""
    lines = ["| name | rule | for example |", "|---|---|---|"]
    for names, rule, example in rules.FAMILIES.values():
        lines.append(f"| `{names}` | {rule[0].upper()}{rule[1:]}. | `nimatron solve {example}` |")
    for name, (code, rule) in rules.NAMED.items():
        lines.append(f"| `{name}` | {rule} Octal {code}. | `nimatron solve {name} 7` |")
    for name, game in _larger():
        lines.append(f"| `{name}` | {game.sentence} | `nimatron solve {name} {game.example}` |")
    return "\n".join(lines)


def left_out() -> str:
    """The games that nothing here plays, as a Markdown table."""
    return "\n".join(
        ["| game | why |", "|---|---|", *(f"| {g} | {why} |" for g, why in _LEFT_OUT)]
    )


def _larger() -> list[tuple[str, Any]]:
    """The games that the panel cannot show, by their names."""
    return [(name, make()) for name, make in rules.LARGER.items()]


def table() -> str:
    """The games of the panel, as a Markdown table."""
    lines = ["| game | rule | last lamp | how it is solved |", "|---|---|---|---|"]
    for row in rows():
        either = ", ".join(row["rules"]).replace("misere", "misère")
        solved = KNOWN.get(row["solved"], row["solved"])
        lines.append(
            f"| `{row['game']}` | {row['sentence']} | {either} | {solved}: {row['theory']} |"
        )
    return "\n".join(lines)
