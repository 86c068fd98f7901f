"""The lesson: three short matches, in which the machine comments on each move.

A visitor moves first, so each match begins in a position with a winning move. In misère play, the
first is 1-1: if the visitor puts out one lamp, the machine must take the last. The second is 3-4:
the visitor makes the rows equal and copies the machine's moves until a single lamp can be left.
The third is 3-4-5, with the groups drawn on the lamps. (The player who moves first from 2-2 loses,
so a visitor learns to leave 2-2.) If the last lamp wins, the first is 1-2: the visitor only has to
make the rows equal and copy. Comments during the match depend only on the position and on the
player to move, so they are always true. After a loss, the comment is about the visitor's last
mistake. The firmware plays each match as practice: it does not count the match, and pays no token.
"""

from nimatron import games, states
from nimatron_play.explain import groups_of
from nimatron_play.panel_view import PanelView
from nimatron_play.words import Message, message

GAME = "nim"
_STARTS = {True: ((1, 1), (3, 4), (3, 4, 5)), False: ((1, 2), (3, 4), (3, 4, 5))}
STEPS = 3
_BUTTONS = {"won": "lesson.next", "lost": "lesson.again"}  # the button after a match
_PLAYING = (states.PLAYER, states.THINKING, states.MACHINE, states.VERDICT)


class Lesson:
    """One of the three matches. step: 1 to 3. misere: True in misère play."""

    def __init__(self, step: int, misere: bool):
        self.step = step
        self._misere = misere
        self._start = games.find(GAME).padded(_STARTS[misere][step - 1])
        self._begun = False

    def lines(self, playing: str) -> list[str]:
        """Return the console lines that begin the lesson. playing: the name of the current
        game."""
        choose = [f"choose game {GAME}"] if playing != GAME else []
        return choose + ["new practice " + " ".join(map(str, filter(None, self._start)))]

    def goes_on(self, view: PanelView) -> bool:
        """Return False if the match has ended early, for any reason. Call this after each
        change."""
        if not self._begun:
            here = view.game and view.game.name == GAME and view.position == self._start
            self._begun = view.state == states.PLAYER and bool(here)
            return True
        fresh = not view.last and view.position not in (None, self._start)
        return view.state in _PLAYING and not fresh

    def seen(self, view: PanelView) -> dict:
        """Return the page's data: {step, steps, help, over}. help: True if the page must draw
        groups. over: "won", "lost" or ""."""
        over = ""
        if self._begun and view.state == states.VERDICT:
            over = "won" if view.winner == "player" else "lost"
        return {"step": self.step, "steps": STEPS, "help": self.step == STEPS, "over": over}

    def next_step(self, view: PanelView) -> int | None:
        """Return the number of the next lesson, or the number of this lesson after a loss. Return
        None if this lesson is not over, or is the last."""
        over = self.seen(view)["over"]
        if over == "lost":
            return self.step
        return self.step + 1 if over == "won" and self.step < STEPS else None

    def said(self, view: PanelView) -> list[Message]:
        """Return the machine's current comment, or an empty list."""
        if not self._begun or view.game is None or view.position is None:
            return []
        if view.state == states.VERDICT:
            over = self.seen(view)["over"]
            goes_on = self.next_step(view) is not None
            press = [message("lesson.press", button=_BUTTONS[over])] if goes_on else []
            told = self._lost(view) if over == "lost" else message(self._own(f"lesson.{over}"))
            return [told] + press
        if view.state == states.PLAYER and not view.last:
            return [message(self._own("lesson.start"))]
        who = "you" if view.mover == "player" else "left"
        key, count = self._judged(view.game, view.position)
        return [message(f"lesson.{who}.{key}", count=count)] if key else []

    def picked(self, view: PanelView) -> list[Message]:
        """Return the machine's comment while lamps are picked. It stays the same until the pick
        follows its advice."""
        said = self.said(view)
        if said and view.left and view.game.is_p(view.left, self._misere):
            return [message("lesson.picked")]
        return said + [message("lesson.picked")] if said else []

    def _lost(self, view):
        """Return the reason why the visitor has lost."""
        slips = [
            move.before
            for move in view.moves
            if move.by == "player"
            and not move.game.is_p(move.before, move.misere)
            and not move.game.is_p(move.after, move.misere)
        ]
        key, count = self._judged(view.game, slips[-1]) if slips else ("", 0)
        if key in ("turn", "row"):
            return message(f"lesson.lost.{key}", count=count)
        if key == "unequal" and self.step > 1 and slips[-1] != self._start:
            return message("lesson.lost.unequal")
        return message(self._own("lesson.lost"))

    def _own(self, key):
        """Return the key of a text for this step. In the first step, the key also depends on the
        rule."""
        return f"{key}.{self.step}" + ("" if self._misere or self.step > 1 else ".normal")

    def _judged(self, game, position):
        """Return the comment on a position, and the number of single lamps in it."""
        kind, groups = groups_of(game, position, self._misere)
        singles = sum(n == 1 for n in position)
        if kind == "over":
            return "", 0
        if kind == "singles":
            return "odd" if singles % 2 else "even", singles
        if kind == "turn":
            return "turn", singles if singles % 2 else singles + 1
        if sum(n > 0 for n in position) == 1:
            return "row", 0
        even = all(partner is not None for _, _, partner in groups)
        if self.step < STEPS:
            return "equal" if even else "unequal", 0
        return "pairs" if even else "glow", 0
