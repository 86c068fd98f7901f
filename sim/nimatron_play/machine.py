"""The machine that a page shows: what it does, as a state for viewers, and what they do to it."""

import time
from collections import deque
from typing import Protocol

from nimatron import board, protocol, states
from nimatron_play import facts, lesson, texts, words
from nimatron_play.attendant import Answered, Attendant, Connect
from nimatron_play.defaults import VOLUME
from nimatron_play.explain import NOTHING, bits, explain
from nimatron_play.pages import Page, Pages
from nimatron_play.panel_view import PanelView
from nimatron_play.pictures import demonstration
from nimatron_play.playing import ABANDONED, Playing
from nimatron_play.visit import Visit
from nimatron_play.words import Message

_LINES = 60  # of the console
_HERE_S = 10  # between two notes that somebody is there; a warning comes at once
_UNANSWERED = 24  # lines typed for visitors
_BUSY = "refused", "warning", "fault"  # said to somebody in the midst of something
# Where visitors' presses would drop tokens and put off the show's return, and what they are told.
_CLOSED = {
    states.MAINTENANCE: words.message("do.serviced"),
    states.CRASHED: words.message("do.crashed"),
}


class News(Protocol):
    """Set when there is something new to see."""

    def set(self) -> None: ...


class Watcher(Protocol):
    """A page, as the machine knows it."""

    changed: News


class Player(Watcher, Protocol):
    """A page that can press."""

    page: Page

    def tell(self, *notice: Message) -> None: ...


class Machine:
    """The machine of connect(), and everybody who looks at it.

    lines: to type at the console at first. spectate: nobody may press. language: of a fresh page,
    "" for the browser's. places, public: see table.py. A server or a browser adds what takes
    threads and files: where matches are kept (`today`, `note`, `keep`), who thinks (`think`), and
    what else may `change`.
    """

    def __init__(
        self,
        connect: Connect,
        lines: list[str],
        spectate: bool = False,
        language: str = "",
        places: int = 2,
        public: bool = False,
    ):
        self.spectate = spectate
        self.state: dict = {}
        self.viewers: set[Player] = set()
        self.pages = Pages()
        self.operators: set[Watcher] = set()
        self.defaults: dict[str, object] = {}  # of settings, where they are not the firmware's
        self.place = lambda fault: ""  # of a faulty wire
        self.language = language
        self.visitors_language = ""  # of the page that played last
        self.begun_at = time.monotonic()
        self.resets = 0  # starts of the Pico while it was being watched, so not the first one
        self._seen_on = False
        self.facts = facts.Facts(self._ask, self.show, self._device_failed)
        self._connect = connect
        self._lines = lines
        # Who is holding each button.
        self._holders: dict[str, set[Player]] = {button: set() for button in board.BUTTONS}
        self._brightness: list[float] = [0] * (board.ROWS * board.LAMPS)
        self._said: deque[str] = deque((), _LINES)
        self._explained: tuple = ()
        self._explanation = NOTHING
        self._lesson: lesson.Lesson | None = None
        self._demonstrated: tuple = ()
        self._demo: list[int] = []
        self._real = False  # a Pico on a cable, whose lamps nothing may hide
        self.visit = Visit(
            self._ask, self._settings, self._busy, self.pages, places, public, self.renew
        )
        self._old = False  # the firmware does not know `pick`
        self._here_at = -_HERE_S
        self._touched: tuple | None = None
        self._meant: list = []
        self._playing = Playing()

    def begin(self, record=None, failed=None) -> None:
        """Connect to the machine. record(dict) and failed(exception): by what `take` and `fail`
        are called in the session's stead, if that is in another thread."""
        self._attendant = Attendant(
            self._connect, record or self.take, failed or self.fail, self._lines
        )
        self.show()
        self._attendant.session.start()

    @property
    def view(self) -> PanelView:
        """What a person at the panel sees."""
        return self._attendant.display

    # ------------------------------------------------------------------ what else there is

    @property
    def today(self) -> dict[str, int]:
        """How many matches ended today with a winner, and how many of those people won."""
        return {"played": 0, "won": 0}

    @property
    def edition(self) -> str:
        """A text that changes whenever there are new figures of the matches."""
        return ""

    @property
    def silent(self) -> bool:
        """True while pages make no sound."""
        return False

    @property
    def volume(self) -> int:
        """How loud a fresh page is, one of defaults.VOLUMES."""
        return VOLUME

    @property
    def sounds(self) -> dict | None:
        """What the operator's page shows of `volume` and quiet hours; None if they are fixed."""
        return None

    def set_sounds(self, volume: str, quiet: str) -> None:
        """Set them; raises ValueError."""
        raise ValueError("the sound is fixed")

    def show_soon(self) -> None:
        """Show what several people have just done; it takes as long as for one of them."""
        self.show()

    def renew(self) -> None:
        """Let nobody come to this table by the old link."""

    def saved(self, values: dict[str, str]) -> None:
        """Note that these settings were saved."""

    def note(self, what: str, detail: str = "") -> None:
        """Keep an event: a reset of the Pico, or a device that failed."""

    def keep(self, match: dict) -> None:
        """Keep a match; see Playing.ended."""

    def warn(self, text: str) -> None:
        """Tell whoever looks after the machine."""

    def fail(self, why: BaseException) -> None:
        """Note that the machine has ended."""

    def think(self, ask, *question, then) -> None:
        """Call then(answer) when ask(*question) is known; the answer is None if that fails."""
        then(self.answer(ask, *question))

    def answer(self, ask, *question):
        """The answer of ask(*question), None if it fails."""
        try:
            return ask(*question)
        except Exception as why:  # the show goes on without it
            self.warn(f"no explanation: {why!r}")
            return None

    # ------------------------------------------------------------------ what the machine does

    def take(self, record: dict) -> None:
        """Take in a trace record, and show what it has changed. Noise on a cable is ignored."""
        self.take_all([record])

    def take_all(self, records: list) -> None:
        """The same with several, which are shown once."""
        for record in records:
            try:
                self._take(record)
            except (ValueError, LookupError, TypeError) as why:
                self.warn(f"the Pico sent a line that makes no sense ({why!r}): {record}")
        self.show()

    def _take(self, record):
        self._said.extend(self._attendant.take(record))
        self._real = self._real or "cable" in record
        if "lamps" in record:
            self._brightness = record.get("brightness") or _full(record["lamps"])
        elif not record.get("cable", True):
            self._brightness = [0] * len(self._brightness)
            self.facts.forget()
        elif "console" in record:
            self._hear(record["console"])

    def _hear(self, line):
        kind, what, values = protocol.parse(line)
        self.visit.hear(line)
        if kind == protocol.OK and "saved" in values:
            self.facts.change()
            self.saved(values)
        if "state" in values:
            self._seen_on = True
            self.facts.entered(values["state"])
            if values["state"] in (states.ATTRACT, states.OPENING):
                self._playing = Playing()
            if values["state"] == states.ATTRACT and kind == protocol.EVENT:
                self._lesson = None  # even one that had not begun: the visitor has gone
        elif kind != protocol.EVENT:
            return
        elif what == "boot":
            self._booted(values.get("why", ""))
        elif what == "device" or "contact" in values or "fault" in values:
            self.facts.suspect(self._attendant.display.state)
        elif what == "practice":
            self._playing = Playing(practice=True)
        elif what == "move":
            self._playing.moved()
        elif what == "over":
            self._over(values["winner"])
        elif what == "abandoned":
            self._over(ABANDONED)

    def _booted(self, why):
        self._old = False
        self.facts.forget()
        self._playing = Playing()
        self.resets += self._seen_on
        self.note("reset", why)

    def _over(self, winner):
        display = self._attendant.display
        match = self._playing.ended(
            game=display.game.name if display.game else "",
            level=display.level if self.visit.people == 1 else "",  # it is the machine's
            rule=display.rule,
            winner=winner,
            players=self.visit.people,
            language=self.visitors_language,
        )
        if match:
            self.keep(match)
        if self.operators:
            self.facts.ask()

    def _device_failed(self, device):
        self.note("failed", device)
        self.warn(f"the Pico reports that {device} has failed or is stuck")

    def show(self) -> None:
        """Tell every page what there is to see now."""
        display = self._attendant.display
        doing, advice = display.said
        if self._lesson and not self._lesson.goes_on(display):
            self._lesson = None
        busy = doing[0][0].partition(".")[0]
        if self._lesson and busy == "picked":
            advice = self._lesson.picked(display) or advice
        elif self._lesson and busy not in _BUSY:
            advice = self._lesson.said(display) or advice
        if display.state in _CLOSED:
            advice = [_CLOSED[display.state]]
        game = [words.message(texts.rules(display.game))] if display.game else []
        game_name = display.game.name if display.game else ""
        self.state = {
            "lamps": self._brightness,
            "legends": display.legends,
            "won": display.state == states.VERDICT and display.winner.startswith("player"),
            "sound": display.sound,
            "coin": display.coin,
            "tokens": display.tokens,
            "state": display.state,
            "game": game_name,
            "games": self.visit.offered("game"),
            "level": display.level,
            "levels": self.visit.offered("level"),
            "people": self.visit.people,
            "touch": [touch and bits(touch.lamps) for touch in self._touches()],
            "picked": bits(display.picked),
            "rule": game + display.rule_said,
            "doing": doing,
            "advice": advice,
            "held": sorted(button for button, holders in self._holders.items() if holders),
            "today": self.today,
            "language": self.language,
            "quiet": self.silent,
            "muted": self.facts.told.get("settings", {}).get("mute") == "1",
            "volume": self.volume,
            "lesson": self._lesson_seen(display, game_name),
            "demo": self._demo,
            "real": self._real,
        } | self._explanation
        for page in self.viewers | self.operators:
            page.changed.set()
        self._explain(display)

    def _lesson_seen(self, display, game):
        """The lesson, or {steps} if there can be one, or {}: the builder may not allow Nim, and
        people who play each other are told nothing."""
        if self._lesson:
            return self._lesson.seen(display)
        allowed = game == lesson.GAME or lesson.GAME in self.visit.offered("game")
        alone = display.players == 1 and not self.visit.is_full
        return {"steps": lesson.STEPS} if allowed and alone else {}

    def _explain(self, display):
        if not display.game:
            return
        played = display.game, display.rule == "misere"
        if display.rule and played != self._demonstrated:
            self._demonstrated = played
            self.think(demonstration, *played, then=self._demonstrates)
        question = (
            display.game,
            display.position,
            display.rule == "misere",
            display.moves,
            display.mover,
            display.left,
            display.players,
            bool(display.last),
        )
        if question != self._explained:
            self._explained = question
            self.think(explain, *question, then=lambda answer: self._knows(question, answer))

    def _demonstrates(self, demo):
        self._demo = demo or []
        self.show()

    def _knows(self, question, answer):
        if question == self._explained:
            self._explanation = answer or NOTHING
            self.show()

    # ------------------------------------------------------------------ what people do

    def leave(self, viewer: Player) -> None:
        """Forget a viewer, and let go of what they hold."""
        self.viewers.discard(viewer)
        for button in board.BUTTONS:
            self.release(viewer, button)

    def press(self, viewer: Player, button: str) -> None:
        holders = self._holders[button]
        if not self._passes(viewer, button):
            return
        self.visitors_language = viewer.page.language
        if button == board.GO and self._teaches_on(viewer):
            return
        if holders and viewer not in holders:  # whoever holds a button keeps it from nobody
            self._attendant.session.release(button)
            holders.clear()
        if not holders:
            self._attendant.session.press(button)
            self._attendant.display.touched()
        holders.add(viewer)
        self.show_soon()

    def _passes(self, viewer, button):
        """True if a viewer's press counts now."""
        if closed := _CLOSED.get(self._attendant.display.state):
            viewer.tell(closed)
            return False
        passes = self.visit.happen("press", viewer.page.you, button)
        self.show_soon()
        return passes

    def release(self, viewer: Player, button: str) -> None:
        holders = self._holders[button]
        if viewer in holders:
            holders.remove(viewer)
            if not holders:
                self._attendant.session.release(button)
            self.show_soon()

    def touch(self, viewer: Player, lamp: int) -> None:
        """Touch a lamp, from 0: pick it, or give it back. While nobody plays, any button's press
        begins."""
        button = board.ROW_BUTTONS[lamp // board.LAMPS]
        if not self._passes(viewer, button):
            return
        self.visitors_language = viewer.page.language
        if self._attendant.display.state in (states.ATTRACT, states.VERDICT):
            if not self._teaches_on(viewer):
                self._attendant.session.tap(board.GO)
        elif not self._old and not self._busy():
            self._attendant.touch(lamp, lambda said: self._picked(viewer, said))

    def here(self, viewer: Player) -> None:
        """Note that somebody uses the page. The firmware ignores a long press of GO, but begins
        its idle time anew."""
        display = self._attendant.display
        now = time.monotonic()
        self.visit.happen("touch", viewer.page.you)
        if display.state not in (states.PLAYER, states.OPENING) or self._busy():
            return
        if not self.visit.seat(viewer.page):
            return  # it is another page's match
        if display.warned or now >= self._here_at + _HERE_S:
            self._here_at = now
            display.noticed()
            self._ask(f"hold {board.GO}", lambda said: None)
            self.show_soon()

    def _touches(self):
        """What a touch of each lamp means; it is found out once for each position."""
        display = self._attendant.display
        now = display.state, display.game, display.position, display.left, self._old
        if now != self._touched:
            self._touched = now
            self.find_touches()
        return self._meant

    def find_touches(self) -> None:
        """Find out what a touch of each lamp means now."""
        self._meant = [None] * len(self._brightness) if self._old else self.view.touches

    def _picked(self, viewer, said):
        if protocol.parse(said)[2].get("reason") == "unknown-command":
            self._old = True
            viewer.tell(words.message("do.old"))
            self.show()

    def teach(self, viewer: Player, step: int) -> None:
        """Begin a lesson, 1 to lesson.STEPS; 0 leaves the one that is on."""
        display = self._attendant.display
        if not self.state["lesson"] or (not step and not self._lesson):
            return
        begun = lesson.Lesson(step, display.rule != "normal") if step else None
        lines = begun.lines(self.state["game"]) if begun else ["new"]
        if self.visit.teach(viewer.page, lines, self._end_lesson):
            self._lesson = begun
            display.touched()
        self.show()

    def _teaches_on(self, viewer):
        """Begin the next lesson, if the viewer's own is over; False if there is none to begin."""
        step = self._lesson.next_step(self._attendant.display) if self._lesson else None
        if step:
            self.teach(viewer, step)
        return bool(step)

    def _end_lesson(self):
        self._lesson = None

    def alone(self, viewer: Player) -> None:
        """Let a viewer continue against the machine."""
        self.visit.happen("alone", viewer.page.you)
        self.show_soon()

    def keep_time(self) -> None:
        """Let time pass; call this about once per second."""
        before = self.visit.table.places, self.visit.table.away
        for event in self.pages.keep_time():
            self.visit.happen(*event)
        self.visit.happen("tick", 0)
        if (self.visit.table.places, self.visit.table.away) != before:
            self.show_soon()

    # ------------------------------------------------------------------ what the operator does

    def send(self, line: str, answered: Answered | None = None) -> None:
        """Type a line of the operator's at the console; answered(line) gets its answer."""
        self._said.append(self._attendant.send(line, answered))
        if line.split()[0] == "stats":  # may begin them anew
            self.facts.ask()
        self.show()

    @property
    def said(self) -> list[str]:
        """The console's last lines."""
        return list(self._said)

    def _settings(self):
        """The builder's, as far as they are known."""
        return self.facts.told.get("settings", {})

    def _busy(self):
        """True if visitors have asked for more than the Pico's console has done by now."""
        return self._attendant.unanswered >= _UNANSWERED

    def _ask(self, line, answered):
        self._attendant.ask(line, answered)


def _full(masks):
    return [mask >> lamp & 1 for mask in masks for lamp in range(board.LAMPS)]
