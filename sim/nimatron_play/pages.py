"""The pages at a table: open pages, and pages that were cut off and may come back."""

import secrets
import time
from typing import Protocol

from nimatron_play.words import Message

_KEPT_S = 60.0  # a page that is cut off keeps its place for so long
_KEPT = 1000  # pages
_MISSED_S = 5.0  # a page that is cut off is missed from then on


class Connection(Protocol):
    """The line to a page."""

    def tell(self, *notice: Message) -> None: ...


class Page:
    """The record of a page while its connections come and go. viewer: the present one,
    or None. address: of the device. "" for this computer, and for all visitors behind a proxy on
    it."""

    def __init__(self, control: bool, left_at: float = 0.0, address: str = ""):
        self.control = control
        self.address = address
        self.viewer: Connection | None = None
        self.left_at = left_at
        self.missed = False
        self.done = 0  # the last serial number
        self.language = ""  # of its texts
        self.you = secrets.token_urlsafe(9)

    def tell(self, *notice: Message) -> None:
        """Show this on the page for a moment, if it exists."""
        if self.viewer:
            self.viewer.tell(*notice)

    def cut(self) -> None:
        """Note that the page has lost its connection."""
        self.viewer = None
        self.left_at = time.monotonic()


class Pages:
    """The pages of one table."""

    def __init__(self) -> None:
        self._pages: dict[str, Page] = {}

    def open(self, page: Page) -> Page:
        """Note a page."""
        self._pages[page.you] = page
        return page

    def known(self, you: str) -> Page | None:
        """The page of this ID."""
        return self._pages.get(you)

    def drop(self, page: Page) -> None:
        self._pages.pop(page.you, None)

    def keep_time(self) -> list[tuple[str, str]]:
        """The fate of interrupted pages, as events of table.py. Call it once per second."""
        now = time.monotonic()
        events = []
        gone = [page for page in self._pages.values() if not page.viewer]
        # A crowd that comes and goes displaces no player.
        gone.sort(key=lambda page: page.control)
        for page in gone[: max(len(gone) - _KEPT, 0)]:
            page.left_at -= _KEPT_S
        for page in list(self._pages.values()):
            if page.viewer:
                if page.missed:
                    events.append(("back", page.you))
                page.missed = False
            elif now - page.left_at > _KEPT_S:
                self.drop(page)
                events.append(("leave", page.you))
            elif now - page.left_at > _MISSED_S and not page.missed:
                page.missed = True
                events.append(("away", page.you))
        return events
