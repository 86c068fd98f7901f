"""The serial line of an exhibit. The event loop reads sockets, and threads read other devices."""

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from nimatron_host.device.link import cause, opened
from nimatron_sim.errors import UserError

_OPEN_S = 10
_LONGEST = 65536  # the most bytes without a line end. No Nimatron sends this many


class Line:
    """An open line. It calls hear(text) with each received line, and gone() once when the other
    end closes. After `close`, it calls neither function."""

    def __init__(self, hear: Callable[[str], None], gone: Callable[[], None]) -> None:
        self._hear = hear
        self._gone = gone
        self._received = b""
        self._write: Callable[[bytes], object] = lambda data: None
        self._close: Callable[[], None] = lambda: None
        self._open = True

    def send(self, text: str) -> None:
        """Send a line. If sending fails, no answer comes."""
        with contextlib.suppress(OSError):
            self._write(text.encode("ascii", "replace") + b"\r\n")

    def close(self) -> None:
        if self._open:
            self._open = False
            self._close()

    def attach(self, write: Callable[[bytes], object], close: Callable[[], None]) -> "Line":
        """Set the functions that send bytes and close the port."""
        self._write, self._close = write, close
        return self

    def receive(self, data: bytes) -> None:
        """Handle received bytes. If `data` is empty, the other end has closed the line."""
        if not data and self._open:
            self.close()
            self._gone()
        *lines, self._received = (self._received + data).split(b"\n")
        if len(self._received) > _LONGEST:
            self._received = b""
        for line in lines:
            if self._open:
                self._hear(line.rstrip(b"\r").decode("utf-8", "replace"))


Opener = Callable[[str, Callable[[str], None], Callable[[], None]], Awaitable[Line]]


async def open_line(port: str, hear: Callable[[str], None], gone: Callable[[], None]) -> Line:
    """Open any port that pyserial can open. Raises UserError with the likely cause."""
    line = Line(hear, gone)
    try:
        if port.startswith("socket://"):
            return await asyncio.wait_for(_open_socket(port, line), _OPEN_S)
        return _read(await asyncio.to_thread(opened, port, 0), line)
    except asyncio.TimeoutError:
        raise UserError(f"{port} cannot be reached") from None
    except (OSError, ValueError) as why:
        raise UserError(cause(port, why)) from None


class _Socket(asyncio.Protocol):
    def __init__(self, line: Line) -> None:
        self._line = line

    def data_received(self, data: bytes) -> None:
        self._line.receive(data)

    def connection_lost(self, why: Exception | None) -> None:
        self._line.receive(b"")


async def _open_socket(port: str, line: Line) -> Line:
    url = urlsplit(port)
    transport, _ = await asyncio.get_running_loop().create_connection(
        lambda: _Socket(line), url.hostname or "", url.port or 0
    )
    return line.attach(transport.write, transport.abort)


def _read(device: Any, line: Line) -> Line:
    """Read a device in a thread until one end closes it."""
    loop = asyncio.get_running_loop()

    def tell(data: bytes) -> None:
        with contextlib.suppress(RuntimeError):  # the event loop has ended
            loop.call_soon_threadsafe(line.receive, data)

    def read() -> None:
        try:
            while True:
                if data := device.read(device.in_waiting or 1):
                    tell(data)
        except (OSError, TypeError, AttributeError, ValueError):  # closed, at either end
            tell(b"")

    def close() -> None:
        with contextlib.suppress(OSError, TypeError, AttributeError):
            if device.out_waiting:  # Linux waits up to 30 s for bytes that the Pico does not take
                device.reset_output_buffer()
        with contextlib.suppress(OSError):
            device.close()

    threading.Thread(target=read, name=f"reads {device.port}", daemon=True).start()
    return line.attach(device.write, close)
