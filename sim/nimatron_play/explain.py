"""The reason why a position is won or lost, and the effect of each move, for a page to draw.

`explain` returns two parts of the state for the page:

working: the game in messages: `how` the buttons work, the `idea` in a sentence for children (or
nothing), and the `theory` with its sources.

insight: the current position, or {} between matches.
  kind: "pairs" if Bouton's rule decides, "singles" or "turn" at the end of misère play, "plain" in
    other games, "over" on a finished board.
  lamps: the position, as a mask. In all masks, bit 7 * row + column is a lamp. Bit 0 is the upper
    left lamp.
  groups: a list of [mask, weight, partner]. In "pairs" each row is split into groups of 4, 2 and 1
    lamps, in this order from the left. The partner is the index of an equal group in another row.
    If a group has no partner, this index is null, and the page makes the group glow. A draft does
    not change the groups in other rows. If both partners remain, they stay partners. In "singles"
    and "turn", the weight is 1 for a lamp that stays alone, and 0 for lamps in the last longer row
    that a winning move switches off: these lamps glow.
  goes: the lamps that a winning move switches off, or 0 if there are no groups or it is not the
    reader's turn. If one row can lose all glowing groups, the winning move is in this row.
  good: true if the reader can win, false if the other side can, null in matches between people.
  trial: true if the insight shows the board after the draft.
  said: messages to the reader, who is the player or, in matches between people, both players.
  winning: up to four masks, each the board after a winning move.
  more: the number of other winning moves.

This module uses only the rule sets, and contains no names of games. The working of a game that
adds up rows in binary contains `binary` and `nim_sum`.
"""

from collections import namedtuple

from nimatron import board, bouton
from nimatron.games.game import Game
from nimatron_play import game_texts, words
from nimatron_play.panel_view import PanelView
from nimatron_play.words import Message, message

PLAYER, MACHINE, PEOPLE = "player", "machine", "people"
_WEIGHTS = (4, 2, 1)
_WINNING = 4  # winning moves to draw
_IDEAS = {key for key in words.table(words.PLAIN) if key.startswith("idea.")}

Group = list  # [mask, weight, partner]

NOTHING: dict = {"working": {}, "insight": {}}


# position: the position before the mover, None between matches. mover: "player", "machine" or one
# of the people, such as "player-2". left: the position that the mover would leave. people: the
# number of people who play each other.
Question = namedtuple("Question", ("game", "position", "misere", "mover", "left", "people"))


def question(view: PanelView) -> Question:
    """Return the question that `explain` answers about the panel."""
    misere = view.rule == "misere"
    return Question(view.game, view.position, misere, view.mover, view.left, view.players)


def explain(asked: Question) -> dict:
    """Return the explanation. It predicts no winner for more than two players, because no player
    can then force a win."""
    return {
        "working": _working(asked.game, asked.misere),
        "insight": _insight(asked) if asked.position is not None else {},
    }


def bits(rows) -> int:
    """Return the masks of the rows of lamps, joined to one mask."""
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
        "how": [message(game_texts.buttons(game))],
        "idea": [message(key) for key in keys if key in _IDEAS][:1],
        "theory": [message(game_texts.theory(game))],
    }


# ---------------------------------------------------------------------- the position


def _insight(asked):
    game, position, misere, mover, left, people = asked
    kind, groups = groups_of(game, position, misere)
    seen = {
        "kind": kind,
        "lamps": mask(game, position),
        "groups": groups,
        "goes": 0,
        "trial": False,
    }
    if kind == "over" or people > 2:
        said = _end(game, misere) if kind == "over" else []
        return seen | {"good": None, "said": said, "winning": [], "more": 0}
    who = _kind_of(mover)
    wins = not game.is_p(position, misere)
    winning = [mask(game, option) for option in game.winning_options(position, misere)]
    here = [message(f"why.here.{who}.{'win' if wins else 'lose'}")]
    seen |= {
        "good": None if who == PEOPLE else wins == (who == PLAYER),
        "said": here + reason(kind, groups) + _broken(kind, groups),
        "winning": winning[:_WINNING],
        "more": max(len(winning) - _WINNING, 0),
    }
    if who != MACHINE and groups and wins:
        seen["goes"] = seen["lamps"] & ~mask(game, best(game, position, misere))
    if who == MACHINE or left in (None, position):
        return seen
    lamps = mask(game, left)
    option = next(
        (option for option in game.options(position) if mask(game, option) == lamps), None
    )
    return seen if option is None else seen | _trial(game, option, misere, who, groups)


def _trial(game, option, misere, who, were):
    """Return the changes of the insight for the board after the draft. `were` are the groups
    before the draft."""
    kind, groups = groups_of(game, option, misere, were)
    good = game.is_p(option, misere)
    said = [message(f"why.trial.{who}.{'good' if good else 'bad'}")]
    if kind == "over":
        said = _end(game, misere)
    else:
        said += reason(kind, groups)
    return {
        "kind": kind,
        "lamps": mask(game, option),
        "groups": groups,
        "goes": 0,
        "good": None if who == PEOPLE else good,
        "said": said,
        "trial": True,
    }


def groups_of(game, position, misere, were=()) -> tuple[str, list[Group]]:
    """Return the kind of a position, and its groups. Groups in `were` keep their partners."""
    if game.over(position):
        return "over", []
    if not _is_nim(game, position, misere):
        return "plain", []
    rows = _lengths(game, position)
    large = sum(n > 1 for n in rows)
    if misere and large < 2:
        return ("turn" if large else "singles"), _singles(rows)
    loses = _row_of(rows, _lengths(game, best(game, position, misere)))
    return "pairs", _pairs(rows, loses, were)


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


def _pairs(rows, loses, were):
    """Return the groups in each row. Equal groups in different rows become partners. A group
    without a partner is in the row that loses lamps, if possible. Groups in `were` keep their
    partners."""
    partner = {}  # (row, weight): the partner's row
    for lamps, weight, index in were:
        if index is not None:
            partner[rows_of(lamps)[0] - 1, weight] = rows_of(were[index][0])[0] - 1
    groups: list[Group] = []
    at = {}  # (row, weight): the index of the group
    for row, n in enumerate(rows):
        first = 0
        for weight in _WEIGHTS:
            if n & weight:
                at[row, weight] = len(groups)
                groups.append([_lamps(row, first, weight), weight, None])
                first += weight
    for weight in _WEIGHTS:
        free = [row for row, n in enumerate(rows) if n & weight]
        for row in list(free):
            if partner.get((row, weight)) in free:
                _join(groups, at, weight, row, partner[row, weight])
        free = [row for row in free if groups[at[row, weight]][2] is None]
        if loses in free:
            free.remove(loses)
            free.append(loses)
        while len(free) > 1:
            _join(groups, at, weight, free.pop(0), free.pop(0))
    return groups


def _join(groups, at, weight, row, other):
    one, two = at[row, weight], at[other, weight]
    groups[one][2], groups[two][2] = two, one


def best(game: Game, position, misere: bool):
    """Return a winning option, or the position if no option wins. If rows consist of groups and
    one row can lose all glowing groups, the option takes them from this row."""
    rows, winning = _lengths(game, position), game.winning_options(position, misere)
    uneven = bouton.nim_sum(rows)
    for option in winning:
        row = _row_of(rows, _lengths(game, option))
        if row is not None and rows[row] & uneven == uneven:
            return option
    return winning[0] if winning else position


def _lengths(game, position):
    return [_count(row) for row in game.picture(position)]


def _row_of(rows, left):
    """Return the first row that differs, from 0, or None."""
    return next((row for row, n in enumerate(rows) if n != left[row]), None)


def _is_nim(game, position, misere):
    """Return True if Bouton's rule decides the game, applied directly to the rows of lamps."""
    known = dict(game.working(position, misere))
    return "binary" in known and "nim_sum" in known


def _lamps(row, first, count):
    return (1 << count) - 1 << row * board.LAMPS + first


def reason(kind: str, groups: list[Group]) -> list[Message]:
    """Return the reason, for a reader who sees the groups."""
    if kind == "pairs":
        alone = sum(partner is None for _, _, partner in groups)
        return [message("why.pairs.odd", count=alone) if alone else message("why.pairs.even")]
    if kind == "turn":
        row = rows_of(next(group[0] for group in groups if not group[1]))[0]
        return [message("why.turn", row=row)]
    if kind == "singles":
        count = len(groups)
        return [message(f"why.singles.{'odd' if count % 2 else 'even'}", count=count)]
    return []


def _broken(kind, groups) -> list[Message]:
    """Return a message about the group to break up, if no row holds all glowing groups."""
    alone = [group for group in groups if kind == "pairs" and group[2] is None]
    rows = {rows_of(group[0])[0] for group in alone}
    if len(rows) < 2:
        return []
    lamps, weight, _ = max(alone, key=lambda group: group[1])
    return [message("why.pairs.break", weight=weight, row=rows_of(lamps)[0])]


def _end(game, misere):
    return [message(f"rule.{'misere' if misere else 'normal'}", last=game_texts.last(game))]


def rows_of(lamps: int) -> list[int]:
    """Return the rows, counted from 1, that contain any of these lamps."""
    return [n + 1 for n in range(board.ROWS) if lamps >> board.LAMPS * n & board.FULL]


def _kind_of(by):
    return PEOPLE if "-" in by else by
