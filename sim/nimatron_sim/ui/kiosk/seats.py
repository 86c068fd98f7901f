"""Who sits where, and who waits in line for a seat. When they play is for visit.py to say.

Whoever has sat longest makes room for those who wait. Each device has one place, and not again as
soon as it has left it. Whoever stands at the exhibit comes first, and whoever has not played
lately before those who have.
"""

import time
from collections import OrderedDict
from math import ceil
from typing import Callable

from nimatron_sim.ui.kiosk.pages import Page
from nimatron_sim.ui.words import Message, message

SEATS = 2  # unless the builder wants more people
_LINE = 4  # who wait for a seat at most; the exhibit's own screen is one more
_LATELY_S = 900  # since a device made a move in a seat
_DEVICES = 1000  # that are remembered


class Seats:
    """The seats, numbered from 1, and the line of those who wait."""

    def __init__(self) -> None:
        self._seated: dict[int, Page] = OrderedDict()  # whoever has sat longest comes first
        self._line: list[Page] = []
        # By the device's address, those that did so last at the end:
        self._played_at: dict[str, float] = OrderedDict()
        self._rests_until: dict[str, float] = OrderedDict()
        self._pauses_until: dict[str, float] = OrderedDict()

    @property
    def pages(self) -> list[Page]:
        """Those who sit; whoever has sat longest comes first."""
        return list(self._seated.values())

    @property
    def taken(self) -> list[int]:
        """The numbers. The seat of a page which has gone is free, though the page has it again if
        it comes back before somebody else takes it."""
        return sorted(seat for seat, page in self._seated.items() if not page.has_gone())

    @property
    def are_full(self) -> bool:
        """True if so many sit as play each other."""
        return len(self._seated) == SEATS

    def waiting(self) -> list[Page]:
        """Those in the line who are there."""
        return [page for page in self._line if not page.is_missed()]

    def has_in_line(self, page: Page) -> bool:
        """True if the page waits, or was cut off while it did."""
        return page in self._line

    def place(self, page: Page) -> int | None:
        """The page's place in the line, from 1; None if it does not wait for a seat."""
        waiting = self.waiting()
        return waiting.index(page) + 1 if page in waiting else None

    def leaving(self, most: int) -> list[Page]:
        """Those who have sat longest, as many as wait for one of `most` seats and find none."""
        return self.pages[: max(len(self.waiting()) - len(self._unseated(most)), 0)]

    def refuse(self, page: Page) -> Message | None:
        """Why this page cannot even wait, or None if it can."""
        if any(one.viewer and one.is_beside(page) for one in self.pages + self._line):
            return message("seat.one")
        if rest := self.rested(page):
            return rest
        if len(self._line) < _LINE + page.local:
            return None
        yields = self.has_played(self._line[-1]) and not self.has_played(page)
        return None if yields else message("seat.come-back")

    def line_up(self, page: Page) -> None:
        """Have a page wait, if need be in place of one that has played lately."""
        self._line.insert(self._before(page), page)
        if len(self._line) > _LINE + page.local and self.has_played(self._line[-1]):
            self._line.pop().tell(message("seat.come-back"))

    def leave_line(self, leaves: Callable[[Page], bool]) -> None:
        """Have some wait no longer."""
        self._line = [page for page in self._line if not leaves(page)]

    def free(self, leaves: Callable[[Page], bool]) -> list[Page]:
        """Free the seats of some, who are returned."""
        freed = [(seat, page) for seat, page in self._seated.items() if leaves(page)]
        for seat, page in freed:
            del self._seated[seat]
            page.seat = None
        return [page for _, page in freed]

    def plays(self, seat: int | None) -> None:
        """Note that whoever has this seat has made a move."""
        if page := self._seated.get(seat or 0):
            _remember(self._played_at, page, time.monotonic())

    def has_played(self, page: Page) -> bool:
        """True if its device has lately made a move in a seat."""
        played_at = self._played_at.get(page.address)
        return played_at is not None and time.monotonic() - played_at < _LATELY_S

    def rested(self, page: Page) -> Message | None:
        """What somebody is told whose device takes no seat for a while; None if it may."""
        return _until(self._rests_until, page, "seat.rest")

    def pauses(self, page: Page) -> Message | None:
        """What somebody is told whose device does not play the machine, either, while others sit;
        None if it may."""
        return _until(self._pauses_until, page, "seat.pause")

    def rest(self, page: Page, seconds: float, pauses: bool = False) -> None:
        """Have the device of a page take no seat for so long."""
        until = time.monotonic() + seconds
        _remember(self._rests_until, page, max(until, self._rests_until.get(page.address, 0)))
        if pauses:
            _remember(self._pauses_until, page, until)

    def admit(self, most: int) -> bool:
        """Seat those who wait, as far as `most` seats are free; False if nobody sat down."""
        self.leave_line(Page.has_gone)
        seated = list(zip(self._unseated(most), self.waiting()))
        for seat, page in seated:
            self._line.remove(page)
            self._seated[seat] = page
            page.seat = seat
        return bool(seated)

    def _before(self, page):
        """The place in the line for a page, from 0: whoever stands at the exhibit comes first."""
        if page.local:
            return len([one for one in self._line if one.local])
        later = [at for at, one in enumerate(self._line) if self.has_played(one)]
        return later[0] if later and not self.has_played(page) else len(self._line)

    def _unseated(self, most):
        """The seats that nobody has."""
        return [seat for seat in range(1, most + 1) if seat not in self._seated]


def _until(devices: dict[str, float], page: Page, key: str) -> Message | None:
    """A message with the seconds, in tens, until the time that is noted of a page's device."""
    left = devices.get(page.address, 0) - time.monotonic()
    return message(key, count=10 * ceil(left / 10)) if left > 0 else None


def _remember(devices: dict[str, float], page: Page, when: float) -> None:
    """Note something of a device, last; those that are known longest are forgotten."""
    if page.address:
        devices.pop(page.address, None)
        devices[page.address] = when
    for address in list(devices)[:-_DEVICES]:
        del devices[address]
