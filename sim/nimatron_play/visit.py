"""A visit: the actions and choices of the people at a table. It lasts until attract mode returns.

The rules are in table.py. This module passes them the time and the machine's news, and carries out
their orders.
"""

import secrets
import time
from typing import Callable

from nimatron import protocol, states
from nimatron_play import table as tables
from nimatron_play.attendant import Attendant
from nimatron_play.pages import Page, Pages
from nimatron_play.pico_reports import PicoReports
from nimatron_play.words import Message, message

_CHOICES = {"game": "games", "level": "levels"}
_UNKNOWN = "not-a-number"  # the error of firmware 0.2 for a word after `practice`
_TYPED = {"pair": "choose players 2", "alone": "choose players 1", "new": "new"}


class Visit:
    """A visit. `name` is the name in the link to the table. `language` is the language of the page
    that played last. For `places` and `public`, see table.py."""

    def __init__(
        self, attendant: Attendant, facts: PicoReports, places: int = 2, public: bool = False
    ):
        self._played: tuple = ()  # the places of the match that is over
        self.people = 1  # the number of people who play each other, or 1 against the machine
        self.winner = ""  # the winner of the match that is over, such as player-2
        self.language = ""
        self.table = tables.new(places, public)
        self.pages = Pages()
        self._attendant = attendant
        self._facts = facts
        self._ticked_at = time.monotonic()
        self._renew()

    def _renew(self):
        """Close the old link to this table."""
        self.name = secrets.token_urlsafe(6)

    def happen(self, *event) -> bool:
        """Pass an event to the table. Return True if a press must be passed on to the machine."""
        now = time.monotonic()
        passed, self._ticked_at = now - self._ticked_at, now
        does = False
        for what in (("tick", round(1000 * passed)), event):
            self.table, orders = tables.after(self.table, what)
            for order in orders:
                does = self._obey(*order) or does
        return does

    def keep_time(self) -> bool:
        """Let time pass. Return True if people came or went."""
        before = self.table.places, self.table.away
        for event in self.pages.keep_time():
            self.happen(*event)
        self.happen("tick", 0)
        return (self.table.places, self.table.away) != before

    def _obey(self, kind, *what):
        if kind == "tell":
            self._tell(*what)
        elif kind == "renew":
            self._renew()
        elif kind in _TYPED:
            self._attendant.ask(_TYPED[kind], lambda said: self._answered(kind, said))
        return kind == "do"

    def _tell(self, you, key, who):
        page = self.pages.known(you)
        if page:
            page.tell(message(key, who=who))

    def _answered(self, kind, said):
        if kind == "pair":
            self.happen("paired", protocol.parse(said)[0] != protocol.ERROR)

    # ------------------------------------------------------------------ the machine's messages

    def hear(self, line: str) -> None:
        """Handle a console line."""
        kind, what, values = protocol.parse(line)
        if kind == protocol.OK and "picked" in values:
            self.people = int(values.get("players", 1))
            if values["state"] != self.table.state:  # the state is older than this server
                self._enter(values["state"])
        elif kind == protocol.EVENT and "state" in values:
            self._enter(values["state"])
        elif kind == protocol.EVENT and what == "turn":
            self.happen("turn", int(values["turn"].rpartition("-")[2]))
        elif kind == protocol.EVENT and what in ("refused", "over"):
            self.winner = values.get("winner", "")
            self.happen("answer")
        elif kind == protocol.EVENT and what == "boot":
            self.happen("boot")

    def _enter(self, state):
        if state != states.VERDICT:
            self.winner = ""
        elif self.table.state != states.VERDICT:
            self._played = self.table.places
        self.happen("show", state)

    # ------------------------------------------------------------------ choices

    def offered(self, what: str) -> list[str]:
        """Return the games or levels that the builder allows, or [] while they are unknown."""
        settings = self._facts.settings
        return settings[_CHOICES[what]].split(",") if _CHOICES[what] in settings else []

    def choose(self, page: Page, what: str, name: str) -> bool:
        """Choose another game or level for this visit. Return False if this page may not."""
        allowed = self.happen("press", page.you, tables.CHOICE) and not self._attendant.busy
        if allowed:
            self._ask(page, f"choose {what} {name}")
        return allowed

    def teach(self, page: Page, lines: list[str], refused: Callable[[], None]) -> bool:
        """Type the lines that begin or leave a lesson. Return False if this page may not do that.
        refused() is called if the Pico refuses a line."""
        allowed = self.happen("press", page.you, tables.LESSON) and not self._attendant.busy
        for line in lines if allowed else ():
            self._ask(page, line, refused)
        return allowed

    def type(self, line: str) -> None:
        """Type a line that no page has requested."""
        self._attendant.ask(line)

    def _ask(self, page: Page, line: str, refused: Callable[[], None] = lambda: None) -> None:
        """Type a line for a page. If it is refused, send the page a message."""

        def answered(said):
            kind, _, values = protocol.parse(said)
            if kind == protocol.ERROR:
                refused()
                old = values.get("reason") == _UNKNOWN
                page.tell(message("do.old") if old else message(values.get("text", said)))

        self._attendant.ask(line, answered)

    # ------------------------------------------------------------------ the players

    @property
    def state(self) -> str:
        """The exhibit's current state."""
        return self.table.state

    @property
    def pairs(self) -> bool:
        """True if two pages play each other."""
        return self.table.pair == tables.ON

    @property
    def is_full(self) -> bool:
        """True if no page can take a place."""
        return self.invites and tables.FREE not in self.table.places

    @property
    def invites(self) -> bool:
        """True if a friend may come to this table."""
        return len(self.table.places) > 1

    def seat(self, page: Page) -> int:
        """Return the page's place, from 1, or 0 if the page has no place."""
        return tables.seat(self.table, page.you)

    def waits(self, page: Page) -> bool:
        """Return True if the machine ignores presses from this page now. If the machine exists
        only once, a press also requests the lease."""
        return self.invites and not tables.may(self.table, page.you)

    def watches(self, page: Page) -> bool:
        """Return True if the match belongs to another page, also when it is over and the lease is
        free."""
        over = self.state == states.VERDICT and not self.invites
        places = self._played if over else self.table.places
        return page.you not in places and places != (tables.FREE,)

    def sentence(self, page: Page) -> list[Message]:
        """Return this page's message about the other pages."""
        said = tables.sentence(self.table, page.you)
        return [message(said[0], who=said[1])] if said else []

    def offer(self, page: Page) -> str:
        """Return the effect of one tap on the page, as in table.py."""
        return tables.offer(self.table, page.you)
