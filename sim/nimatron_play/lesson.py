"""The lesson: seven scenes of twenty seconds, with one decision in each.

1. One lamp: the visitor has no choice.
2. 1-1-1: the visitor counts, and then begins, or presses GO to let the machine begin.
3. 2-2, and the machine begins: the visitor copies it.
4. 2-1: in misère play, copying loses here. In normal play, it still wins.
5. 1-2-3, and the machine begins: the scene answers each move, and the visitor watches.
6. 4-3: the group of 4 has no partner until the visitor breaks it up. One move ends this scene.
7. 3-4-5, without help. After a loss, the row of a winning move is shown, and then the move.

Scenes 3, 5 and 6 are in normal play, because copying loses at the end of misère play. The other
scenes use the rule in the settings. The firmware plays each scene as practice: it does not count
the match, pays no token, and makes no mistake. All comments follow from the position, the last
mistake and the player to move, so they are always true. The machine comments if the words contain
a text with the key lesson.STEP.WHAT. The key may end with .normal for normal play, or with the
kind of position after the visitor's mistake, as in explain.py.
"""

from nimatron import games, states
from nimatron_play import words
from nimatron_play.explain import groups_of
from nimatron_play.panel_view import PanelView
from nimatron_play.rewind import hint
from nimatron_play.words import Message, message

GAME = "nim"
_COUNT, _COPY, _END, _WATCH, _SPLIT = 2, 3, 4, 5, 6
_SCENES = (  # the command that begins the match, and its rows
    ("new practice", (1,)),
    ("new practice", (1, 1, 1)),
    ("new practice second normal", (2, 2)),
    ("new practice", (2, 1)),
    ("new practice second normal", (1, 2, 3)),
    ("new practice normal", (4, 3)),
    ("new practice", (3, 4, 5)),
)
STEPS = len(_SCENES)
_READ_S = 2.5  # before the scene picks for the visitor, and before it presses GO
_TURNS = (states.PLAYER, states.THINKING, states.MACHINE)
_KEYS = words.table(words.PLAIN)


class Scene:
    """One scene of the lesson, with its number `step` from 1 to STEPS. `last` is the scene before
    it, which is the same scene if the visitor tries again."""

    def __init__(self, step: int, last: "Scene | None" = None):
        self.step = step
        self.losses = last.losses if last and last.step == step else 0
        self._hinted: tuple = None, ([], 0)  # a question, and its answer
        self._command, rows = _SCENES[step - 1]
        self._start = games.find(GAME).padded(rows)
        self._begun = self._lost = False
        self._since = 0.0  # the time of the machine's last move, or of the last answer to it

    def lines(self, playing: str) -> list[str]:
        """Return the console lines that begin the scene, from the current game `playing`."""
        choose = [f"choose game {GAME}"] if playing != GAME else []
        return choose + [self._line(self._command)]

    def _line(self, command):
        return f"{command} {games.find(GAME).words(self._start)}"

    def goes_on(self, view: PanelView) -> bool:
        """Return False if the match has ended early. Call this after each change."""
        if not self._begun:
            moved = view.last[1:2] if view.last else ()  # if the machine was quick
            here = self._start in (view.position,) + moved and view.game.name == GAME
            self._begun = here and view.state in _TURNS
            return True
        if self._over(view) == "lost" and not self._lost:
            self._lost = True
            self.losses += 1
        fresh = not view.last and view.position not in (None, self._start)
        return view.state in _TURNS + (states.VERDICT,) and not fresh

    # ------------------------------------------------------------------ the end

    def seen(self, view: PanelView) -> dict:
        """Return the page's data: {step, steps, help, over}. `help` is True if the page must draw
        groups. `over` is "won", "lost" or ""."""
        helps = self.step in (_WATCH, _SPLIT)
        return {"step": self.step, "steps": STEPS, "help": helps, "over": self._over(view)}

    def next_step(self, view: PanelView) -> int | None:
        """Return the number of the next scene, or the number of this scene after a loss. Return
        None if this scene is not over, or is the last."""
        over = self._over(view)
        if over == "lost":
            return self.step
        return self.step + 1 if over == "won" and self.step < STEPS else None

    def _over(self, view):
        """Return "won" if the visitor has solved the scene, "lost", or "" before the end."""
        won = view.winner == "player" or self.step == 1
        if self.step == _SPLIT:
            if not self._begun or not view.last or not view.moves:
                return ""
            won = view.game.is_p(view.moves[0].after, view.moves[0].misere)
        elif not self._begun or view.state != states.VERDICT or not view.winner:
            return ""
        return "won" if won else "lost"

    # ------------------------------------------------------------------ for the visitor

    def hint(self, view: PanelView) -> dict:
        """Return the hint in the last scene after a loss, as the part of the page's state about a
        practice match, or {}."""
        return {"practice": True, "marks": self._hint(view)[1]} if self._hint(view)[0] else {}

    def _hint(self, view):
        if self.step != STEPS or not self._begun or not self.losses:
            return [], 0
        position, misere = view.position, view.rule == "misere"
        if view.state != states.PLAYER or not position or view.game.is_p(position, misere):
            return [], 0
        asked = view.game, position, misere, 1 + self.losses
        if asked != self._hinted[0]:
            self._hinted = asked, hint(*asked)
        return self._hinted[1]

    def legends(self, lit: list[str]) -> list[str]:
        """Return the lit signs. While the scene moves for the visitor, no sign calls them."""
        return [name for name in lit if self.step != _WATCH or name != "your-move"]

    def hands_over(self, view: PanelView) -> list[str]:
        """Return the console lines for GO before the first move, which lets the machine begin."""
        waits = view.state == states.PLAYER and not view.last and view.left == view.position
        if self.step != _COUNT or not self._begun or not waits:
            return []
        return [self._line("new practice second")]

    def answer(self, view: PanelView, now: float) -> str:
        """Return the console line that moves for the visitor, or "". `now` is in seconds."""
        turn = self.step == _WATCH and view.state == states.PLAYER and view.last
        if not turn or view.position is None:
            self._since = now
            return ""
        if now < self._since + _READ_S:
            return ""
        self._since = now
        misere = view.rule == "misere"
        options = view.game.winning_options(view.position, misere)
        options = options or view.game.resisting_options(view.position)
        if view.left == view.position:
            return f"pick {view.game.words(options[0])}"
        return "press go" if view.left == options[0] else ""  # the visitor picks something else

    def said(self, view: PanelView) -> list[Message]:
        """Return the machine's current comment, or an empty list."""
        if not self._begun or view.game is None or view.position is None:
            return []
        if view.left == view.position and (hinted := self._hint(view)[0]):
            return hinted
        what, kind = self._what(view)
        copies = self.step == _END and view.rule == "normal" and what != "start"
        before = f"lesson.{_COPY if copies else self.step}."
        keys = [f"{what}.{kind}"] + ([f"{what}.normal"] if view.rule == "normal" else [])
        keys += [what] + (["turn"] if what == "behind" else [])
        count = sum(view.position)
        return [message(before + key, count=count) for key in keys if before + key in _KEYS][:1]

    def _what(self, view):
        """Return the subject of the comment, and the kind of position after a mistake, or ""."""
        over = self._over(view)
        game, misere = view.game, view.rule == "misere"
        mine = view.state == states.PLAYER
        if over == "won" and view.state != states.VERDICT and len(view.moves) > 1:
            return "on", ""
        if over:
            return over, _mistake(view)
        if mine and view.left not in (None, view.position):
            return ("picked" if game.is_p(view.left, misere) else "alone"), ""
        if not view.last:
            return ("start" if mine or self.step != _COUNT else "begun"), ""
        lost = game.is_p(view.position, misere)  # for the player who moves next
        if view.last[0] == "player":
            return ("good" if lost else "bad"), _mistake(view)
        return ("behind" if lost else "turn"), ""


def _mistake(view):
    """Return the kind of position after the visitor's last mistake, or ""."""
    kind = ""
    for _, misere, by, before, after in view.moves:
        if by == "player" and not view.game.is_p(before, misere):
            if not view.game.is_p(after, misere):
                kind, _ = groups_of(view.game, after, misere)
    return kind
