"""`nimatron games`: every game, its rules, and how it is solved; it also makes docs/games.md."""

from typing import Any

from nimatron import games
from nimatron.games.game import Game
from nimatron_host import in_words
from nimatron_host.solve import KNOWN, filled
from nimatron_host.theory import rules

COMMAND = "nimatron games --markdown > docs/games.md"

_BOTH = "solve; misere or normal"

_PAGE = """\
# The games

Hold NEW on the panel to step through these games, or choose one by name:

    $ .venv/bin/nimatron play --game kayles
    $ .venv/bin/nimatron kiosk --game chomp
    $ .venv/bin/nimatron settings games nim,kayles,chomp    # what a real Pico offers

All of them use the same six buttons, and in all of them GO ends your turn. Where lamps are only
counted, each press of a row's button puts out one lamp of that row; in `chomp` it bites one column
further. Where a single lamp can be chosen (in `kayles`, for one), a tap of a row's button makes a
lamp blink, the next tap the one after it; hold the button to put out the one that blinks, then
press GO. A *run* is a group of lit neighbours. A *heap* is a group of lamps that are only counted:
one row, or several rows that belong together.

In misère play, whoever puts out the last lamp loses; in normal play, whoever puts it out wins.

The last column says how the machine knows its moves: by a *rule* that somebody has proved, by
*Grundy values* (each heap is worth a heap of Nim), by a *table* that a complete search has filled,
or by a *search* while it plays. In the tests an exhaustive search, which knows no theory, agrees
with all of them. `nimatron solve GAME POSITION` shows every winning move; it takes misère play,
and `nimatron table` normal play, unless you add `--rule`. [theory.md](theory.md) has an example
for each game, and a proof or its source; [history.md](history.md) the machines that played Nim.

{table}

## Only on a PC

`nimatron solve` and `nimatron table` know more than the firmware: families of games, and larger
positions. Nim, Wythoff's game, Fibonacci nim and subtraction take numbers of up to 4,000 digits;
octal games have heaps of up to 100,000, hexadecimal ones up to 1,000, Grundy's game up to 20,000,
subtract a square up to 100,000. In misère play of the games of a code a search decides, unless the
game is tame: up to 30 in all heaps, 20 in hexadecimal games, 45 in Grundy's game.

{families}

A drawing is typed as paths: `a-b-c` is a line from a to b and one from b to c, and a word alone is
a point without lines. In `poset`, `a-b` says that b lies above a; in `hackenbush`, 0 is the
ground. In `notakto`, x is a cross, and a number stands for as many empty boards. A search of these
games, of bounded index nim, boxes and sums looks at up to 300,000 positions and 5,000,000 moves,
which takes some seconds and up to 100 MB; in misère Hackenbush at up to 30,000 positions.

Several games side by side are a sum: `nimatron solve kayles 7 + wythoff 1 2 + star`. A star is a
heap of one in Nim, `star 3` one of three; `zero` is a game without moves. In misère play a search
decides.

## Left out

{left_out}

<!-- Made by `{command}`. -->"""

# What the articles of this family name and nothing here plays: the game, and why.
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
        "Its board has rows in three directions; we have its layout from no source we trust.",
    ),
    (
        "Nim on a graph with weights (Fukuyama)",
        "A token moves along edges; the article has another graph nim, which is `graph-nim`.",
    ),
    (
        "The genus and the misère quotient of a position",
        "Explained in [theory.md](theory.md), not worked out: where a game is not tame, a search "
        "decides.",
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
    """What is said of a game."""
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
        "sums; star, star N and zero are heaps of 1, N and 0",
        "    several games side by side: nimatron solve kayles 7 + nim 3 + star",
    ]
    return "\n".join(lines)


def as_markdown() -> str:
    """The page docs/games.md."""
    return _PAGE.format(
        table=_table(), families=_families(), left_out=_left_out(), command=COMMAND
    )


def _families() -> str:
    lines = ["| name | rule | for example |", "|---|---|---|"]
    for names, rule, example in rules.FAMILIES.values():
        lines.append(f"| `{names}` | {rule[0].upper()}{rule[1:]}. | `nimatron solve {example}` |")
    for name, (code, rule) in rules.NAMED.items():
        lines.append(f"| `{name}` | {rule} Octal {code}. | `nimatron solve {name} 7` |")
    for name, game in _larger():
        lines.append(f"| `{name}` | {game.sentence} | `nimatron solve {name} {game.example}` |")
    return "\n".join(lines)


def _left_out() -> str:
    return "\n".join(
        ["| game | why |", "|---|---|", *(f"| {g} | {why} |" for g, why in _LEFT_OUT)]
    )


def _larger() -> list[tuple[str, Any]]:
    """The games that the panel cannot show, by their names."""
    return [(name, make()) for name, make in rules.LARGER.items()]


def _table() -> str:
    lines = ["| game | rule | last lamp | how it is solved |", "|---|---|---|---|"]
    for row in rows():
        either = ", ".join(row["rules"]).replace("misere", "misère")
        solved = KNOWN.get(row["solved"], row["solved"])
        lines.append(
            f"| `{row['game']}` | {row['sentence']} | {either} | {solved}: {row['theory']} |"
        )
    return "\n".join(lines)
