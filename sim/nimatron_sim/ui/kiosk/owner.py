"""Whose match it is.

A match belongs to the page that presses, touches or chooses first, so that no other page acts in
it: until it is over, or the owner presses NEW, closes the page, is still for a while and does not
answer when asked, or makes no move for longer, however busy. Between two people the seats say who
may play. The panel's own buttons and the operator are never bound.
"""

import time
from math import inf

from nimatron import states
from nimatron_sim.ui.kiosk.pages import Page
from nimatron_sim.ui.words import message

STILL_S = 20  # without a sign of the owner, after which others may play
_ANSWER_S = 4  # that the owner has to show up, when somebody else then wants to play
_MOVE_S = 60  # without a move of the owner's, after which others may play
_MACHINES = (states.THINKING, states.MACHINE)  # where there is nothing to do for the owner
_MATCH = (states.OPENING, states.PLAYER) + _MACHINES


class Owner:
    """The page that owns the match, if there is one."""

    def __init__(self) -> None:
        self._page: Page | None = None
        self._last: Page | None = None  # who has owned this match last
        self._seen_at = 0.0
        self._moved_at = 0.0  # or since when the match is the owner's
        self._asked_at = -inf  # whether they play on
        self._state = ""

    def enter(self, state: str) -> None:
        """Note the state of the show."""
        if state not in _MATCH:
            self._page = self._last = None
        if self._state in _MACHINES:  # it is the owner's turn only now
            self._seen_at = self._moved_at = time.monotonic()
        self._state = state

    def act(self, page: Page, gives_up: bool = False) -> None:
        """Note that a page which may do so has pressed, touched or chosen something."""
        self._page = None if gives_up else page
        self._seen_at = time.monotonic()
        if page is not self._last:
            self._last = page
            self._moved_at = self._seen_at

    def see(self, page: Page) -> None:
        """Note that somebody uses this page."""
        if page is self._page:
            self._seen_at = time.monotonic()

    def ask(self, page: Page) -> bool:
        """Ask the owner, who has been still, whether they play on, because another page wants to;
        False if they need not be asked, or have had the time to answer."""
        return self._page is not page and self.asked()

    def asked(self) -> bool:
        """The same, because others want to."""
        if self._page is None or self._state not in _MATCH or self._page.is_missed():
            return False
        now = time.monotonic()
        if now - self._moved_at >= _MOVE_S:
            return False
        if self._asked_at <= self._seen_at:
            self._asked_at = now
            self._page.tell(message("seat.wanted"))
        return now - self._asked_at < _ANSWER_S

    def leave(self, page: Page) -> None:
        """Note that whoever uses this page does not want to play on."""
        if page is self._page:
            self._page = None

    @property
    def page(self) -> Page | None:
        """Whose the match is, if anybody's."""
        return self._page

    def bars(self, page: Page) -> bool:
        """True if the match belongs to another page."""
        if self._page in (None, page) or self._state not in _MATCH or self._page.is_missed():
            return False
        if self._state in _MACHINES:
            return True
        now = time.monotonic()
        return now - self._seen_at < STILL_S and now - self._moved_at < _MOVE_S
