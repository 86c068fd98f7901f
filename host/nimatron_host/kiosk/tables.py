"""The tables: a machine for each page and the friends that it invites.

The first table is for the wall, or has the only machine. It stays open, and the operator controls
it. All other tables are simulated, opened on demand, and closed a minute after the last page has
left.
"""

import asyncio
import gc
import logging
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import segno

from nimatron import protocol
from nimatron.settings import RULES
from nimatron_host.kiosk import tokens
from nimatron_host.kiosk.addresses import is_loopback
from nimatron_host.kiosk.poster import poster
from nimatron_host.kiosk.served_table import Kiosk

MOST, EACH = 200, 60  # the most tables, in all and per address

_EMPTY_S = 60.0  # the time for which a table without pages is kept
_SECOND = 1.0
# A full garbage collection takes 0.2 s with 200 tables, and keeps every page waiting. Therefore,
# Python collects rarely, and each time this number of tables has been closed.
_RARELY = 20_000, 50, 10
_LITTER = 20
_RESULTS = ("over", "abandoned")  # events from all tables that go to a broker

log = logging.getLogger("nimatron.kiosk")


class Tables:
    """The tables.

    make(): returns another table.
    most, each: the largest number of tables, in total and per address.
    link: the URL of the visitors' page for phones.
    site: the path of the static site on this server, or "".
    told(line): called with the results from all tables except the first table, as console
        lines."""

    def __init__(
        self,
        first: Kiosk,
        make: Callable[[], Kiosk],
        most: int = MOST,
        each: int = EACH,
    ) -> None:
        self.first = first
        self.link = self.site = ""
        self.told: Callable[[str], object] = lambda line: None
        self._make = make
        self._most = most
        self._each = each
        self._others: dict[int, Kiosk] = {}  # number for the operator: table. The oldest is first
        self._addresses: dict[int, str] = {}
        self._empty_at: dict[int, float] = {}  # number: the time since when the table is empty
        self._opened = 1
        self._stopping: set[asyncio.Task[None]] = set()
        self._litter = 0  # the number of tables that were closed since the last collection
        first.heard.append(self._spread)

    @property
    def all(self) -> list[Kiosk]:
        return [self.first, *self._others.values()]

    @property
    def seen(self) -> list[dict[str, Any]]:
        """Return the tables that can be closed, for the operator's page."""
        return [
            {
                "number": number,
                "pages": len(table.machine.viewers),
                "minutes": int((time.monotonic() - table.begun_at) / 60),
                "state": table.machine.state["state"],
                "game": table.machine.state["game"],
            }
            for number, table in self._others.items()
        ]

    def find(self, name: str, address: str, local: bool) -> tuple[Kiosk | None, str]:
        """Return the table for a page that may play, and the event that brings the page there (see
        table.py). If a table is called `name`, return it. Otherwise, return the first table if no
        other machine exists, or if the page is open on the wall's computer and no other page plays
        there. In all other cases, return a new table."""
        for table in self.all if name else []:
            if tokens.matches(name, table.machine.visit.name):
                return table, "come"
        if not self.first.machine.visit.invites:
            return self.first, "come"
        if local and not any(viewer.page.control for viewer in self.first.machine.viewers):
            return self.first, "open"
        return self.own(address), "open"

    def invitation(self, table: Kiosk) -> dict[str, str] | None:
        """Return the link to a table and its QR code as SVG."""
        token = self.first.tokens.visitor
        link = f"{self.link}#{f'token={token}&' if token else ''}table={table.machine.visit.name}"
        return {"link": link, "code": segno.make(link, error="m").svg_inline(omitsize=True)}

    @property
    def for_phones(self) -> bool:
        """Return True if phones can reach the link."""
        return bool(self.link) and not is_loopback(urlsplit(self.link).hostname)

    def poster(self, language: str) -> str:
        """Return the poster for the first table's game, or "" if no phone can reach the link.
        `language` comes first on it, unless the operator has chosen a language for all pages."""
        if not self.for_phones:
            return ""
        machine = self.first.machine
        settings = machine.facts.settings
        link = tokens.link(self.link, self.first.tokens.visitor)
        misere = settings.get("rule") != RULES[1]
        language = machine.surroundings.pages.language or language
        return poster(link, settings.get("game", "nim"), misere, language)

    # ------------------------------------------------------------------ opening and clearing

    def own(self, address: str) -> Kiosk | None:
        """Return another table, or None if there are too many."""
        own = [number for number in self._others if self._addresses[number] == address]
        if address and len(own) >= self._each and not self._make_room(own):
            return None
        if len(self._others) + 1 >= self._most and not self._make_room(list(self._others)):
            return None
        table = self._make()
        table.heard.append(self._hear)
        table.start()
        self._opened += 1
        self._others[self._opened] = table
        self._addresses[self._opened] = address
        return table

    def _make_room(self, numbers: list[int]) -> bool:
        """Close the oldest empty table in `numbers`. Return False if all tables have pages."""
        empty = [number for number in numbers if not self._others[number].machine.viewers]
        if not empty:
            return False
        self.close(min(empty, key=lambda number: self._empty_at.get(number, time.monotonic())))
        return True

    def close(self, number: int) -> None:
        """Close a table. Its pages return to other tables."""
        table = self._others.pop(number, None)
        if table:
            self._addresses.pop(number)
            self._empty_at.pop(number, None)
            stopping = asyncio.get_running_loop().create_task(table.stop())
            self._stopping.add(stopping)
            stopping.add_done_callback(self._stopping.discard)
            self._litter += 1

    def _tidy(self) -> None:
        now = time.monotonic()
        for number, table in list(self._others.items()):
            if table.machine.viewers:
                self._empty_at.pop(number, None)
            elif now - self._empty_at.setdefault(number, now) >= _EMPTY_S:
                self.close(number)
            if table.ended and table.ended.done():
                log.warning("table %d has stopped: %s", number, table.ended.exception())
                self.close(number)
        if self._litter >= _LITTER and not self._stopping:
            self._litter = 0
            gc.collect()

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(_SECOND)
            for table in self.all:
                table.machine.keep_time()
            self._tidy()

    def start(self) -> None:
        gc.set_threshold(*_RARELY)
        self.first.matches.open()
        self.first.start()
        self._round = asyncio.get_running_loop().create_task(self._keep_time())

    async def stop(self) -> None:
        self._round.cancel()
        for number in list(self._others):
            self.close(number)
        await asyncio.gather(*self._stopping)
        await self.first.stop()
        self.first.matches.close()

    async def dismiss(self) -> None:
        """Tell every page that the server is stopping."""
        await asyncio.gather(*(table.dismiss() for table in self.all))

    # ------------------------------------------------------------------ shared by all tables

    def _spread(self, record: dict[str, Any]) -> None:
        """Copy saved settings from the first table to all others."""
        kind, _, values = protocol.parse(record.get("console", ""))
        if kind != protocol.OK or "saved" not in values:
            return
        for name, value in values.items():
            line = f"machine {value}" if name == "machine" else f"set {name} {value}"
            for table in self._others.values() if name != "saved" else ():
                table.machine.attendant.ask(line)

    def _hear(self, record: dict[str, Any]) -> None:
        line = record.get("console", "")
        kind, what, _ = protocol.parse(line)
        if kind == protocol.EVENT and what in _RESULTS:
            self.told(line)
            self.first.machine.show()  # show today's figures
