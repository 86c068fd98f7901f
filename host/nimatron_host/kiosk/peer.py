"""The other end of a WebSocket: a visitor's page or the operator's.

A peer receives the changes of its state. A slow peer gets fewer states, and does not delay other
peers. A peer sends JSON objects with one key. Presses may also have a serial number `n`.
"""

import asyncio
import contextlib
import itertools
import json
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from nimatron_play.pages import Bad, News, read

LONGEST = 1000  # the most bytes in a message
PING_S = 5  # between pings. A peer that does not answer within half this time is gone
BEAT_S = 1.5  # between beats, which a page can see, unlike pings
_RATE, _BURST = 60, 120  # messages per second, and at once. Two hands cannot make more
_BAD = 10  # the number of invalid messages after which a peer is disconnected
_CLOSING_S = 0.2  # the time to close a connection properly

log = logging.getLogger("nimatron.kiosk")


class Flood(Exception):
    """The exception for a peer that sends more messages than a person can."""


class Unwanted(Bad):
    """The exception for a message after which the peer must be disconnected."""


class Peer:
    """The line to one page. seen() returns its current view. do(verb, what, serial) carries out a
    message, and raises Bad if the message is invalid."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        name: str | None,
        seen: Callable[[], dict[str, Any]],
        do: Callable[[str, str, int | None], Awaitable[None]],
    ) -> None:
        self._name = name
        self._seen = seen
        self._do = do
        self._changed = asyncio.Event()
        self._changed.set()
        self._socket = socket
        self._news = News()
        self._credit = float(_BURST)
        self._heard_at = time.monotonic()
        self._bad = 0

    def wake(self) -> None:
        """Record that the page's view has changed."""
        self._changed.set()

    async def stay(self) -> None:
        """Serve the peer until it is gone. Raises Flood."""
        feeding = asyncio.create_task(self._feed())
        try:
            async for message in self._socket:
                if not await self._take(message):
                    await self.close(WSCloseCode.POLICY_VIOLATION)
        finally:
            feeding.cancel()

    async def close(self, code: WSCloseCode) -> None:
        with contextlib.suppress(TimeoutError, asyncio.TimeoutError, ConnectionError):
            await asyncio.wait_for(self._socket.close(code=code), _CLOSING_S)

    async def _feed(self) -> None:
        """Send changes forever. If there are several changes, send only the latest state."""
        beats = itertools.count(1)
        beat_at = 0.0
        with contextlib.suppress(ConnectionError):
            while True:
                with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
                    await asyncio.wait_for(
                        self._changed.wait(), max(beat_at + BEAT_S - time.monotonic(), 0.01)
                    )
                self._changed.clear()
                news = self._news.since(self._seen())
                if time.monotonic() >= beat_at + BEAT_S:
                    beat_at = time.monotonic()
                    news["beat"] = next(beats)
                if news:
                    await self._socket.send_str(json.dumps(news, separators=(",", ":")))

    async def _take(self, message: WSMessage) -> bool:
        """Handle a message or a control frame. Return False to disconnect the peer. Raises
        Flood."""
        now = time.monotonic()
        self._credit = min(_BURST, self._credit + (now - self._heard_at) * _RATE) - 1
        self._heard_at = now
        if self._credit < 0:
            log.warning("%s: disconnected: message rate exceeded", self._name)
            raise Flood
        if message.type is WSMsgType.PING:
            await self._socket.pong(message.data)
        elif message.type is WSMsgType.TEXT:
            return await self._hear(message.data)
        return message.type in (WSMsgType.PING, WSMsgType.PONG)

    async def _hear(self, text: str) -> bool:
        try:
            await self._do(*read(text))
        except Bad as why:
            self._bad += _BAD if isinstance(why, Unwanted) else 1
            log.warning("%s: message dropped, %s", self._name, why)
        return self._bad < _BAD
