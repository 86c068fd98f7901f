"""`nimatron games`: every game with its rules, and how it is solved; the README has it too."""

from nimatron import games

BEGIN, END = "<!-- games: nimatron games --markdown -->", "<!-- end of games -->"


def rows() -> list[dict]:
    """A dict a game, in the order of the registry."""
    table = []
    for name in games.NAMES:
        game = games.find(name)
        table.append(
            {
                "game": name,
                "rules": list(game.rules),
                "where": "panel" if name in games.PANEL else "console",
                "solved": game.solved,
                "sentence": game.sentence,
                "theory": game.theory,
            }
        )
    return table


def as_text() -> str:
    """For a person at a terminal."""
    lines = []
    for row in rows():
        rules = " or ".join(row["rules"])
        lines += [f"{row['game']}  ({row['where']}; {rules})", f"    {row['sentence']}"]
    return "\n".join(lines)


def as_markdown() -> str:
    """The README's table."""
    lines = ["| game | rule | where | rules | solved by |", "|---|---|---|---|---|"]
    for row in rows():
        where = "panel" if row["where"] == "panel" else "console and `solve`"
        rules = ", ".join(row["rules"]).replace("misere", "misère")
        lines.append(
            f"| `{row['game']}` | {row['sentence']} | {where} | {rules} "
            f"| {row['solved']}: {row['theory']} |"
        )
    return "\n".join(lines)
