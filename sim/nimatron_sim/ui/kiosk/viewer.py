"""One viewer of the page, at the other end of a WebSocket.

A viewer is sent the state of the machine, as far as it differs from what they were sent last. A
slow viewer gets fewer states, and keeps nobody waiting. A viewer sends JSON objects with one key:
press or release with a button, send with a console line, or token.
"""

import asyncio
import contextlib
import hmac
import json
import logging
import time

from aiohttp import WSCloseCode, WSMsgType, web

from nimatron import board, protocol
from nimatron_sim.ui import words
from nimatron_sim.ui.kiosk.kiosk import Kiosk

LONGEST = 1000  # bytes in a message
_RATE, _BURST = 60, 120  # messages per second; two hands cannot do more
_BAD = 10  # invalid messages, after which a viewer is disconnected
_LANGUAGES = {code: table["language"] for code, table in words.tables().items()}

log = logging.getLogger("nimatron.kiosk")


class _Bad(Exception):
    """A message that is dropped; says why."""


class Viewer:
    """One page that shows the machine. changed: set when there is something new to see."""

    def __init__(self, kiosk: Kiosk, socket: web.WebSocketResponse, name: str | None):
        self.changed = asyncio.Event()
        self.changed.set()
        self._kiosk = kiosk
        self._socket = socket
        self._name = name
        self._control = not kiosk.spectate and kiosk.token is None
        self._sent: dict = {}
        self._credit = float(_BURST)
        self._heard_at = time.monotonic()
        self._bad = 0

    async def stay(self) -> None:
        feeding = asyncio.create_task(self._feed())
        try:
            async for message in self._socket:
                if message.type is not WSMsgType.TEXT or not self._hear(message.data):
                    await self.close(WSCloseCode.POLICY_VIOLATION)
        finally:
            feeding.cancel()

    async def close(self, code: WSCloseCode) -> None:
        with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
            await asyncio.wait_for(self._socket.close(code=code), 1)

    async def _feed(self):
        """Send changes for ever: only the latest state, however many there were meanwhile."""
        with contextlib.suppress(ConnectionError):
            while True:
                await self.changed.wait()
                self.changed.clear()
                seen = self._kiosk.state | {"control": self._control}
                if self._control:
                    seen["said"] = self._kiosk.said
                else:
                    seen["spectate"] = self._kiosk.spectate
                news = {key: seen[key] for key in seen if self._sent.get(key) != seen[key]}
                if not self._sent:
                    news["languages"] = _LANGUAGES
                self._sent = seen
                if news:
                    await self._socket.send_str(json.dumps(news, separators=(",", ":")))

    def _hear(self, text):
        """Handle a message; False if the viewer must be disconnected."""
        now = time.monotonic()
        self._credit = min(_BURST, self._credit + (now - self._heard_at) * _RATE) - 1
        self._heard_at = now
        if self._credit < 0:
            log.warning("%s: disconnected: message rate exceeded", self._name)
            return False
        try:
            self._do(text)
        except _Bad as why:
            self._bad += 1
            log.warning("%s: message dropped, %s", self._name, why)
        return self._bad < _BAD

    def _do(self, text):
        try:
            ((verb, what),) = json.loads(text).items()
        except (ValueError, AttributeError, RecursionError):
            raise _Bad("not a JSON object with one key") from None
        if verb not in ("token", "press", "release", "send") or not isinstance(what, str):
            raise _Bad("an unknown kind of message")
        if verb == "token":
            self._log_in(what)
        elif not self._control:
            raise _Bad("this viewer may only look")
        elif verb == "send":
            if not what.strip() or len(what) > protocol.LONGEST or not what.isprintable():
                raise _Bad("not a console line")
            self._kiosk.send(what.strip())
        elif what not in board.BUTTONS:
            raise _Bad("there is no such button")
        else:
            (self._kiosk.press if verb == "press" else self._kiosk.release)(self, what)

    def _log_in(self, token):
        right = self._kiosk.token
        if right is None:
            return  # left over from an earlier session
        if not hmac.compare_digest(token.encode("utf-8", "replace"), right.encode()):
            raise _Bad("a wrong token")
        self._control = not self._kiosk.spectate
        self.changed.set()
