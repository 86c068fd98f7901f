"""The operator's page at the other end of a WebSocket: what visitors see, and the console."""

import asyncio
import time
from collections import deque

from aiohttp import WSCloseCode, web

from nimatron import protocol
from nimatron_sim.ui.kiosk import controls, tokens
from nimatron_sim.ui.kiosk.kiosk import Kiosk
from nimatron_sim.ui.kiosk.peer import Bad, Peer

LOGIN_S = 10  # to send the token
_ANSWERS = 8  # to remember until the page has been sent them


class Operator(Peer):
    """The operator's page. It sees nothing, and does nothing, before it has sent the token; then
    it is `trusted`.

    Messages, each with one key: token; send with a console line; ask, to have the Pico asked
    again; beat. The state says in `answers` what was answered to the last lines that it has sent:
    [how many there were before, the line, the answer's kind and values]. Whenever `edition`
    changes, there are new figures to fetch.
    """

    def __init__(self, kiosk: Kiosk, socket: web.WebSocketResponse, name: str | None):
        super().__init__(socket, name)
        self._kiosk = kiosk
        self.trusted = False
        self.since = time.monotonic()
        self._answered = 0
        self._answers: deque[tuple] = deque(maxlen=_ANSWERS)

    async def stay(self) -> None:
        deadline = asyncio.create_task(self._expect_token())
        try:
            await super().stay()
        finally:
            deadline.cancel()

    async def _expect_token(self):
        await asyncio.sleep(LOGIN_S)
        if not self.trusted:
            await self.close(WSCloseCode.POLICY_VIOLATION)

    def seen(self) -> dict:
        if not self.trusted:
            return {}
        kiosk = self._kiosk
        return kiosk.state | {
            "said": kiosk.said,
            "pico": kiosk.facts.told,
            "failures": kiosk.facts.failures,
            "edition": kiosk.matches.edition,
            "controls": controls.CONTROLS,
            "answers": list(self._answers),
            "trusted": True,
        }

    async def do(self, verb: str, what: str, serial: int | None) -> None:
        if verb == "beat":
            return
        if verb == "token":
            if not tokens.matches(what, self._kiosk.tokens.operator):
                await asyncio.sleep(tokens.WRONG_S)
                await self.close(WSCloseCode.POLICY_VIOLATION)
                raise Bad("a wrong token for the operator")
            self.trusted = True
            self.changed.set()
            self._kiosk.facts.ask()
        elif not self.trusted:
            raise Bad("this peer is not the operator")
        elif verb == "ask":
            self._kiosk.facts.ask()
        elif verb == "send":
            if not what.strip() or len(what) > protocol.LONGEST or not what.isprintable():
                raise Bad("not a console line")
            line = what.strip()
            self._kiosk.send(line, lambda said: self._take_answer(line, said))
        else:
            raise Bad("an unknown kind of message")

    def _take_answer(self, line, said):
        kind, _, values = protocol.parse(said)
        self._answers.append((self._answered, line, kind, values))
        self._answered += 1
        self.changed.set()

    def leave(self) -> None:
        """Note that this connection is closed."""
        self._kiosk.operators.discard(self)
