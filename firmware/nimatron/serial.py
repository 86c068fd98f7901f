"""The serial line over USB: lines in, lines out, no waiting for a host that does not read."""

import asyncio
import select
import sys

_AT_ONCE = 16  # bytes taken before anything else gets its turn


class Serial:
    def __init__(self):
        self._in = sys.stdin.buffer
        self._reader = asyncio.StreamReader(self._in)
        self._more = select.poll()
        self._more.register(self._in, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)
        self._cut = False

    async def read_line(self, longest):
        """The bytes up to the next CR or LF; of a longer line the first `longest` + 1."""
        line = bytearray()
        taken = 0
        while True:
            if taken % _AT_ONCE and self._more.poll(0):
                byte = self._in.read(1)
            else:
                byte = await self._reader.read(1)  # as slow as ten of the other kind
            if byte in (b"\r", b"\n"):
                return line
            if len(line) <= longest:
                line.extend(byte)
            taken += 1

    def write_line(self, line):
        """Send a line, or as much of it as the host takes at once.

        A byte at a time: a longer piece that does not fit waits half a second for a host that has
        the port open and does not read (MicroPython's USB driver).
        """
        line = line.replace("\n", "?") + "\n"
        if self._cut:
            line = "\n" + line  # the rest of the line before is lost, its end must not be
        self._cut = False
        ready, write = self._out.ipoll, sys.stdout.write
        for char in line:
            for _ in ready(0):  # unlike poll it takes no memory
                write(char if " " <= char <= "~" or char == "\n" else "?")
                break
            else:
                self._cut = True
                return
