"""The Pico's reports about itself: its health, its statistics and its settings."""

import time
from collections import OrderedDict
from typing import Callable

from nimatron import protocol, states

EVERY_S = 60.0  # seconds between automatic questions
# Each question, and a key in its answer. After an interruption, an answer may belong to another
# question.
_QUESTIONS = OrderedDict(
    [("health", "uptime_s"), ("stats", "since"), ("settings", "level"), ("version", "version")]
)

Ask = Callable[[str, Callable[[str], None]], None]


class PicoReports:
    """The latest answers, in `told`: {question: {key: text}}. After each answer, changed() is
    called, and failed(device) is called for each device that has failed since the previous
    answer."""

    def __init__(self, ask: Ask, changed: Callable[[], None], failed: Callable[[str], None]):
        self.told: dict[str, dict[str, str]] = {}
        self.told_at: float | None = None
        self._ask = ask
        self._changed = changed
        self._failed = failed
        self._asked_at: float | None = None

    def hear(self, kind: str, what: str, values: dict[str, str], state: str) -> None:
        """Handle a console line. `state` is the state of the exhibit at that time."""
        known = self._asked_at is not None
        if kind == protocol.OK and "saved" in values and known:
            self._question("settings")
        if "state" in values:
            self.entered(values["state"])
        elif kind == protocol.EVENT and what == "boot":
            self.forget()
        elif kind == protocol.EVENT and (
            what == "device" or "contact" in values or "fault" in values
        ):
            if known and state in states.STATES:
                self._question("health")

    def entered(self, state: str) -> None:
        """Handle a new state of the exhibit. The first questions are sent at once, and all others
        between matches. In maintenance mode, no question is sent, because it would keep the mode
        from ending."""
        if self._asked_at is None:
            due = state in states.STATES
        else:
            due = state == states.ATTRACT and time.monotonic() - self._asked_at >= EVERY_S
        if due:
            self._ask_all()

    def forget(self) -> None:
        """Forget everything, because the Pico has restarted or is gone."""
        self.told = {}
        self.told_at = self._asked_at = None

    def ask(self) -> None:
        """Ask all questions again. If the Pico is still starting, ask later."""
        if self._asked_at is not None:
            self._ask_all()

    def _ask_all(self):
        self._asked_at = time.monotonic()
        for question in _QUESTIONS:
            self._question(question)

    @property
    def settings(self) -> dict[str, str]:
        """The builder's known settings."""
        return self.told.get("settings", {})

    @property
    def failures(self) -> list[str]:
        """The devices that have failed, the buttons that are stuck, and the faulty wires."""
        health = self.told.get("health", {})
        lists = (names(health.get(key, "")) for key in ("failed", "stuck", "lamps"))
        return [name for names in lists for name in names]

    def _question(self, question):
        self._ask(question, lambda said: self._hear(question, said))

    def _hear(self, question, said):
        kind, _, values = protocol.parse(said)
        if kind != protocol.OK or _QUESTIONS[question] not in values:
            return  # a mode without this answer
        before = set(self.failures)
        self.told = self.told | {question: values}
        self.told_at = time.monotonic()
        if question == "health":
            for device in self.failures:
                if device not in before:
                    self._failed(device)
        self._changed()


def names(text: str) -> list[str]:
    """Return the names in a list in the answer to `health`, which may be empty or unknown."""
    return [] if text in ("", "none", "ok", "unknown") else text.split(",")
