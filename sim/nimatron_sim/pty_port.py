"""A Pico's serial line as a serial device, on a computer with pseudo-terminals."""

import os
import pty
import termios
import tty

from nimatron_sim.ports import PIECE, Port


class Pty(Port):
    """A serial device on this computer. `name` is the path of the device."""

    kind = "pty"

    def __init__(self) -> None:
        super().__init__()
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        self.name = os.ttyname(slave)
        os.close(slave)  # so that we can detect whether another program has the device open
        os.set_blocking(self._master, False)

    def waits_for(self) -> list[int]:
        return [self._master] if self.opened else []

    def read(self) -> bytes:
        """Return the bytes that were sent to the Pico."""
        try:
            data = os.read(self._master, PIECE)
        except BlockingIOError:
            data = b""
        except OSError:
            if self.opened:
                self._closed()
            return b""
        self.opened = True
        return data

    def _give(self, data: bytes | bytearray) -> int:
        return os.write(self._master, data)

    def _closed(self) -> None:
        super()._closed()
        # Drop the bytes that the last program has not read, because they are not for the next
        # program.
        slave = os.open(self.name, os.O_RDWR | os.O_NOCTTY)
        termios.tcflush(slave, termios.TCIFLUSH)
        os.close(slave)

    def close(self) -> None:
        os.close(self._master)
