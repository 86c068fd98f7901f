"""The pages that are open, and those that were cut off a moment ago and may come back."""

import secrets
import time
from typing import Protocol

from nimatron_sim.ui.words import Message

_KEPT_S = 60.0  # a page that is cut off stays known for so long
_KEPT = 1000  # pages
_MISSED_S = 5.0  # a page that is cut off is missed from then on
_CUT_S = 15.0  # a page that is cut off is back by then


class Connection(Protocol):
    """The line to a page."""

    def tell(self, *notice: Message) -> None: ...


class Page:
    """What is known of a page while its connections come and go. viewer: the present one, while
    there is one. local: it is open on this computer itself, as on the exhibit's own screen.
    address: of the device; "" for this computer, and for everybody behind a proxy on it."""

    def __init__(
        self,
        control: bool,
        viewer: Connection | None = None,
        left_at: float = 0.0,
        local: bool = False,
        address: str = "",
    ):
        self.control = control
        self.local = local
        self.address = address
        self.viewer = viewer
        self.left_at = left_at
        self.done = 0  # the last serial number
        self.seat: int | None = None  # from 1
        self.language = ""  # that it speaks
        self.you = secrets.token_urlsafe(9)

    def tell(self, *notice: Message) -> None:
        """Show this on the page for a moment, if it is there."""
        if self.viewer:
            self.viewer.tell(*notice)

    def cut(self) -> None:
        """Note that it has no connection any more."""
        self.viewer = None
        self.left_at = time.monotonic()

    def is_beside(self, other: "Page") -> bool:
        """True for another page of the same device."""
        return self is not other and self.address != "" and self.address == other.address

    def is_missed(self) -> bool:
        """True if it has been away for longer than a short cut takes."""
        return self._is_away_for(_MISSED_S)

    def has_gone(self) -> bool:
        """True if it was closed, rather than cut off a moment ago."""
        return self._is_away_for(_CUT_S)

    def _is_away_for(self, seconds):
        return not self.viewer and time.monotonic() - self.left_at > seconds


class Pages:
    """The pages that are open or were so a moment ago."""

    def __init__(self) -> None:
        self._pages: dict[str, Page] = {}

    def open(self, page: Page) -> Page:
        self._forget()
        self._pages[page.you] = page
        return page

    def find(self, you: str) -> Page | None:
        self._forget()
        return self._pages.get(you)

    def drop(self, page: Page) -> None:
        self._pages.pop(page.you, None)

    def _forget(self):
        gone = [page for page in self._pages.values() if not page.viewer]
        # A crowd that comes and goes displaces nobody who plays.
        gone.sort(key=lambda page: (page.seat is not None, page.control))
        old = [page for page in gone if page._is_away_for(_KEPT_S)]
        for page in old or gone[: len(self._pages) - _KEPT]:
            self.drop(page)
