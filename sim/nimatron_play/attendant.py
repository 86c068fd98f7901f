"""The Attendant, which connects a Pico of any kind to the terminal or the kiosk's page."""

from typing import Callable

from nimatron import protocol, states
from nimatron_play.panel_view import PanelView

_UNANSWERED = 24  # the most lines to keep while the Pico's console has not answered


Answered = Callable[[str], None]


class Attendant:
    """An attendant keeps a PanelView up to date, and types at the console. Use it from one thread,
    and pass all records of the session to `take` in that thread.

    session: the Pico, such as nimatron_host.live.Live.
    lines: console lines to type when the console is ready.
    real: True for a Pico on a cable.
    """

    def __init__(self, session, lines: list[str]):
        self.display = PanelView()
        self.session = session
        self.real = False
        self._lines = lines
        # for each unanswered line: whether a person typed it, and the function that gets the
        # answer
        self._asked: list[tuple[bool, Answered | None]] = []
        self._starts = 0  # how often the Pico has started
        self._greets = False  # the Pico has started, and has not answered yet

    def take(self, record: dict) -> list[str]:
        """Handle a trace record. Return the console lines in it that people should see."""
        if "cable" in record:
            self.real = True
            self._asked.clear()  # those lines will get no answer
            self._greets = False
        ask_status = self.display.record(record)
        said = self._hear(record["console"]) if "console" in record else []
        if ask_status:
            self.ask("status")
        return said

    def touch(self, lamp: int) -> bool:
        """Touch a lamp, counted in reading order from 0. Return False if a touch has no effect
        now."""
        touch = self.display.touches[lamp]
        if not touch:
            return False
        self.display.touched()
        self.ask(f"pick {touch.pick}")
        return True

    def send(self, line: str, answered: Answered | None = None) -> str:
        """Type a line for a person, and return the line as the console shows it. answered(line) is
        also called with the answer."""
        self._asked.append((True, answered))
        self.session.order("send", line)
        return f"> {line}"

    def ask(self, line: str, answered: Answered | None = None) -> None:
        """Type a line and show no answer. answered(line) is called with the answer."""
        self._asked.append((False, answered))
        self.session.order("send", line)

    @property
    def busy(self) -> bool:
        """True while the Pico's console still has lines from people to carry out."""
        return len(self._asked) >= _UNANSWERED

    def _hear(self, line):
        if protocol.parse(line)[:2] == (protocol.EVENT, "boot"):
            self._greet()
        if self._greets and protocol.is_answer(line):
            self._greets = protocol.parse(line)[2].get("nonce") != str(self._starts)
            return []
        person, answered = True, None
        if self._asked and protocol.is_answer(line):
            person, answered = self._asked.pop(0)
        if answered:
            answered(line)
        said = [line] if person else []
        if self.display.state == states.ATTRACT:
            lines, self._lines = self._lines, []
            said += map(self.send, lines)
        return said

    def _greet(self):
        """Ask a question with a new number. The number matches each answer to its question,
        because the Pico may or may not answer a line that is typed during its restart."""
        self._asked.clear()
        self._starts += 1
        self._greets = True
        self.session.order("send", f"version {self._starts}")
