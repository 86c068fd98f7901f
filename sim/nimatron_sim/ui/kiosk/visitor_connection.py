"""One viewer of the visitors' page, at the other end of a WebSocket. See visitor.py."""

import asyncio
from typing import Any, cast

from aiohttp import WSCloseCode, web

from nimatron_sim.ui.kiosk import tokens
from nimatron_sim.ui.kiosk.connections import home, is_here
from nimatron_sim.ui.kiosk.kiosk import Kiosk
from nimatron_sim.ui.kiosk.messages import Bad
from nimatron_sim.ui.kiosk.peer import Peer
from nimatron_sim.ui.kiosk.visitor import Visitor


class VisitorConnection(Visitor, Peer):
    """A visitor's page. local: it is open on this computer itself, so it needs no token."""

    def __init__(
        self, kiosk: Kiosk, socket: web.WebSocketResponse, name: str | None, local: bool = False
    ) -> None:
        Peer.__init__(self, socket, name)
        free = not kiosk.spectate and (local or kiosk.tokens.visitor is None)
        elsewhere = "" if name is None or is_here(home(name)) else name
        Visitor.__init__(self, kiosk, free, self.changed, local, elsewhere)
        self._kiosk = kiosk
        self._refused_token = False

    def seen(self) -> dict[str, Any]:
        denied = {"denied": True} if self._refused_token else {}
        return Visitor.seen(self) | denied

    async def do(self, verb: str, what: str, serial: int | None) -> None:
        if not self.is_new(serial):
            return
        if verb == "again":
            await self._again(what)
        elif verb == "token":
            await self._log_in(what)
        else:
            self.hear(verb, what)

    async def _again(self, you: str) -> None:
        """Go on as the page that this one was before a cut: that gives it the seat and the number
        of the last press, but no right that it has not got itself. From another address, it
        could be anybody who has seen the ID."""
        before = self._kiosk.pages.find(you)
        if before is None or before is self.page or before.address != self.page.address:
            return
        if before.control and not self.page.control:
            return
        cut = cast("VisitorConnection | None", before.viewer)
        before.viewer = self
        self.page.cut()
        self._kiosk.pages.drop(self.page)
        before.control, before.local = self.page.control, self.page.local
        self.page = before
        self.changed.set()
        if cut:  # the server has not noticed yet
            self._kiosk.leave(cut)
            asyncio.get_running_loop().create_task(cut.close(WSCloseCode.GOING_AWAY))

    async def _log_in(self, token: str) -> None:
        if self._kiosk.tokens.visitor is None or self._kiosk.spectate or self.page.control:
            return  # left over from an earlier session
        right = tokens.matches(token, self._kiosk.tokens.visitor)
        self._refused_token = not right
        self.changed.set()
        if not right:
            await asyncio.sleep(tokens.WRONG_S)
            raise Bad("a wrong token")
        self.page.control = True
