"""The door: how many connections the server keeps, and for how long one may keep it waiting.

aiohttp limits neither. Without the door, a few hundred half-written requests use up the process's
files, and nobody else comes in.
"""

import asyncio
from collections import Counter
from collections.abc import Callable

from nimatron_sim.ui.kiosk import files

AT_ONCE = 4  # connections that are accepted in one go of the event loop
_IN_FLIGHT = 4 * AT_ONCE  # those that are accepted before the first of them can be closed
PATIENCE_S = 10.0  # for a whole request to come, and after an answer for the next one
_OPEN = 600  # connections at most
_WAITING_EACH = 24  # of one address, without a request that is being answered


class Door:
    """A protocol factory in front of that of aiohttp's server.

    A connection waits until `serving` and after `served`. Whoever waits too long is closed; if
    too many wait, whoever has waited longest: a browser's request takes milliseconds.
    """

    def __init__(self, handler: Callable[[], asyncio.Protocol], most: int | None = None):
        self.refused = 0  # connections closed by the door
        self._handler = handler
        self._most = files.connections(_OPEN, _IN_FLIGHT) if most is None else most
        self._open: dict[asyncio.Transport, str] = {}  # and its address
        self._waiting: dict[asyncio.Transport, asyncio.TimerHandle] = {}  # the longest first
        self._waiting_each: Counter[str] = Counter()

    def __call__(self) -> asyncio.Protocol:
        return _Line(self, self._handler())

    @property
    def open(self) -> int:
        return len(self._open)

    def enter(self, transport: asyncio.Transport) -> None:
        """Let a connection in; make room for it."""
        address = (transport.get_extra_info("peername") or [""])[0]
        self._open[transport] = address
        self._wait(transport)
        if self._waiting_each[address] > _WAITING_EACH:
            self._refuse(next(line for line in self._waiting if self._open[line] == address))
        elif len(self._open) > self._most:
            self._refuse(next(iter(self._waiting)))

    def leave(self, transport: asyncio.Transport) -> None:
        """Forget a connection that is closed."""
        self._stop_waiting(transport)
        self._open.pop(transport, None)

    def serving(self, transport: asyncio.Transport | None) -> None:
        """Note that a request has come, and may take as long as it takes."""
        if transport in self._open:
            self._stop_waiting(transport)

    def served(self, transport: asyncio.Transport | None) -> None:
        """Note that a request is answered."""
        if transport in self._open:
            self._wait(transport)

    def _wait(self, transport):
        self._stop_waiting(transport)
        loop = asyncio.get_running_loop()
        self._waiting[transport] = loop.call_later(PATIENCE_S, self._refuse, transport)
        self._waiting_each[self._open[transport]] += 1

    def _stop_waiting(self, transport):
        timer = self._waiting.pop(transport, None)
        if timer:
            timer.cancel()
            address = self._open[transport]
            self._waiting_each[address] -= 1
            if not self._waiting_each[address]:
                del self._waiting_each[address]

    def _refuse(self, transport):
        self.refused += 1
        self.leave(transport)
        transport.abort()


class _Line(asyncio.Protocol):
    """One connection: everything goes on to aiohttp's protocol."""

    def __init__(self, door, protocol):
        self._door = door
        self._protocol = protocol
        self.data_received = protocol.data_received
        self.eof_received = protocol.eof_received
        self.pause_writing = protocol.pause_writing
        self.resume_writing = protocol.resume_writing

    def connection_made(self, transport):
        self._transport = transport
        self._protocol.connection_made(transport)
        self._door.enter(transport)

    def connection_lost(self, why):
        self._door.leave(self._transport)
        self._protocol.connection_lost(why)
