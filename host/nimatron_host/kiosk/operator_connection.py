"""The operator's page at the other end of a WebSocket: what visitors see, and the console."""

import asyncio
import time
from typing import Any

from aiohttp import WSCloseCode, web

from nimatron_host.kiosk import tokens
from nimatron_host.kiosk.peer import Peer
from nimatron_host.kiosk.tables import Tables
from nimatron_play.messages import Bad
from nimatron_play.operator import Operator

LOGIN_S = 10  # to send the token


class OperatorConnection(Operator, Peer):
    """The operator's page. It sees nothing, and does nothing, before it has sent the token; then
    it is `trusted`.

    Messages, each with one key: token, beat, close with the number of a table, and what
    operator.py has.
    """

    def __init__(self, tables: Tables, socket: web.WebSocketResponse, name: str | None) -> None:
        Peer.__init__(self, socket, name)
        Operator.__init__(self, tables.first, self.changed)
        self._tables = tables
        self._kiosk = tables.first
        self.trusted = False
        self.since = time.monotonic()

    async def stay(self) -> None:
        deadline = asyncio.create_task(self._expect_token())
        try:
            await super().stay()
        finally:
            deadline.cancel()

    async def _expect_token(self) -> None:
        await asyncio.sleep(LOGIN_S)
        if not self.trusted:
            await self.close(WSCloseCode.POLICY_VIOLATION)

    def seen(self) -> dict[str, Any]:
        if not self.trusted:
            return {}
        return Operator.seen(self) | {"tables": self._tables.seen}

    async def do(self, verb: str, what: str, serial: int | None) -> None:
        if verb == "beat":
            return
        if verb == "token":
            if not tokens.matches(what, self._kiosk.tokens.operator):
                await asyncio.sleep(tokens.WRONG_S)
                self.unwanted = True  # it is logged first: whoever is closed may cancel this
                raise Bad("a wrong token for the operator")
            self.trusted = True
            self.changed.set()
            self._kiosk.facts.ask()
        elif not self.trusted:
            raise Bad("this peer is not the operator")
        elif verb == "close":
            if what.isdecimal():
                self._tables.close(int(what[:9]))
            self.changed.set()
        elif verb == "send" and not what.isprintable():
            raise Bad("not a console line")
        else:
            self.hear(verb, what)

    def leave(self) -> None:
        """Note that this connection is closed."""
        self._kiosk.operators.discard(self)
