"""The serial line over USB: bytes in, lines out, no waiting for a host that does not read."""

import asyncio
import select
import sys


class Serial:
    def __init__(self):
        self._in = asyncio.StreamReader(sys.stdin.buffer)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)

    async def read(self):
        """The next byte, as an int."""
        return (await self._in.read(1))[0]

    def write_line(self, line):
        """Send a line, or drop it if nobody takes it."""
        if self._out.poll(0):
            sys.stdout.write(line + "\n")
