"""The reason why a position is won or lost, and the effect of each move, for a page to draw.

`explain` returns three parts of the state for the page:

working: the game in messages: `how` the buttons work, the `idea` in a sentence for children (or
nothing), the `theory` with its sources.

insight: the current position, or {} between matches.
  kind: "pairs" if Bouton's rule decides, "singles" or "turn" at the end of misère play, "plain" in
    other games, "over" on a finished board.
  lamps: the position, as a mask. In all masks, bit 7 * row + column is a lamp. Bit 0 is the upper
    left lamp.
  groups: a list of [mask, weight, partner]. In "pairs" each row is split into groups of 4, 2 and 1
    lamps. The partner is the index of an equal group in another row, or null: then the group
    glows. The glowing groups in a row are at its right end, where a touch puts them out. If one
    row can hold all glowing groups, it does. In "singles" and "turn" the weight is 1 for a lamp
    that stays alone. It is 0 for the lamps in the last longer row that are best put out: they
    glow.
  good: true if the reader can win, false if the other side can, null in matches between people.
  trial: true if the insight shows the board after the draft.
  said: messages to the reader, who is the player or, in matches between people, both players.
  winning: up to four masks, each the board after a winning move.
  more: the number of other winning moves.

begun: true if `match` has the moves of the current match, false while it has those from the last
one.

match: the moves in the current match, or in the last one until the next match's first move: a list
of {by, before, after, seen, said, better}. by: the player who moved. before and after: masks.
seen: {kind, groups} of before, after and better, or null in games without groups. said: messages.
better: the board after a winning move, as a mask, if this move gave the win away, else null.

This module uses only the rule sets, and has no names of games. A game that adds up rows in binary
has `binary` and `nim_sum` in its working.
"""

from collections import namedtuple

from nimatron import board, bouton
from nimatron.games.game import Game
from nimatron_play import texts, words
from nimatron_play.panel_view import Move, PanelView
from nimatron_play.words import Message, message

PLAYER, MACHINE, PEOPLE = "player", "machine", "people"
_WEIGHTS = (4, 2, 1)
_WINNING = 4  # winning moves to draw
_MOVES = 40  # the most moves to step through
_IDEAS = {key for key in words.table(words.PLAIN) if key.startswith("idea.")}

Group = list  # [mask, weight, partner]

_KNOWN = 128  # explained moves to cache, because a match is explained again after each move
_known: dict = {}

NOTHING: dict = {"working": {}, "insight": {}, "match": [], "begun": False}


# position: the position before the mover, None between matches. moves: all moves in the match so
# far, or in the last match. mover: "player", "machine" or one of the people, such as "player-2".
# left: the position that the mover would leave. people: the number of people who play each other.
# begun: True if the moves are from the current match.
Question = namedtuple(
    "Question", ("game", "position", "misere", "moves", "mover", "left", "people", "begun")
)


def question(view: PanelView) -> Question:
    """Return the question that `explain` answers about the panel."""
    misere, begun = view.rule == "misere", bool(view.last)
    return Question(
        view.game, view.position, misere, view.moves, view.mover, view.left, view.players, begun
    )


def explain(asked: Question) -> dict:
    """Return the explanation. With more than two players, no player can force a win, so the
    explanation predicts no winner."""
    return {
        "working": _working(asked.game, asked.misere),
        "insight": _insight(asked) if asked.position is not None else {},
        "match": [_told(move, asked.people) for move in asked.moves[-_MOVES:]],
        "begun": asked.begun,
    }


def bits(rows) -> int:
    """Join the masks of the rows of lamps to one mask."""
    return sum(lit << board.LAMPS * row for row, lit in enumerate(rows))


def mask(game: Game, position) -> int:
    """Return the lamps that are lit in a position, as a mask."""
    return bits(game.picture(position))


def _count(lamps):
    return bin(lamps).count("1")


def _working(game, misere):
    name = type(game).__name__.lower()
    keys = [f"idea.{name}.{'misere' if misere else 'normal'}", f"idea.{name}"]
    if game.solved in ("table", "search"):
        keys.append("idea.tried")
    return {
        "how": [message(texts.buttons(game))],
        "idea": [message(key) for key in keys if key in _IDEAS][:1],
        "theory": [message(texts.theory(game))],
    }


# ---------------------------------------------------------------------- the position


def _insight(asked):
    game, position, misere, _, mover, left, people, _ = asked
    kind, groups = groups_of(game, position, misere)
    seen = {"kind": kind, "lamps": mask(game, position), "groups": groups, "trial": False}
    if kind == "over" or people > 2:
        said = _end(game, misere) if kind == "over" else []
        return seen | {"good": None, "said": said, "winning": [], "more": 0}
    who = _kind_of(mover)
    wins = not game.is_p(position, misere)
    winning = [mask(game, option) for option in game.winning_options(position, misere)]
    here = [message(f"why.here.{who}.{'win' if wins else 'lose'}")]
    seen |= {
        "good": None if who == PEOPLE else wins == (who == PLAYER),
        "said": here + _reason(kind, groups) + _broken(kind, groups),
        "winning": winning[:_WINNING],
        "more": max(len(winning) - _WINNING, 0),
    }
    if who == MACHINE or left in (None, position):
        return seen
    lamps = mask(game, left)
    option = next(
        (option for option in game.options(position) if mask(game, option) == lamps), None
    )
    return seen if option is None else seen | _trial(game, option, misere, who)


def _trial(game, option, misere, who):
    """Return the insight's changes for the board after the draft."""
    kind, groups = groups_of(game, option, misere)
    good = game.is_p(option, misere)
    said = [message(f"why.trial.{who}.{'good' if good else 'bad'}")]
    if kind == "over":
        said = _end(game, misere)
    else:
        said += _reason(kind, groups)
    return {
        "kind": kind,
        "lamps": mask(game, option),
        "groups": groups,
        "good": None if who == PEOPLE else good,
        "said": said,
        "trial": True,
    }


def groups_of(game, position, misere) -> tuple[str, list[Group]]:
    """Return the kind of a position, and its groups."""
    if game.over(position):
        return "over", []
    if not _is_nim(game, position, misere):
        return "plain", []
    rows = [_count(row) for row in game.picture(position)]
    large = sum(n > 1 for n in rows)
    if misere and large < 2:
        return ("turn" if large else "singles"), _singles(rows)
    return "pairs", _pairs(rows, _row_to_mend(game, position, misere, rows))


def _singles(rows):
    """Return each row as a group. In the last longer row, the first lamp must sometimes stay."""
    stays = sum(n == 1 for n in rows) % 2 == 0  # so that an odd number of lamps is left
    groups: list[Group] = []
    for row, n in enumerate(rows):
        alone = min(n, 1) if n < 2 or stays else 0
        if alone:
            groups.append([_lamps(row, 0, 1), 1, None])
        if n > alone:
            groups.append([_lamps(row, alone, n - alone), 0, None])
    return groups


def _pairs(rows, mend):
    """Return the groups in each row. Equal groups in different rows become partners, beginning
    with the rows that need no move. Groups without a partner are at the right end of their row."""
    alone = set()
    for weight in _WEIGHTS:
        having = [row for row, n in enumerate(rows) if n & weight]
        if len(having) % 2:
            alone.add((mend if mend in having else having[-1], weight))
    groups: list[Group] = []
    single: dict[int, int] = {}  # weight: the index of a group without a partner so far
    for row, n in enumerate(rows):
        first = 0
        weights = [weight for weight in _WEIGHTS if n & weight]
        last = [weight for weight in weights if (row, weight) in alone]
        for weight in [weight for weight in weights if weight not in last] + last:
            partner = None
            if (row, weight) not in alone:
                partner = single.pop(weight, None)
                if partner is None:
                    single[weight] = len(groups)
                else:
                    groups[partner][2] = len(groups)
            groups.append([_lamps(row, first, weight), weight, partner])
            first += weight
    return groups


def _row_to_mend(game, position, misere, rows):
    """Return the row in which a winning move puts out exactly the glowing groups. If no such row
    exists, return a row in which a winning move breaks up a group. Return None if no group
    glows."""
    uneven = bouton.nim_sum(rows)
    if not uneven:
        return None
    lengths = [
        [_count(row) for row in game.picture(option)]
        for option in game.winning_options(position, misere)
    ]
    winning = [
        next(row for row, (was, now) in enumerate(zip(rows, left)) if was != now)
        for left in lengths
    ]
    winning += [row for row, n in enumerate(rows) if n & uneven == uneven]
    return next((row for row in winning if rows[row] & uneven == uneven), winning[0])


def _is_nim(game, position, misere):
    """Return True if Bouton's rule decides the game, applied directly to the rows of lamps."""
    known = dict(game.working(position, misere))
    return "binary" in known and "nim_sum" in known


def _lamps(row, first, count):
    return (1 << count) - 1 << row * board.LAMPS + first


def _reason(kind, groups) -> list[Message]:
    """Return the reason, for a reader who sees the groups."""
    if kind == "pairs":
        alone = sum(partner is None for _, _, partner in groups)
        return [message("why.pairs.odd", count=alone) if alone else message("why.pairs.even")]
    if kind == "turn":
        row = _rows(next(group[0] for group in groups if not group[1]))[0]
        return [message("why.turn", row=row)]
    if kind == "singles":
        count = len(groups)
        return [message(f"why.singles.{'odd' if count % 2 else 'even'}", count=count)]
    return []


def _broken(kind, groups) -> list[Message]:
    """Return a message about the group that must be broken up, if no row holds all glowing
    groups."""
    alone = [group for group in groups if kind == "pairs" and group[2] is None]
    rows = {_rows(group[0])[0] for group in alone}
    if len(rows) < 2:
        return []
    lamps, weight, _ = max(alone, key=lambda group: group[1])
    return [message("why.pairs.break", weight=weight, row=_rows(lamps)[0])]


def _end(game, misere):
    return [message(f"rule.{'misere' if misere else 'normal'}", last=texts.last(game))]


# ---------------------------------------------------------------------- the moves


def _told(move: Move, people: int) -> dict:
    """Return the explanation of a move."""
    if (move, people) not in _known:
        if len(_known) == _KNOWN:
            _known.clear()
        _known[move, people] = _explained(move, people)
    return _known[move, people]


def _explained(move, people):
    game, misere = move.game, move.misere
    before, after = mask(game, move.before), mask(game, move.after)
    seen = [_seen(game, position, misere) for position in (move.before, move.after)]
    kind = seen[1]["kind"]
    said, better = [_did(move, before, after)], None
    if people <= 2:
        lost, good = game.is_p(move.before, misere), game.is_p(move.after, misere)
        if not lost and not good:
            best = game.winning_options(move.before, misere)[0]
            better = mask(game, best)
            seen.append(_seen(game, best, misere))
        if kind != "over":
            said.append(_judged(move.by, lost, good, kind))
    if kind == "over":
        said += _won(move, people)
    if better is not None:
        said.append(_better(move.by, before, better))
    return {
        "by": move.by,
        "before": before,
        "after": after,
        "seen": seen if seen[0]["groups"] else None,
        "said": said,
        "better": better,
    }


def _seen(game, position, misere):
    kind, groups = groups_of(game, position, misere)
    return {"kind": kind, "groups": groups}


def _won(move, people) -> list[Message]:
    """Return messages about the last move and the winner."""
    winner = move.by
    if move.misere and _kind_of(winner) == PEOPLE:
        if people > 2:
            return _end(move.game, True)  # the last mover is out, and the others play on
        winner = f"player-{3 - int(winner.partition('-')[2])}"
    elif move.misere:
        winner = MACHINE if winner == PLAYER else PLAYER
    key = f"why.end.{'misere' if move.misere else 'normal'}"
    return [_by(winner, key, last=texts.last_done(move.game))]


def _did(move, before, after) -> Message:
    """Return a message about a move's effect on the lamps. Rows are those on the panel, even if
    the game's heaps differ."""
    facts = dict(move.game.describe_move(move.before, move.after))
    if "column" in facts:
        return _by(move.by, "bite", row=facts["row"], lamp=facts["column"])
    if "split" in facts:
        first, second = facts["into"]
        return _by(move.by, "why.did.cut", count=facts["split"], first=first, second=second)
    if after & ~before:
        return _by(move.by, "why.did.lit", row=_rows(after & ~before)[0])
    return _put_out(move.by, "move", before & ~after)


def _judged(by, lost, good, kind) -> Message:
    """Return a message that judges a move. kind: the kind of the position after the move."""
    if lost:
        return _by(by, "why.did.lost")
    if not good:
        return _by(by, "why.did.slip")
    return _by(by, f"why.did.{kind if kind in ('pairs', 'singles') else 'good'}")


def _better(by, before, better) -> Message:
    """Return a message about a move that would have won."""
    if better & ~before:
        return _by(by, "why.better")
    return _put_out(by, "why.better", before & ~better)


def _put_out(by, key, lamps):
    """Return the message KEY, or KEY.row if all the lamps are in one row."""
    rows, count = _rows(lamps), _count(lamps)
    if len(rows) == 1:
        return _by(by, f"{key}.row", count=count, row=rows[0])
    return _by(by, key, count=count)


def _rows(lamps):
    """Return the rows, counted from 1, that contain any of these lamps."""
    return [n + 1 for n in range(board.ROWS) if lamps >> board.LAMPS * n & board.FULL]


def _by(by, key, **gaps) -> Message:
    """Return a message about one player. If several people play, it has the player's number."""
    number = by.partition("-")[2]
    return message(f"{key}.{_kind_of(by)}", **gaps, **({"who": number} if number else {}))


def _kind_of(by):
    return PEOPLE if "-" in by else by
