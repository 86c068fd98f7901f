"""The operator's page, with the visitors' view and the console, at the far end of a WebSocket."""

import asyncio
import time
from typing import Any

from aiohttp import WSCloseCode, web

from nimatron_host.kiosk import tokens
from nimatron_host.kiosk.peer import Peer, Unwanted
from nimatron_host.kiosk.tables import Tables
from nimatron_play.operator import Operator
from nimatron_play.pages import Bad

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
