"""The pages at the far end of a WebSocket: a visitor's, and the operator's with the console."""

import asyncio
import time
from typing import Any, cast

from aiohttp import WSCloseCode, web

from nimatron_host.kiosk import tokens
from nimatron_host.kiosk.addresses import is_loopback
from nimatron_host.kiosk.limits import home
from nimatron_host.kiosk.peer import Peer, Unwanted
from nimatron_host.kiosk.served_table import Kiosk
from nimatron_host.kiosk.tables import Tables
from nimatron_play.operator import Operator
from nimatron_play.pages import Bad, Page
from nimatron_play.visitor import Visitor

LOGIN_S = 10  # timeout for the token


class OperatorConnection:
    """The operator's page. It sees and can do nothing until it has sent the token and is
    `trusted`.

    Each message has one key: token, beat, close with the number of a table, or a key in
    operator.py.
    """

    def __init__(self, tables: Tables, socket: web.WebSocketResponse, name: str | None) -> None:
        self.peer = Peer(socket, name, self.seen, self.do)
        self._tables = tables
        self._kiosk = kiosk = tables.first
        told = kiosk.kept.hear if kiosk.kept else lambda said: None
        self._operator = Operator(kiosk.machine, self.peer, kiosk.defaults, kiosk.place, told)
        kiosk.machine.operators.add(self._operator)
        self.trusted = False
        self.since = time.monotonic()

    async def stay(self) -> None:
        deadline = asyncio.create_task(self._expect_token())
        try:
            await self.peer.stay()
        finally:
            deadline.cancel()

    async def _expect_token(self) -> None:
        await asyncio.sleep(LOGIN_S)
        if not self.trusted:
            await self.peer.close(WSCloseCode.POLICY_VIOLATION)

    def seen(self) -> dict[str, Any]:
        if not self.trusted:
            return {}
        return self._operator.seen() | {
            "tables": self._tables.seen,
            "poster": self._tables.for_phones,
        }

    async def do(self, verb: str, what: str, serial: int | None) -> None:
        if verb == "beat":
            return
        if verb == "token":
            if not tokens.matches(what, self._kiosk.tokens.operator):
                await asyncio.sleep(tokens.WRONG_S)
                raise Unwanted("a wrong token for the operator")
            self.trusted = True
            self.peer.wake()
            self._kiosk.machine.facts.ask()
        elif not self.trusted:
            raise Bad("this peer is not the operator")
        elif verb == "close":
            if what.isdecimal():
                self._tables.close(int(what[:9]))
            self.peer.wake()
        elif verb == "send" and not what.isprintable():
            raise Bad("not a console line")
        else:
            self._operator.hear(verb, what)

    def leave(self) -> None:
        """Record that this connection is closed."""
        self._kiosk.machine.operators.discard(self._operator)


class VisitorConnection:
    """A visitor's page. It watches the first table until it may play. Then it goes to a table.

    local: True if the page is open on this computer and needs no token.
    table: the name of the table in the link, or of the page's table before a lost connection, or
        "".
    you: the page's ID before the lost connection.

    The messages in addition to visitor.py are `token` with the visitors' token, `invite` with any
    value to get the link to this table, and `table` with any value to get another table.
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
        self.peer = Peer(socket, name, self.seen, self.do)
        self.home = home(name)
        elsewhere = "" if is_loopback(self.home) else self.home
        self._kiosk = tables.first
        self._visitor = Visitor(self._kiosk.machine, Page(False, address=elsewhere), self.peer)
        self._tables = tables
        self._local = local
        self._link = table, you
        self._refused_token = False
        self._full = False  # True if no table is free for this page
        self._invites = False
        if not self._kiosk.machine.spectate and (local or self._kiosk.tokens.visitor is None):
            self._find_table()

    @property
    def page(self) -> Page:
        return self._visitor.page

    def seen(self) -> dict[str, Any]:
        visit = self._kiosk.machine.visit
        seen = self._visitor.seen() | {
            "table": visit.name,
            "invites": self.page.control and visit.invites,
            "invitation": self._tables.invitation(self._kiosk) if self._invites else None,
            "site": self._tables.site if self._full else "",
            "denied": self._refused_token,
        }
        if self._full:
            seen |= {"advice": [("table.full", {})], "offer": "table"}
        return seen

    async def do(self, verb: str, what: str, serial: int | None) -> None:
        if not self._visitor.is_new(serial):
            return
        if verb == "token":
            await self._log_in(what)
        elif verb == "invite":
            self._invites = self.page.control
            self.peer.wake()
        elif verb == "table":
            if self.page.control or self._full:
                self._sit_down(self._tables.own(self.page.address), "open")
        else:
            self._visitor.hear(verb, what)

    async def stay(self) -> None:
        await self.peer.stay()

    def leave(self) -> None:
        """Record that this connection is closed."""
        self._visitor.leave()

    def _find_table(self) -> None:
        """Go to the table in the link, to the page's earlier table, or to another table."""
        name, you = self._link
        self._sit_down(*self._tables.find(name, self.page.address, self._local), you)

    def _sit_down(self, table: Kiosk | None, how: str, you: str = "") -> None:
        """Go to a table, as the page with this ID or as a new page. The ID of a page at another
        address is not accepted."""
        self._full = table is None
        self.peer.wake()
        if table is None:
            return
        visit = table.machine.visit
        before = visit.pages.known(you)
        if before is None or before.address != self.page.address or not before.control:
            before = Page(True, address=self.page.address)
            before.language = self.page.language
        else:
            how = "back"
        cut = before.viewer
        self._go(table, before)
        visit.happen(how, before.you)
        table.machine.show()
        if isinstance(cut, Visitor):  # the server has not noticed the lost connection yet
            cut.leave()
            closing = cast("Peer", cut.peer).close(WSCloseCode.GOING_AWAY)
            asyncio.get_running_loop().create_task(closing)

    def _go(self, table: Kiosk, page: Page) -> None:
        """Leave one table for another."""
        left = self._kiosk.machine
        left.leave(self._visitor)
        left.visit.pages.drop(self.page)
        left.visit.happen("leave", self.page.you)
        left.show()
        self._kiosk = table
        self._visitor = Visitor(table.machine, page, self.peer)
        self._invites = False

    async def _log_in(self, token: str) -> None:
        if self._kiosk.tokens.visitor is None or self._kiosk.machine.spectate or self.page.control:
            return  # a message from an earlier session
        right = tokens.matches(token, self._kiosk.tokens.visitor)
        self._refused_token = not right
        self.peer.wake()
        if not right:
            await asyncio.sleep(tokens.WRONG_S)
            raise Bad("a wrong token")
        self._find_table()
