"""The pages at a table: open pages, and disconnected pages that may come back.

Their messages are JSON objects with one key. Presses may also have a serial number `n`.
"""

import json
import secrets
import time

from nimatron_play.words import Message

_KEPT_S = 60.0  # seconds for which a disconnected page keeps its place
_KEPT = 1000  # the most disconnected pages to keep
_MISSED_S = 5.0  # seconds after which the table treats a disconnected page as away


class Page:
    """The record of a page while its connections come and go. `viewer` is its Visitor, or None.
    `address` is the device's address, or "" for this computer and for all visitors behind a proxy
    on this computer."""

    def __init__(self, control: bool, left_at: float = 0.0, address: str = ""):
        self.control = control
        self.address = address
        self.viewer = None
        self.left_at = left_at
        self.missed = False
        self.done = 0  # the serial number of the last message that was carried out
        self.language = ""  # the language of the page's texts
        self.you = secrets.token_urlsafe(9)

    def tell(self, *notice: Message) -> None:
        """Show this notice on the page for a moment, if the page is connected."""
        if self.viewer:
            self.viewer.tell(*notice)

    def cut(self) -> None:
        """Record that the page has lost its connection."""
        self.viewer = None
        self.left_at = time.monotonic()


class Pages:
    """The pages of one table."""

    def __init__(self) -> None:
        self._pages: dict[str, Page] = {}

    def open(self, page: Page) -> Page:
        """Add a page."""
        self._pages[page.you] = page
        return page

    def known(self, you: str) -> Page | None:
        """Return the page with this ID, or None."""
        return self._pages.get(you)

    def drop(self, page: Page) -> None:
        self._pages.pop(page.you, None)

    def keep_time(self) -> list[tuple[str, str]]:
        """Return the events of disconnected pages for table.py. Call this once a second."""
        now = time.monotonic()
        events = []
        gone = [page for page in self._pages.values() if not page.viewer]
        # Forget watchers first, so that a crowd that comes and goes displaces no player.
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


class Bad(Exception):
    """The exception for a message that is dropped, with the reason."""


def read(text: str) -> tuple[str, str, int | None]:
    """Return a message's verb, its argument, and its serial number or None. Raises Bad."""
    try:
        message = json.loads(text)
        serial = message.pop("n", None) if isinstance(message, dict) else None
        ((verb, what),) = message.items()
    except (ValueError, AttributeError, RuntimeError):  # not JSON, or nested too deeply
        raise Bad("not a JSON object with one key") from None
    if not isinstance(what, str):
        raise Bad("its value is not a string")
    if serial is not None and (type(serial) is not int or not 0 < serial < 1 << 53):
        raise Bad("its serial number is not a positive integer")
    return verb, what, serial


class News:
    """The difference between a state and the previous state."""

    def __init__(self):
        self._known: dict = {}

    def since(self, seen: dict) -> dict:
        """Return the part of this state that differs from the previous state."""
        known, self._known = self._known, seen
        return {key: seen[key] for key in seen if key not in known or known[key] != seen[key]}
