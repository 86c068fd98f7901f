"""After a lost match, the board goes back to the last position that the loser could have won.

`rewound` returns these facts for the page, or {} if no person has lost:
  path: the board after each move as a mask, from the end of the match back to that position, or to
  the start if the loser could never win.
  insight: the kind and the groups of that position, as in explain.py.
  said: messages to the loser.
  why: the meaning of the groups, for those who do not see them.
  line: the console line that begins a practice match from that position, or "" between people.
  game: the name of the game.
  lost: True if the loser could never win. In the practice match, the machine moves first.

In a practice match, the machine says if all groups have partners after a pick. A mistake is taken
back at once. After the second mistake in a position, the page marks the row of a winning move.
After the third mistake, it marks the move.
"""

from nimatron import board, states, worth
from nimatron_play import game_texts
from nimatron_play.explain import best, groups_of, mask, reason, rows_of
from nimatron_play.panel_view import Caption
from nimatron_play.words import Message, message

# A practice match: its line is typed, the Pico has carried it out, the match has begun.
_ASKED, _BEGINS, _ON = "asked", "begins", "on"
_SHOWN = "pairs", "turn"  # kinds of positions in which the page shows what decides
NO_MATCH: tuple = (), "", 1
_ENDS = (states.ATTRACT, states.OPENING, states.TEST)


def rewound(asked) -> dict:
    """Return the facts about a match. `asked` contains its moves, its winner, and the number of
    people who play each other."""
    moves, winner, people = asked
    theirs = [move for move in moves if move.by != winner]
    if people > 2 or winner in ("", "player") or not theirs:
        return {}
    slips = [move for move in theirs if not move.game.is_p(move.before, move.misere)]
    lost, to = not slips, moves.index(slips[-1] if slips else moves[0])
    game, misere, position = moves[to].game, moves[to].misere, moves[to].before
    kind, groups = groups_of(game, position, misere)
    who = {"who": theirs[0].by.partition("-")[2]} if people > 1 else {}
    key = "rewind.lost" if lost else "rewind.here"
    said = [message(f"{key}.{'people' if who else 'player'}", **who)]
    if not who:
        said.insert(0, message(f"last.{moves[-1].by}", last=game_texts.last_done(game)))
    if lost or who:
        said += reason(kind, groups)
    said += _worth(game, position, misere)
    if lost and not who:
        said.append(message("rewind.leave"))
    path = [mask(game, move.before) for move in moves[to:]] + [mask(game, moves[-1].after)]
    path.reverse()
    line = f"new practice {'second ' if lost else ''}{game.words(position)}"
    return {
        "path": path,
        "insight": {"kind": kind, "groups": groups},
        "said": said,
        "why": [message("rewind.groups")] if kind == "pairs" else [],
        "line": "" if who else line,
        "game": game.name,
        "lost": lost,
    }


def won(view) -> dict:
    """Return the match that a visitor has just won against the machine, or {}:
    path: the board before each move, and after the last move, as masks.
    first: player or machine.
    game: the name of the game.
    """
    moves = view.moves
    if view.state != states.VERDICT or view.winner != "player" or not moves:
        return {}
    path = [mask(move.game, move.before) for move in moves]
    path.append(mask(moves[-1].game, moves[-1].after))
    return {"path": path, "first": moves[0].by, "game": moves[0].game.name}


def _worth(game, position, misere):
    """Return the values of the parts as the `why` command does, if the lamps do not show them."""
    found = worth.surprising(game, position, misere)
    if not found:
        return []
    parts = ", ".join([f"{part} = {value}" for part, value in found])
    return [message("rewind.worth", parts=parts)]


def hint(game, position, misere: bool, misses: int) -> tuple[list[Message], int]:
    """Return the machine's comment after this number of mistakes in a position that can be won,
    and the lamps to mark."""
    if misses < 2:
        kind, _ = groups_of(game, position, misere)
        return [message("rewind.miss")] * misses + [_task(kind, game, position, misere)], 0
    lit, option = mask(game, position), best(game, position, misere)
    move = marks(game, position, option)
    rows = rows_of(move)
    if misses == 2:
        whole = sum([board.FULL << board.LAMPS * (row - 1) for row in rows])
        said = message("rewind.row", row=rows[0]) if len(rows) == 1 else message("rewind.rows")
        return [said], lit & whole
    count = bin(move).count("1")
    if len(rows) > 1 or mask(game, option) & ~lit:
        return [message("rewind.move", count=count)], move
    return [message("rewind.move.row", count=count, row=rows[0])], move


def _task(kind, game, position, misere):
    if kind == "turn":  # near the end of misere play
        return message("rewind.task.turn", count=game.size(best(game, position, misere)))
    return message("rewind.task.pairs" if kind == "pairs" else "rewind.task")


def marks(game, before, after) -> int:
    """Return the lamps to mark for a move: the lamps that go out, or else the lamps that come on.
    A cut is made at its first lamp, which goes out."""
    was, now = mask(game, before), mask(game, after)
    out, come = was & ~now, now & ~was
    return out & -out if out and come else out or come


class Rewind:
    """The practice match from the position where the last match was lost."""

    def __init__(self, view, visit, insight):
        self._view = view
        self._visit = visit
        self._insight = insight
        self._practice = ""
        self._page = None  # the page that practises
        self._place = ""  # the position in which it looks for a move, in the console's words
        self._misses = 0
        self._right = False  # True until the machine answers the visitor's right move
        self._hinted: tuple = None, ([], 0)  # a question, and its answer
        self._pick = None  # picks the lamp whose touch begins the practice match

    @property
    def seen(self) -> dict:
        """The part of the state about the practice match."""
        practice = {"practice": True, "marks": self._hint()[1]} if self._practice == _ON else {}
        found = practice | self._insight.rewound
        return found | {"line": ""} if found and self._visit.is_full else found

    def find(self, page, lamp=None, pick=None) -> None:
        """Begin a practice match. If a touch of this lamp begins it, pick() picks the lamp."""
        found, now = self.seen, self._view.game
        if found.get("line"):
            known = now and now.name == found["game"]
            choose = [] if known else [f"choose game {found['game']}"]
            self._begin(page, choose + [found["line"]], 0)
            asked = self._practice and lamp is not None and not found["lost"]
            self._pick = pick if asked else None

    def begin(self) -> None:
        """Pick the first lamp. Call this after the machine's messages."""
        pick = self._pick
        if pick and self._view.position and self._practice == _ON:
            self._pick = None
            pick()

    def _begin(self, page, lines, misses):
        """Begin a practice match with this number of `misses` so far in its first position."""
        place = lines[-1].split(" ")[-1]
        self._misses = self._misses + 1 if place == self._place else misses
        self._place, self._page, self._practice = place, page, _ASKED
        if not self._visit.teach(page, lines, self._end):
            self._end()

    def _end(self):
        self._practice = ""

    def hear(self, what: str, values: dict[str, str]) -> None:
        """Handle an event from the Pico."""
        if what == "practice":
            self._practice = _BEGINS if self._practice == _ASKED else ""
        elif what == "move" and self._practice == _ON:
            self._moved(*self._view.last)
        elif "state" in values:
            self._entered(values["state"])

    def _entered(self, state):
        if state in _ENDS:
            self._place = ""
        if self._practice == _BEGINS:
            self._practice, self._right = _ON, False
        elif self._practice == _ON and (
            state in _ENDS or (state == states.PLAYER and not self._view.last)
        ):
            self._end()

    def _moved(self, by, before, after):
        """Take a mistake back."""
        game, misere = self._view.game, self._view.rule == "misere"
        self._right = False
        if by != "player" or before is None or game.over(after) or game.is_p(before, misere):
            return
        self._right = game.is_p(after, misere)
        if not self._right:
            self._begin(self._page, [f"new practice {game.words(before)}"], 1)

    def _hint(self):
        view = self._view
        if view.state != states.PLAYER or view.last or view.position is None:
            return [], 0
        asked = view.game, view.position, view.rule == "misere", self._misses
        if asked != self._hinted[0]:
            self._hinted = asked, hint(*asked)
        return self._hinted[1]

    def said(self, doing: list[Message], advice: list[Message]) -> Caption:
        """Return the caption, with the machine's comments in a practice match."""
        now, view = doing[-1][0], self._view
        if self._practice != _ON:
            return doing, advice
        if "wins.player" in [key for key, _ in doing]:
            return doing, [message("rewind.medal")]
        if now.startswith("picked"):
            return doing, self._tried() or advice
        if not now.startswith("state"):
            return doing, advice
        if self._right:
            return [message("rewind.found")] + view.report, []
        hinted = self._hint()[0] or self._next()
        return (view.report + hinted, []) if hinted else (doing, advice)

    def _kind(self):
        """Return the kind of a position that the visitor can win, as in explain.py, or ""."""
        view, misere = self._view, self._view.rule == "misere"
        if None in (view.position, view.left) or view.game.is_p(view.position, misere):
            return ""
        return groups_of(view.game, view.position, misere)[0]

    def _next(self):
        """Return the task in a later turn of the match, or [] if no groups or single lamps show
        it."""
        view, kind = self._view, self._kind()
        if view.state != states.PLAYER or kind not in _SHOWN:
            return []
        return [_task(kind, view.game, view.position, view.rule == "misere")]

    def _tried(self):
        """Return a comment on the picked lamps if groups or single lamps decide, or []."""
        kind, view = self._kind(), self._view
        if kind not in _SHOWN:
            return []
        if not view.game.is_p(view.left, view.rule == "misere"):
            return [message("rewind.alone")]
        if kind == "turn":
            return [message("rewind.paired.turn", count=view.game.size(view.left))]
        return [message("rewind.paired")]
