"""The serial line over USB: bytes in, lines out, no waiting for a host that does not read."""

import asyncio
import select
import sys


class Serial:
    def __init__(self):
        self._in = asyncio.StreamReader(sys.stdin.buffer)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)
        self._cut = False

    async def read(self):
        """The next byte, as an int."""
        return (await self._in.read(1))[0]

    def write_line(self, line):
        """Send a line, or as much of it as the host takes at once.

        A byte at a time: a longer piece that does not fit waits half a second for a host that has
        the port open and does not read (MicroPython's USB driver).
        """
        if self._cut:
            line = "\n" + line  # the rest of the line before is lost, its end must not be
        for byte in line + "\n":
            self._cut = not self._out.poll(0)
            if self._cut:
                return
            sys.stdout.write(byte)
