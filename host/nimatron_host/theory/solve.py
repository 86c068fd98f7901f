"""`nimatron solve`: who wins from a position, every winning move, and how that is known."""

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from nimatron import games
from nimatron.games.boards import BoardGame
from nimatron.games.game import Game
from nimatron.games.subtraction import Counting
from nimatron.protocol import Refused
from nimatron_host.spelling import instead
from nimatron_host.theory import in_words, positions, rules, sums
from nimatron_host.theory.values import TooMany, Values

KNOWN = {"nimbers": "Grundy values"}  # in words, how a game is solved

_COLUMNS = 79  # of a plain terminal
_ECHO = 40  # characters of a wrong name
_SHOWN = 20  # moves
_LONG = 200  # characters of a message, which may repeat what was typed
_LAST = {
    "misere": "Misère play: whoever {} loses.",
    "normal": "Normal play: whoever {} wins.",
}


def solve(words: list[str], rule: str | None = None) -> dict[str, Any]:
    """The solution of `[GAME] POSITION`, as `nimatron solve --json` prints it.

    The game is nim if none is named. rule: "misere" or "normal". By default misère, if the game
    has it. Raises ValueError with a message for the person who typed it.
    """
    try:
        return _solve(words, rule)
    except ValueError as why:
        text = str(why)
        if len(text) <= _LONG:
            raise
        raise ValueError(f"{text[: _LONG // 2]} … {text[-_LONG // 2 :]}") from None


def _solve(words: list[str], rule: str | None) -> dict[str, Any]:
    split = sums.parts(words)
    if split is None:
        game, words = _of_one(words)
        rule = checked(game, rule)
        position = _read(game, words)
    else:
        each = [_of_one(part) for part in split]
        game = sums.Sum([one for one, _ in each])
        rule = checked(game, rule)
        position = tuple(_read(*one) for one in each)
    name = game.name
    misere = rule == "misere"
    lost = game.is_p(position, misere)
    options = [] if lost else game.winning_options(position, misere)
    solution: dict[str, Any] = {
        "game": name,
        "rule": rule,
        "position": _typed(game, position),
        "outcome": "P" if lost else "N",
        "winning_options": [_typed(game, option) for option in options],
        "sentence": in_words.rules(game),
        "last": in_words.last(game),
    }
    solution["solved"], solution["theory"] = (
        game.known(position, misere)
        if hasattr(game, "known")
        else (game.solved, in_words.theory(game))
    )
    if isinstance(game, Counting):
        solution["said"] = game.most - position[0]
    if not misere:  # where a Grundy value would not decide
        with suppress(TooMany):
            solution["grundy"] = 0 if lost else Values(game).of(position)
    if hasattr(game, "candies"):
        solution["more_candies"] = game.candies(position)
    if name == "nim":
        moves = [_taken(position, option) for option in options]
        nim_sum = game.grundy(position)
        solution |= {"rows": list(position), "nim_sum": nim_sum, "winning_moves": moves}
    return solution


def _of_one(words: list[str]) -> tuple[Game, list[str]]:
    """The game that the words name, and the words of a position, of which there must be some."""
    if positions.begins(words[0]):
        words = ["nim", *words]
    game, words = named(words)
    if not words:
        raise ValueError(f"a position is missing, such as: {_example(game)}")
    return game, words


def _read(game: Game, words: list[str]) -> Any:
    try:
        return positions.read(game, words)
    except ValueError as why:
        raise ValueError(f"{why}. For example: {_example(game)}") from None


def _example(game: Game) -> str:
    example = getattr(game, "example", None) or _typed(game, game.openings[0])
    return f"nimatron solve {game.name} {example}"


def named(words: list[str]) -> tuple[Game, list[str]]:
    """The game that the words begin with, with a PC's limits if the position allows it, and the
    other words. A family's name can be two words: octal 0.77. Raises ValueError with a message for
    the person who typed them."""
    name, *others = words
    if name in rules.FAMILIES:
        if not others or "-" in name:
            raise ValueError(f"{name} is a family of games, such as: {rules.FAMILIES[name][2]}")
        name, others = f"{name}-{others[0]}", others[1:]
    try:
        game = rules.find(name)
    except ValueError as why:
        family = next((f for f in rules.FAMILIES if name.startswith(f"{f}-")), None)
        example = f". For example: nimatron solve {rules.FAMILIES[family][2]}" if family else ""
        raise ValueError(f"{why}{example}") from None
    drawn = name in games.names() and positions.is_picture(others)
    if game and not (drawn and isinstance(games.find(name), BoardGame)):
        return game, others
    try:
        return games.find(name), others
    except Refused as why:
        if why.reason != "unknown-game":
            raise
        known = [*games.names(), *rules.NAMED, *rules.LARGER, *rules.FAMILIES]
        which = instead(words[0], known, "To list the games: nimatron games")
        raise ValueError(f'unknown game "{words[0][:_ECHO]}". {which}') from None


def checked(game: Game, rule: str | None) -> str:
    """The rule to play by. The game's own if none is given. Raises ValueError if the game does not
    have it."""
    parts = game.games if isinstance(game, sums.Sum) else [game]
    strict = {part.rules[0]: part.name for part in parts if len(part.rules) == 1}
    if not game.rules:
        only = " and ".join(f"{name} only --rule {one}" for one, name in strict.items())
        raise ValueError(f"these games have no rule in common: {only}. Take one of them alone")
    if rule and rule not in game.rules:
        name = strict[game.rules[0]]
        name += ", a part of this sum," if game.name == sums.NAME else ""
        raise ValueError(f"{name} has only one rule. Write --rule {game.rules[0]}, or no rule")
    return rule or game.rules[0]


def _typed(game: Game, position: Any) -> str:
    """A position as typed at a command line."""
    return game.words(position).replace(",", " ")


def _taken(before: Sequence[int], after: Sequence[int]) -> dict[str, int]:
    row = next(row for row, n in enumerate(before) if n != after[row])
    return {"row": row + 1, "take": before[row] - after[row]}


def as_text(solution: dict[str, Any]) -> str:
    """A solution in words, for a person at a terminal."""
    if solution["game"] == "nim":
        lines = _binary(solution["rows"], solution["nim_sum"])
        moves = [f"take {m['take']} from row {m['row']}" for m in solution["winning_moves"]]
    else:
        name = "" if solution["game"] == sums.NAME else f"{solution['game']} "
        lines = [f"{name}{solution['position']}"]
        lines.append(filled(solution["sentence"]))
        if "said" in solution:
            lines.append(f"{solution['said']} said, {solution['position']} to go")
        moves = [f"leave {option}" for option in solution["winning_options"]]
    lines.append(_LAST[solution["rule"]].format(solution["last"]))
    if solution["game"] == "nim" and solution["rule"] == "misere":
        lines += _end_of_misere(solution["rows"])
    if solution["outcome"] == "P":
        lines.append("P: the previous player wins. Whoever moves now loses against best play.")
    elif not moves:
        lines.append("N: the next player has won.")
    else:
        lines.append("N: the next player wins, with any of:")
        lines += [f"  {move}" for move in moves[:_SHOWN]]
        if len(moves) > _SHOWN:
            lines.append(f"  and {len(moves) - _SHOWN:,} more; --json has them all")
    if "more_candies" in solution:
        lines.append(_candies(solution["more_candies"]))
    if solution["game"] != "nim":
        if "grundy" in solution:
            lines.append(f"Grundy value: {solution['grundy']}")
        known = f"Known by {KNOWN.get(solution['solved'], solution['solved'])}"
        lines.append(filled(f"{known}: {solution['theory']}"))
    return "\n".join(lines)


def _candies(more: int) -> str:
    if not more:
        return "With best play, both get the same number of candies."
    count = f"{abs(more)} {'candy' if abs(more) == 1 else 'candies'}"
    less = "more" if more > 0 else "fewer"
    return f"With best play, whoever moves now gets {count} {less} than the other player."


def _end_of_misere(rows: Sequence[int]) -> Iterator[str]:
    """Where misère play departs from the nim-sum, and what holds there."""
    large = sum(n > 1 for n in rows)
    if large == 0:
        yield "Only single lamps are left: an odd number of them loses."
    if large == 1:
        yield "Only one row has two or more: leave an odd number of single lamps."


def filled(text: str) -> str:
    """Text in lines that fit a plain terminal."""
    return textwrap.fill(text, _COLUMNS, break_on_hyphens=False, break_long_words=False)


def _binary(rows: Sequence[int], nim_sum: int) -> list[str]:
    width = max(3, max(rows).bit_length())
    digits = len(str(max(rows)))
    lines = [f"  row {i + 1}  {n:>{digits}}  {n:0{width}b}" for i, n in enumerate(rows)]
    return [*lines, f"  nim-sum{' ' * digits} {nim_sum:0{width}b}"]
