"""The machine's insight into the game: the meaning of a touch on each lamp, the explanation, a
demonstration, and the lesson. For the page, each game also has a card with a picture."""

import time
from typing import Tuple

from nimatron import board, games, states
from nimatron.games.game import Game
from nimatron_play import explain, game_texts, lesson
from nimatron_play.explain import mask
from nimatron_play.rewind import NO_MATCH, rewound

_CARD_TAKE = 2  # the lamps that the move on a card takes, or as close to this as the game allows
_MOVES = 24  # the most moves in a demonstration
_BUSY = "refused", "warning", "fault"  # messages that have their own advice
_UNKNOWN: dict = {
    "touch": {"touch": [None] * (board.ROWS * board.LAMPS)},
    "demo": {"demo": []},
    "explained": explain.NOTHING,
    "rewound": {},
}

Card = Tuple[int, int, str]


class Insight:
    """The answers to all questions about the position and the lesson.

    `view` is the panel as a person sees it. show() shows new answers on the pages. `lesson` is the
    current scene of the lesson, or None.
    """

    def __init__(self, surroundings, view, visit, show):
        self.lesson: lesson.Scene | None = None
        self._last: lesson.Scene | None = None  # the last scene, although the lesson has ended
        self._home = ""  # the game to return to after the lesson
        self._surroundings = surroundings
        self._view = view
        self._visit = visit
        self._show = show
        self._asked: dict = {}
        self._known = dict(_UNKNOWN)

    @property
    def seen(self) -> dict:
        """All answers, as a part of the page's state."""
        known = self._known
        lessons = {"lesson": self._lesson_seen()}
        return known["touch"] | known["demo"] | lessons | known["explained"]

    # ------------------------------------------------------------------ slow questions

    def look(self) -> None:
        """Compute all facts about the position."""
        view, surroundings = self._view, self._surroundings
        now = view.state, view.game, view.position, view.left
        self._ask(surroundings.reckon, "touch", self._touches, now)
        if view.game:
            if view.rule:
                self._ask(surroundings.think, "demo", _demo, (view.game, view.rule == "misere"))
            self._ask(surroundings.think, "explained", explain.explain, explain.question(view))
        over = view.state == states.VERDICT and not self.lesson
        if view.state != states.ATTRACT:  # the page may still show it in these states
            match = (view.moves, view.winner, view.players) if over else NO_MATCH
            self._ask(surroundings.think, "rewound", rewound, match)

    @property
    def rewound(self) -> dict:
        """The position where the last match was lost, as in rewind.py."""
        return self._known["rewound"]

    def _ask(self, think, subject, ask, question):
        """Call ask(question), unless the question has not changed."""
        if question == self._asked.get(subject):
            return
        self._asked[subject] = question

        def answer():
            try:
                return ask(question)
            except Exception as why:  # the show continues without it
                self._surroundings.warn(f"no explanation: {why!r}")
                return _UNKNOWN[subject]

        def learn(known):
            if question == self._asked[subject]:
                self._known[subject] = known
                self._show()

        think(answer, learn)

    def _touches(self, now):
        return {"touch": [touch and explain.bits(touch.lamps) for touch in self._view.touches]}

    # ------------------------------------------------------------------ the lesson

    def said(self) -> tuple:
        """Return the messages for the machine's activity and for the player's current options."""
        view = self._view
        doing, advice = view.said
        if self.lesson and not self.lesson.goes_on(view):
            self.lesson = None
        self._return()
        if self.lesson and doing[0][0].partition(".")[0] not in _BUSY:
            advice = self.lesson.said(view) or advice
        return doing, advice

    def _lesson_seen(self):
        """Return the state of the lesson, {steps} if no lesson has begun, or {} if none is
        possible. No lesson is possible if the builder does not allow Nim, or if people play each
        other."""
        if self.lesson:
            return self.lesson.seen(self._view)
        allowed = self._game == lesson.GAME or lesson.GAME in self._visit.offered("game")
        alone = self._view.players == 1 and not self._visit.is_full
        return {"steps": lesson.STEPS} if allowed and alone else {}

    @property
    def _game(self):
        return self._view.game.name if self._view.game else ""

    def teach(self, page, step: int) -> None:
        """Begin a scene, 1 to lesson.STEPS. 0 leaves the lesson."""
        if not self._lesson_seen() or (not step and not self.lesson):
            return
        begun = lesson.Scene(step, self._last) if step else None
        home = self._home or self._game or lesson.GAME
        lines = begun.lines(self._game) if begun else [_leave(home)]
        if self._visit.teach(page, lines, self.end_lesson):
            self.lesson, self._home = begun, home if begun else ""
            self._last = begun
            self._view.touched()
        self._show()

    def teach_on(self, page) -> bool:
        """Handle GO in a lesson. Return False if the Pico must handle it."""
        view = self._view
        if not self.lesson:
            return False
        if lines := self.lesson.hands_over(view):
            return self._visit.teach(page, lines, self.end_lesson)
        step = self.lesson.next_step(view) if view.state == states.VERDICT else None
        if step:
            self.teach(page, step)
        return bool(step)

    def hand_over(self) -> None:
        """Handle the panel's own GO, which the Pico refuses before the first move."""
        for line in self.lesson.hands_over(self._view) if self.lesson else ():
            self._visit.type(line)

    def keep_time(self) -> None:
        """If it is due, make the lesson's move for the visitor. Call this about once a second."""
        line = self.lesson.answer(self._view, time.monotonic()) if self.lesson else ""
        if line:
            self._visit.type(line)

    def end_lesson(self) -> None:
        """End the lesson without a return to the visitor's game, because the visitor has chosen
        another game or has gone."""
        self.lesson, self._home = None, ""

    def _return(self):
        """Return to the visitor's game after the lesson."""
        view = self._view
        if self._home and not self.lesson and view.state == states.OPENING and view.position:
            if self._home != lesson.GAME == self._game:
                self._visit.type(_leave(self._home))
            self._home = ""


def _leave(home):
    """Return the console line that leaves the lesson for this game."""
    return "new" if home == lesson.GAME else f"choose game {home}"


def _demo(question):
    return {"demo": demonstration(*question)}


def card(name: str) -> Card:
    """Return a game's card: the lamps in an opening, the lamps in one possible move, and the rule
    in a sentence. The lamps are a mask, as in explain.py."""
    game = games.find(name)
    position = game.openings[len(game.openings) // 2]
    before = mask(game, position)
    moves = [before & ~mask(game, option) for option in game.options(position)]
    best = min(moves, key=lambda move: abs(bin(move).count("1") - _CARD_TAKE))
    return before, best, game_texts.rules(game)


def demonstration(game: Game, misere: bool) -> list[int]:
    """Return a short match as masks, from an opening to the end, which the first side wins. The
    list is empty if no opening can be won."""
    openings = [rows for rows in game.openings if not game.is_p(rows, misere)]
    shown = []
    position = openings[0] if openings else None
    while position is not None:
        shown.append(mask(game, position))
        options = list(game.options(position))
        order = sorted([(game.size(option), at) for at, option in enumerate(options)])
        if not options or len(shown) > _MOVES:
            return shown
        good = game.winning_options(position, misere)
        position = min(good, key=game.size) if good else options[order[len(order) // 2][1]]
    return shown
