"""A USB cable between a Pico of any kind and this computer. It connects the Pico's serial line to
a port of this computer, in real time. Programs for a real Pico also work with this Pico.

As with a real cable, output to a port that no program has open is lost, and if a program stops
reading, the Pico notices that it cannot write.
"""

import contextlib
import errno
import select
import socket
from collections.abc import Callable, Sequence

from nimatron_sim.base_pico import Pico
from nimatron_sim.errors import UserError
from nimatron_sim.pace import Pace
from pico_testbench.usb_cable import NOT_READING, READING

_GLANCE_S = 0.1  # seconds between two checks of a closed PTY, because opening it wakes no thread
PIECE = 4096  # the most bytes to read at a time
_BUSY = b'error reason=busy text="another program uses this port"\r\n'
_BACKLOG = 65536  # the most bytes to keep for a program that does not read. Later bytes are lost


class Port:
    """An end of the serial line on this computer."""

    kind = ""  # the name of this kind in the list of ports
    name: str
    opened = False

    def __init__(self) -> None:
        self._unread = bytearray()

    @property
    def clogged(self) -> bool:
        """True if the program that has the port open does not read."""
        return bool(self._unread)

    def write(self, data: bytes) -> None:
        if self.opened:
            self._unread += data[: _BACKLOG - len(self._unread)]
            self.push()

    def push(self) -> None:
        """Pass on as many of the unread bytes as the program accepts now."""
        try:
            while self._unread:
                del self._unread[: self._give(self._unread)]
        except BlockingIOError:
            pass
        except OSError:
            self._closed()

    def _closed(self) -> None:
        self.opened = False
        self._unread.clear()

    def _give(self, data: bytes | bytearray) -> int:
        """Pass these bytes on, and return the number of bytes that the program has accepted."""
        raise NotImplementedError

    def read(self) -> bytes:
        """Return the bytes that were sent to the Pico."""
        raise NotImplementedError

    def waits_for(self) -> Sequence[int | socket.socket]:
        """Return the objects that become readable when bytes have arrived."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


class Tcp(Port):
    """A TCP port on this computer's loopback address, for one program at a time.

    `number` is the port's number, or 0 for any free port. Raises UserError if the port is taken.
    """

    kind = "tcp"

    def __init__(self, number: int) -> None:
        super().__init__()
        try:
            self._door = socket.create_server(("127.0.0.1", number))
        except OSError as why:
            if why.errno == errno.EADDRINUSE:
                raise UserError(
                    f"TCP port {number} is in use by another program. Try another number"
                ) from None
            raise UserError(f"cannot serve TCP port {number}: {why.strerror}") from None
        self._door.setblocking(False)
        self._line: socket.socket | None = None
        self.name = f"socket://127.0.0.1:{self._door.getsockname()[1]}"

    def waits_for(self) -> list[int]:
        return [end.fileno() for end in (self._door, self._line) if end]

    def read(self) -> bytes:
        """Return the bytes that were sent to the Pico."""
        data = self._receive() if self._line else b""
        if not data:  # the client may be gone, and the next client must not be refused
            self._answer_door()
        return data

    def _receive(self) -> bytes:
        assert self._line
        try:
            data = self._line.recv(PIECE)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._closed()
        return data

    def _answer_door(self) -> None:
        try:
            line, _ = self._door.accept()
        except OSError:
            return
        if self._line:  # a serial port serves one program
            with contextlib.suppress(OSError):
                line.send(_BUSY)
            line.close()
            return
        line.setblocking(False)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, PIECE)
        self._line = line
        self.opened = True

    def _give(self, data: bytes | bytearray) -> int:
        assert self._line
        return self._line.send(data)

    def _closed(self) -> None:
        super()._closed()
        assert self._line
        self._line.close()
        self._line = None

    def close(self) -> None:
        if self._line:
            self._closed()
        self._door.close()


def serve(pico: Pico, ports: Sequence[Port], ended: Callable[[], object]) -> None:
    """Run the Pico in real time, with its serial line on the ports, until ended() returns true."""

    def send(data: bytes) -> None:
        for port in ports:
            port.write(data)

    pico.on_sent = send
    pico.darkness.may_be_dark = True  # other firmware may be installed over the cable
    pace = Pace(pico)
    try:
        while not ended():
            pico.run_to(pace.due())
            if pico.circuit.chip:
                readers = [port for port in ports if port.opened]
                reads = not readers or not all(p.clogged for p in readers)
                pico.cable = READING if reads else NOT_READING
            watched = [end for port in ports for end in port.waits_for()]
            select.select(watched, [], [], min(pace.nap(), _GLANCE_S))
            for port in ports:
                port.push()
                data = port.read()
                if data:
                    pico.send_bytes(data)
    finally:
        pico.on_sent = None
        for port in ports:
            port.close()
