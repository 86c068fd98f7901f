"""`nimatron solve`: the winner of a position, every winning move, and the theory behind them."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from nimatron import bouton, games
from nimatron.games.boards import BoardGame
from nimatron.games.game import Game
from nimatron.games.subtraction import Counting
from nimatron.protocol import Refused
from nimatron_host.spelling import instead
from nimatron_host.theory import english, rules, sums, time_limit, typed_position
from nimatron_host.theory.search import Search

KNOWN = {"nimbers": "Grundy values"}  # the text for a method whose name is unclear

# Games whose usual rule is misère play. The first two follow the machine of 1940 and TacTix. In
# all other games, the last move usually wins.
_MISERE = ("nim", "tactix", "notakto", "chomp", "say-21", "say-34")
_LISTED = 10_000  # the most winning moves in a solution
_MORE = 0.1  # of the remaining time, for Grundy values, which the outcome does not need

_COLUMNS = 79  # the width of a plain terminal
_ECHO = 40  # the most characters of a wrong name
_SHOWN = 20  # the most moves in a text
_LONG = 200  # the most characters of a message, which may repeat the input
_LAST = {
    "misere": "Misère play{}: {} and you lose.",
    "normal": "Normal play{}: {} and you win.",
}


def solve(
    words: list[str], rule: str | None = None, seconds: float = time_limit.SECONDS
) -> dict[str, Any]:
    """Return the solution of `[GAME] POSITION`, as `nimatron solve --json` prints it.

    The default game is nim. `rule` is "misere", "normal", or None for the game's usual rule.
    Raises ValueError with a message for the user, and time_limit.Spent.
    """
    try:
        with time_limit.limit(seconds):
            return _solved(*_typed_in(words), rule)
    except ValueError as why:
        text = str(why)
        if len(text) <= _LONG:
            raise
        raise ValueError(f"{text[: _LONG // 2]} … {text[-_LONG // 2 :]}") from None


def proof(words: list[str], rule: str | None = None) -> dict[str, Any]:
    """Return the certificate of the outcome. Raises ValueError and time_limit.Spent."""
    from nimatron_host.theory.proof import Proof

    game, position = _typed_in(words)
    return Proof(game, position, checked(game, rule) == "misere").document()


def _typed_in(words: list[str]) -> tuple[Game, Any]:
    """Return the game and the position in `words`."""
    split = sums.parts(words)
    if split is None:
        game, words = _of_one(words)
        return game, _read(game, words)
    each = [_of_one(part) for part in split]
    return sums.Sum([game for game, _ in each]), tuple(
        (i, _read(*one)) for i, one in enumerate(each)
    )


def _solved(game: Game, position: Any, asked: str | None) -> dict[str, Any]:
    rule = checked(game, asked)
    misere = rule == "misere"
    lost = game.is_p(position, misere)
    winning, complete = ({}, True) if lost else _winning(game, position, misere)
    solution: dict[str, Any] = {
        "game": game.name,
        "rule": rule,
        "usual": not asked,
        "position": _typed(game, position),
        "outcome": "P" if lost else "N",
        "winning_options": list(winning),
        "complete": complete,
        "sentence": english.rules(game),
        "last": english.last(game),
    }
    solution["solved"], solution["theory"] = (
        game.known(position, misere)
        if hasattr(game, "known")
        else (game.solved, english.theory(game))
    )
    if isinstance(game, Counting):
        solution["said"] = game.most - position[0]
    if not misere:  # in misère play, Grundy values do not decide
        solution |= _worth(game, position, lost)
    if hasattr(game, "candies"):
        solution["more_candies"] = game.candies(position)
    if game.name == "nim":
        moves = [_taken(position, option) for option in winning.values()]
        solution |= {"rows": list(position), "winning_moves": moves}
        solution["nim_sum"] = bouton.nim_sum(position)
    return solution


def _winning(game: Game, position: Any, misere: bool) -> tuple[dict[str, Any], bool]:
    """Return the winning options by their words, and True if there are no others."""
    found: dict[str, Any] = {}
    options: Iterable[Any] = (
        game.winning_options(position, misere)
        if _by_theory(game)
        else _tried(game, position, misere)
    )
    try:
        for option in options:
            if len(found) == _LISTED:
                return found, False
            time_limit.check(lambda: f"{len(found):,} winning moves found")
            found[_typed(game, option)] = option
    except time_limit.Spent as so_far:
        if not found and not game.over(position):
            why = f"the next player wins, and no winning move is found yet: {so_far}"
            raise time_limit.Spent(why) from None
        return found, False
    return found, not getattr(game, "partial", False)


def _tried(game: Game, position: Any, misere: bool) -> Iterator[Any]:
    for tried, option in enumerate(game.options(position)):
        time_limit.check(lambda tried=tried: f"{tried:,} moves tried")  # type: ignore[misc]
        if game.is_p(option, misere):
            yield option


def _by_theory(game: Game) -> bool:
    """Return True if the game finds its winning options without trying all options."""
    return type(game).winning_options is not Game.winning_options


def _worth(game: Game, position: Any, lost: bool) -> dict[str, Any]:
    """Return the Grundy values of the position and its parts, if the computation is short."""
    found: dict[str, Any] = {"grundy": 0} if lost else {}
    with suppress(time_limit.Spent), time_limit.share(_MORE):
        search = getattr(game, "search", None) or Search(game)
        parts = search.parts(position)
        values = [search.value(part) for part in parts]
        found["grundy"] = bouton.nim_sum(values)
        if len(parts) > 1:
            found["worth"] = [
                [_typed(game, part), value] for part, value in zip(parts, values, strict=True)
            ]
    return found


def _of_one(words: list[str]) -> tuple[Game, list[str]]:
    """Return the game and the words of its position. Raises ValueError if there is no position."""
    if typed_position.begins(words[0]):
        words = ["nim", *words]
    game, words = named(words)
    if not words:
        raise ValueError(f"a position is missing, such as: {_example(game)}")
    return game, words


def _read(game: Game, words: list[str]) -> Any:
    try:
        return typed_position.read(game, words)
    except ValueError as why:
        raise ValueError(f"{why}. For example: {_example(game)}") from None


def _example(game: Game) -> str:
    example = getattr(game, "example", None) or _typed(game, game.openings[0])
    return f"nimatron solve {game.name} {example}"


def named(words: list[str]) -> tuple[Game, list[str]]:
    """Return the game at the start of `words`, and the other words. The game has the limits of a
    PC, unless the words draw lamps of the panel. A family's name can be two words: octal 0.77.
    Raises ValueError with a message for the user."""
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
    number = all(word.isdecimal() for word in others)
    drawn = name in games.names() and typed_position.is_picture(others) and not number
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
    """Return the rule to play by, which is the game's usual rule if `rule` is None. Raises
    ValueError if the game does not have the rule."""
    parts = game.games if isinstance(game, sums.Sum) else [game]
    strict = {part.rules[0]: part.name for part in parts if len(part.rules) == 1}
    if not game.rules:
        only = " and ".join(f"{name} only --rule {one}" for one, name in strict.items())
        raise ValueError(f"these games have no rule in common: {only}. Take one of them alone")
    if rule and rule not in game.rules:
        name = strict[game.rules[0]]
        name += ", a part of this sum," if game.name == sums.NAME else ""
        raise ValueError(f"{name} has only one rule. Write --rule {game.rules[0]}, or no rule")
    if not rule and game.name not in _MISERE and "normal" in game.rules:
        return "normal"
    return rule or game.rules[0]


def _typed(game: Game, position: Any) -> str:
    """Return a position as you type it on the command line."""
    return game.words(position).replace(",", " ")


def _taken(before: Sequence[int], after: Sequence[int]) -> dict[str, int]:
    row = next(row for row, n in enumerate(before) if n != after[row])
    return {"row": row + 1, "take": before[row] - after[row]}


def as_text(solution: dict[str, Any]) -> str:
    """Return a solution as text for the terminal."""
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
    usual = ", the usual rule" if solution["usual"] else ""
    lines.append(_LAST[solution["rule"]].format(usual, solution["last"]))
    if solution["game"] == "nim" and solution["rule"] == "misere":
        lines += _end_of_misere(solution["rows"])
    if solution["outcome"] == "P":
        lines.append("P: the previous player wins. The player to move loses against best play.")
    elif not moves:
        lines.append("N: the next player has won.")
    else:
        lines.append("N: the next player wins, with any of:")
        lines += [f"  {move}" for move in moves[:_SHOWN]]
        if len(moves) > _SHOWN:
            lines.append(f"  and {len(moves) - _SHOWN:,} more, see --json")
        if not solution["complete"]:
            lines.append("  and perhaps others")
    if "more_candies" in solution:
        lines.append(_candies(solution["more_candies"]))
    if solution["game"] != "nim":
        if "worth" in solution:
            parts = ", ".join(f"{part} = {value}" for part, value in solution["worth"])
            lines.append(filled(f"Parts worth: {parts}"))
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
    return f"With best play, the player to move gets {count} {less} than the other player."


def _end_of_misere(rows: Sequence[int]) -> Iterator[str]:
    """Yield the rule for the end of misère play, which departs from the nim-sum."""
    large = sum(n > 1 for n in rows)
    if large == 0:
        yield "Only single lamps are left: an odd number of them loses."
    if large == 1:
        yield "Only one row has two or more: leave an odd number of single lamps."


def filled(text: str) -> str:
    """Return `text` in lines that fit a plain terminal."""
    return textwrap.fill(text, _COLUMNS, break_on_hyphens=False, break_long_words=False)


def _binary(rows: Sequence[int], nim_sum: int) -> list[str]:
    width = max(3, max(rows).bit_length())
    digits = len(str(max(rows)))
    lines = [f"  row {i + 1}  {n:>{digits}}  {n:0{width}b}" for i, n in enumerate(rows)]
    return [*lines, f"  nim-sum{' ' * digits} {nim_sum:0{width}b}"]
