"""What a position is worth and why the last move was made, in messages for the curious.

It asks only the rule sets, and knows no game by name: a game that adds up rows in binary shows it
in the `binary` and `nim_sum` of its working.
"""

from nimatron.games.game import Game
from nimatron_sim.ui.words import Message, message

_MOVES = 12  # winning moves to name

Step = list[Message]


def explain(game: Game, position, misere: bool, last: tuple | None) -> dict:
    """The explanation. position: the one before the mover, None while nobody plays; last: see
    PanelView."""
    about = {"theory": [message(game.theory)], "how": [message(game.how)]}
    if position is None or game.over(position):
        return about | {"steps": _steps(game, misere, last)}
    winning = game.winning_options(position, misere)
    return about | {
        "binary": _binary(game, position, misere),
        "value": None if misere else game.grundy(position),
        "safe": not winning,
        "winning": [_move(game, position, option) for option in winning[:_MOVES]],
        "more": max(len(winning) - _MOVES, 0),
        "steps": _steps(game, misere, last),
    }


def _binary(game, position, misere):
    """Rows, binary columns and their sum, if the game decides that way."""
    known = dict(game.working(position, misere))
    if "binary" not in known or "nim_sum" not in known:
        return None
    rows = known["binary"]
    ones = [sum(map(int, column)) for column in zip(*rows, strict=True)]
    return {"rows": rows, "ones": ones, "sum": known["nim_sum"]}


def _move(game, before, after):
    done = dict(game.describe_move(before, after))
    if "row" in done and "take" in done:
        return [message("can.row", row=done["row"], count=done["take"])]
    if "take" in done:
        count = game.size(before) - game.size(after)
        return [message("can", count=count, rows=game.words(after))]
    return [message("can.leave", rows=game.words(after))]


def _steps(game, misere, last) -> list[Step]:
    """The positions before and after the last move, one step for each."""
    if not last or None in last:
        return []
    by, before, after = last
    who = by.partition("-")[0]
    lost = game.is_p(before, misere)
    safe = game.is_p(after, misere)
    steps = [_look("before", game, before, misere)]
    steps.append([message("why.lost" if lost else "why.chance")])
    steps.append([message(f"why.{who}"), *_move(game, before, after)])
    steps.append(_look("after", game, after, misere))
    if lost:
        steps.append([message("why.hope")])
    elif safe:
        steps.append([message("why.good")])
    else:
        better = game.winning_options(before, misere)[0]
        steps.append([message("why.slip"), *_move(game, before, better)])
    return steps


def _look(when, game, position, misere) -> Step:
    """A step that shows one position."""
    said = [message(f"why.{when}", rows=game.words(position).replace(",", ", "))]
    binary = _binary(game, position, misere)
    if not binary:
        return said
    counts = [int(row, 2) for row in binary["rows"]]
    if misere and max(counts) <= 1:
        parity = "odd" if sum(counts) % 2 else "even"
        return [*said, message(f"why.ones.{parity}", count=sum(counts))]
    said.append(message("why.binary", binary=", ".join(binary["rows"]), sum=binary["sum"]))
    uneven = [2**place for place, bit in enumerate(reversed(binary["sum"])) if bit == "1"]
    if not uneven:
        return [*said, message("why.even")]
    columns = ", ".join(map(str, reversed(uneven)))
    return [*said, message("why.uneven", count=len(uneven), columns=columns)]
