"""Limits for connections: their number, the size of their messages, and the time that they may
keep the server waiting.

aiohttp has no such limits. Without limits, a few hundred half-written requests can use up the
process's file descriptors and lock out other visitors. Connections that never stop sending keep it
busy.
"""

import asyncio
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from ipaddress import IPv6Address, ip_address, ip_network
from pathlib import Path

from nimatron_host.kiosk.addresses import is_loopback

try:
    import resource
except ImportError:  # Windows, where sockets are not files
    resource = None  # type: ignore[assignment]

AT_ONCE = 4  # connections to accept in one turn of the event loop
_IN_FLIGHT = 4 * AT_ONCE  # connections accepted before the first of them can be closed
PATIENCE_S = 10.0  # timeout for a whole request, and for the next one after an answer
_OPEN = 600  # the most connections
RESERVE = 8  # connections, and viewers, that are reserved for this computer's own pages
_OPEN_EACH = 150  # the most connections per address. This computer may be a proxy and has no limit
_WAITING_EACH = 24  # the most connections per address that wait for a request
_RATE, _BURST = 32_000, 32_000  # bytes per second, and at once. A page sends a twentieth of them
_IPV6_HOME = 64  # bits: the owner of an IPv6 address has all addresses that share them
_FEWEST = 8  # the least number of connections to allow
_OURS = 24  # files that this process opens later: libraries, databases, ports


def home(address: str | None) -> str:
    """Return the part of `address` that identifies one client. For IPv6 this is a network, because
    all of its addresses have one owner."""
    try:
        ip = ip_address((address or "").partition("%")[0])
    except ValueError:
        return address or ""
    if isinstance(ip, IPv6Address) and not ip.is_loopback:
        if ip.ipv4_mapped:
            return str(ip.ipv4_mapped)
        return str(ip_network((ip, _IPV6_HOME), strict=False))
    return str(ip)


class Connections:
    """A protocol factory in front of aiohttp's own factory.

    A connection waits until `serving` and after `served`. If it waits too long, it is closed. If
    too many connections wait, the oldest connection is closed, because a browser's request takes
    milliseconds. A connection that sends too much is closed unread.
    """

    def __init__(self, handler: Callable[[], asyncio.Protocol], most: int | None = None) -> None:
        # The number of closed connections, except silent ones that have timed out, because each
        # browser keeps some connections open after an answer, or opens them in advance.
        self.refused = 0
        self._handler = handler
        self._most = allowed(_OPEN, _IN_FLIGHT) if most is None else most
        self._reserve = min(RESERVE, self._most // 4)
        self._open: dict[asyncio.Transport, str] = {}  # connection: address, oldest first
        self._waiting: dict[asyncio.Transport, asyncio.TimerHandle] = {}
        self._speaking: set[asyncio.Transport] = set()  # transports in a request
        self._waiting_each: Counter[str] = Counter()
        self._open_each: Counter[str] = Counter()

    def __call__(self) -> asyncio.Protocol:
        return _Line(self, self._handler())

    @property
    def open(self) -> int:
        return len(self._open)

    def enter(self, transport: asyncio.Transport) -> None:
        """Accept a connection, and make room for it."""
        address = home((transport.get_extra_info("peername") or [""])[0])
        self._open[transport] = address
        self._open_each[address] += 1
        self._wait(transport)
        if self._open_each[address] > _OPEN_EACH and not is_loopback(address):
            self.refuse(transport)
        elif self._waiting_each[address] > _WAITING_EACH:
            self.refuse(next(line for line in self._first() if self._open[line] == address))
        elif is_loopback(address):
            if len(self._open) > self._most:
                self.refuse(next(self._first()))
        elif len(self._open) > self._most - self._reserve:
            self.refuse(next(line for line in self._first() if not is_loopback(self._open[line])))

    def _first(self) -> Iterator[asyncio.Transport]:
        """Return the waiting connections, the oldest first."""
        return (line for line in self._open if line in self._waiting)

    def leave(self, transport: asyncio.Transport) -> None:
        """Forget a closed connection."""
        self._stop_waiting(transport)
        self._speaking.discard(transport)
        address = self._open.pop(transport, None)
        if address is not None:
            _less(self._open_each, address)

    def hear(self, transport: asyncio.Transport) -> None:
        """Record that a connection has sent bytes, which may be part of a request."""
        if transport in self._open:
            self._speaking.add(transport)

    def serving(self, transport: asyncio.Transport | None) -> None:
        """Record that a request is complete. There is no time limit for the answer."""
        if transport in self._open:
            self._stop_waiting(transport)

    def served(self, transport: asyncio.Transport | None) -> None:
        """Record that a request is answered."""
        if transport in self._open:
            self._speaking.discard(transport)
            self._wait(transport)

    def _wait(self, transport: asyncio.Transport) -> None:
        self._stop_waiting(transport)
        loop = asyncio.get_running_loop()
        self._waiting[transport] = loop.call_later(PATIENCE_S, self._close_late, transport)
        self._waiting_each[self._open[transport]] += 1

    def _stop_waiting(self, transport: asyncio.Transport) -> None:
        timer = self._waiting.pop(transport, None)
        if timer:
            timer.cancel()
            _less(self._waiting_each, self._open[transport])

    def _close_late(self, transport: asyncio.Transport) -> None:
        """Close a connection that has waited too long."""
        self.refused += transport in self._speaking
        self._close(transport)

    def refuse(self, transport: asyncio.Transport) -> None:
        """Close a connection at once, because there are too many or it sends too much."""
        self.refused += 1
        self._close(transport)

    def _close(self, transport: asyncio.Transport) -> None:
        self.leave(transport)
        transport.abort()


def _less(counter: Counter[str], key: str) -> None:
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]


class _Line(asyncio.Protocol):
    """A connection, which passes allowed bytes on to aiohttp's protocol."""

    def __init__(self, connections: Connections, protocol: asyncio.Protocol) -> None:
        self._connections = connections
        self._protocol = protocol
        self._credit: float = _BURST
        self._heard_at = time.monotonic()

    def eof_received(self) -> bool | None:
        return self._protocol.eof_received()

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._protocol.connection_made(transport)
        self._connections.enter(transport)

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        earned = (now - self._heard_at) * _RATE
        self._credit = min(_BURST, self._credit + earned) - len(data)
        self._heard_at = now
        if self._credit < 0:
            self._connections.refuse(self._transport)
        else:
            self._connections.hear(self._transport)
            self._protocol.data_received(data)

    def connection_lost(self, why: Exception | None) -> None:
        self._connections.leave(self._transport)
        self._protocol.connection_lost(why)


def allowed(most: int, spare: int) -> int:
    """Return the number of connections to allow, at most `most`, so that `spare` files remain
    free."""
    if not resource:
        return most
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return most
    return max(_FEWEST, min(most, soft - _open_now() - _OURS - spare))


def _open_now() -> int:
    folder = Path("/dev/fd")
    return len(os.listdir(folder)) if folder.exists() else 0
