"""One viewer of the visitors' page, at the other end of a WebSocket. See visitor.py."""

import asyncio
from typing import Any

from aiohttp import WSCloseCode, web

from nimatron_host.kiosk import tokens
from nimatron_host.kiosk.connections import home, is_here
from nimatron_host.kiosk.kiosk import Kiosk
from nimatron_host.kiosk.peer import Peer
from nimatron_host.kiosk.tables import Tables
from nimatron_play.messages import Bad
from nimatron_play.pages import Page
from nimatron_play.visitor import Visitor


class VisitorConnection(Visitor, Peer):
    """A visitor's page. It watches the first table until it may play; then it goes to a table.

    local: it is open on this computer, so it needs no token. table: the name of the table of its
    link, or at which it was before a cut, "" if there is none. you: its ID then.

    Messages besides those of visitor.py: token with the visitors' token; invite with anything, to
    see the link to this table; table with anything, to have another one.
    """

    def __init__(
        self,
        tables: Tables,
        socket: web.WebSocketResponse,
        name: str | None,
        local: bool = False,
        table: str = "",
        you: str = "",
    ) -> None:
        Peer.__init__(self, socket, name)
        elsewhere = "" if name is None or is_here(home(name)) else home(name)
        Visitor.__init__(self, tables.first, False, self.changed, elsewhere)
        self._tables = tables
        self._kiosk = tables.first
        self._local = local
        self._link = table, you
        self._refused_token = False
        self._full = False  # there is no table for this page
        self._invites = False
        if not self._kiosk.spectate and (local or self._kiosk.tokens.visitor is None):
            self._find_table()

    def seen(self) -> dict[str, Any]:
        seen = Visitor.seen(self) | {
            "table": self._kiosk.name,
            "invites": self.page.control and self._kiosk.visit.invites,
            "invitation": self._tables.invitation(self._kiosk) if self._invites else None,
            "site": self._tables.site if self._full else "",
            "denied": self._refused_token,
        }
        if self._full:
            seen |= {"advice": [("table.full", {})], "offer": "table"}
        return seen

    async def do(self, verb: str, what: str, serial: int | None) -> None:
        if not self.is_new(serial):
            return
        if verb == "token":
            await self._log_in(what)
        elif verb == "invite":
            self._invites = self.page.control
            self.changed.set()
        elif verb == "table":
            if self.page.control or self._full:
                self._sit_down(self._tables.own(self.page.address), "open")
        else:
            self.hear(verb, what)

    def _find_table(self) -> None:
        """Go to the table of the link, or to the one where this page was, or to another one."""
        name, you = self._link
        self._sit_down(*self._tables.find(name, self.page.address, self._local), you)

    def _sit_down(self, table: Kiosk | None, how: str, you: str = "") -> None:
        """Go to a table, as the page of this ID or a new one. Nobody gets a place by the ID of a
        page at another address."""
        self._full = table is None
        self.changed.set()
        if table is None:
            return
        before = table.pages.known(you)
        if before is None or before.address != self.page.address or not before.control:
            before = Page(True, address=self.page.address)
            before.language = self.page.language
        else:
            how = "back"
        cut, before.viewer = before.viewer, self
        self._go(table, before)
        table.visit.happen(how, before.you)
        table.show_soon()
        if isinstance(cut, VisitorConnection):  # the server has not noticed yet
            cut._machine.leave(cut)
            asyncio.get_running_loop().create_task(cut.close(WSCloseCode.GOING_AWAY))

    def _go(self, table: Kiosk, page: Page) -> None:
        """Leave one table for another."""
        self._machine.leave(self)
        self._machine.pages.drop(self.page)
        self._machine.visit.happen("leave", self.page.you)
        self._kiosk.show_soon()
        self._machine = self._kiosk = table
        self.page = table.pages.open(page)
        self._invites = False
        table.viewers.add(self)
        self.tell()

    async def _log_in(self, token: str) -> None:
        if self._kiosk.tokens.visitor is None or self._kiosk.spectate or self.page.control:
            return  # left over from an earlier session
        right = tokens.matches(token, self._kiosk.tokens.visitor)
        self._refused_token = not right
        self.changed.set()
        if not right:
            await asyncio.sleep(tokens.WRONG_S)
            raise Bad("a wrong token")
        self._find_table()
