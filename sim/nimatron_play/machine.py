"""The machine that a page shows: its state for viewers, and their actions."""

from collections import deque

from nimatron import board, protocol, states
from nimatron_play import game_texts, words
from nimatron_play.attendant import Answered, Attendant
from nimatron_play.explain import bits
from nimatron_play.insight import Insight
from nimatron_play.match_record import MatchRecord
from nimatron_play.panel_view import PanelView
from nimatron_play.pico_reports import PicoReports
from nimatron_play.rewind import Rewind, won
from nimatron_play.shared_buttons import CLOSED, SharedButtons
from nimatron_play.surroundings import Surroundings
from nimatron_play.visit import Visit

_LINES = 60  # console lines to keep


class Machine:
    """The machine in a session, and its viewers. Call `take` with the session's records.

    lines: console lines to type at the start.
    spectate: True if no viewer may press.
    places, public: see table.py.
    viewers, operators: the Visitors and Operators. Whenever they have news, `wake` of their peer,
        the connection to the page, is called.
    """

    def __init__(
        self,
        session,
        lines: list[str],
        surroundings: Surroundings,
        spectate: bool = False,
        places: int = 2,
        public: bool = False,
    ):
        self.surroundings = surroundings
        self.spectate = spectate
        self.state: dict = {}
        self.viewers: set = set()
        self.operators: set = set()
        self.said: deque[str] = deque((), _LINES)
        self.attendant = attendant = Attendant(session, lines)
        self.facts = PicoReports(attendant.ask, self.show, self._device_failed)
        self.visit = Visit(attendant, self.facts, places, public)
        self.insight = Insight(surroundings, self.view, self.visit, self.show)
        self.rewind = Rewind(self.view, self.visit, self.insight)
        self.buttons = SharedButtons(attendant, self.visit, self.insight, self.show)
        self.playing = MatchRecord(surroundings, self.view, self.visit)
        self._brightness: list[float] = [0] * (board.ROWS * board.LAMPS)
        self._shows = False  # True if a call of show() is due

    def start(self) -> None:
        self.show()
        self.attendant.session.start()

    @property
    def view(self) -> PanelView:
        """The panel as a person sees it."""
        return self.attendant.display

    # ------------------------------------------------------------------ the machine's side

    def take(self, records: list) -> None:
        """Handle trace records, and show their effect. Ignore lines that noise has damaged."""
        for record in records:
            try:
                self._take(record)
            except (ValueError, LookupError, TypeError) as why:
                self.surroundings.warn(
                    f"the Pico sent a line that makes no sense ({why!r}): {record}"
                )
        self.buttons.begin()
        self.rewind.begin()
        self.show()

    def _take(self, record):
        self.said.extend(self.attendant.take(record))
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
        self.facts.hear(kind, what, values, self.view.state)
        self.playing.hear(kind, what, values)
        if kind != protocol.EVENT:
            return
        self.rewind.hear(what, values)
        if values.get("state") == states.ATTRACT:
            self.insight.end_lesson()  # even before its first move, because the visitor has gone
        elif values.get("refused") == board.GO:
            self.insight.hand_over()
        elif what in ("over", "abandoned") and self.operators:
            self.facts.ask()

    def _device_failed(self, device):
        self.surroundings.note("failed", device)
        self.surroundings.warn(f"the Pico reports that {device} has failed or is stuck")

    def show(self) -> None:
        """Send the current state to every page soon."""
        if not self._shows:
            self._shows = True
            self.surroundings.soon(self._show)

    def _show(self):
        view, visit, surroundings = self.view, self.visit, self.surroundings
        self.insight.look()
        self._shows = False
        doing, advice = self.rewind.said(*self.insight.said())
        if view.state in CLOSED:
            advice = [CLOSED[view.state]]
        game = [words.message(game_texts.rules(view.game))] if view.game else []
        lesson = self.insight.lesson
        self.state = {
            "lamps": self._brightness,
            "legends": lesson.legends(view.legends) if lesson else view.legends,
            "won": view.state == states.VERDICT and view.winner.startswith("player"),
            "sound": view.sound,
            "coin": view.coin,
            "tokens": view.tokens,
            "state": view.state,
            "game": view.game.name if view.game else "",
            "games": visit.offered("game"),
            "level": view.level,
            "levels": visit.offered("level"),
            "people": visit.people,
            "picked": bits(view.picked),
            "rule": game + view.rule_said,
            "doing": doing,
            "advice": advice,
            "held": self.buttons.held,
            "today": surroundings.figures.today,
            "language": surroundings.pages.language,
            "quiet": surroundings.pages.silent,
            "muted": self.facts.settings.get("mute") == "1",
            "volume": surroundings.pages.volume,
            "real": self.attendant.real,
            "rewind": self.rewind.seen | (lesson.hint(view) if lesson else {}),
            "match": won(view),
        } | self.insight.seen
        for page in self.viewers | self.operators:
            page.peer.wake()

    # ------------------------------------------------------------------ the visitors' side

    def leave(self, viewer) -> None:
        """Forget a viewer, and release their buttons."""
        self.viewers.discard(viewer)
        for button in board.BUTTONS:
            self.buttons.release(viewer, button)

    def send(self, line: str, answered: Answered | None = None) -> None:
        """Type an operator's line at the console. answered(line) is called with the answer."""
        self.said.append(self.attendant.send(line, answered))
        if line.split()[0] == "stats":  # the line may reset the statistics
            self.facts.ask()
        self.show()

    def keep_time(self) -> None:
        """Let time pass. Call this about once a second."""
        self.insight.keep_time()
        if self.visit.keep_time():
            self.show()


def _full(masks):
    return [mask >> lamp & 1 for mask in masks for lamp in range(board.LAMPS)]
