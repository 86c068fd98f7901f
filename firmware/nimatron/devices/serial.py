"""The serial line over USB: lines in, lines out, no waiting for a host that does not read."""

import asyncio
import select
import sys
import time

from machine import mem32
from micropython import const

from nimatron.devices.registers import USB_SOF_RD

_AT_ONCE = const(16)  # bytes read or written before anything else gets its turn
_WAITING = const(32)  # lines

_FRAME_US = const(1100)
_FRAMES_MS = const(2)
_BLOCKED_MS = const(100)


class Serial:
    def __init__(self):
        self._in = sys.stdin.buffer
        self._reader = asyncio.StreamReader(self._in)
        self._more = select.poll()
        self._more.register(self._in, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)
        self._lines = []  # the one on its way, and those after it
        self._cut = False
        self._frame = mem32[USB_SOF_RD]
        self._looked = time.ticks_ms()  # at the frame
        self._hosted = False  # a host has been there since the start
        self._asleep = False

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
        """Send a line, or as much of it as the host takes at once; if another line is on its way,
        after that one."""
        line = line.replace("\n", "?")
        if not self._lines:
            if self._begin() and self._write(line):
                self._write("\n")
        elif len(self._lines) < _WAITING:
            self._lines.append(line)
        else:
            self._cut = True

    async def send_line(self, line):
        """Send a long line, a few bytes at a time: a press need not wait for all of it. For one
        task at a time."""
        self._lines.append(line.replace("\n", "?"))
        while self._lines:
            if self._begin():
                line = self._lines[0]
                for at in range(0, len(line), _AT_ONCE):
                    if not self._write(line[at : at + _AT_ONCE]):
                        break
                    await asyncio.sleep_ms(0)
                else:
                    self._write("\n")
            self._lines.pop(0)

    def flush(self):
        """Send at once what waits for a line on its way, whose rest is lost."""
        lines, self._lines = self._lines, []
        self._cut = self._cut or bool(lines)
        for line in lines[1:]:
            self.write_line(line)

    def _begin(self):
        """May a line be sent? It begins a new one if the line before was cut short."""
        if self._is_asleep():
            return False
        if self._cut:
            self._cut = False
            self._write("\n")
        return not self._cut

    def _is_asleep(self):
        """Has the host gone without closing the port: the cable pulled, or the PC asleep?

        An RP2040 does not notice, and MicroPython 1.24 and newer then says that it can write, and
        waits half a second for each byte. Where no host has been there, nothing waits.
        """
        now = time.ticks_ms()
        if 0 <= time.ticks_diff(now, self._looked) < _FRAMES_MS:  # below 0 after 6.2 days
            return self._asleep
        frame = mem32[USB_SOF_RD]
        if frame == self._frame and self._hosted:
            time.sleep_us(_FRAME_US)  # the numbers wrap: once in 2048 times it is chance
            frame = mem32[USB_SOF_RD]
        self._hosted = self._hosted or frame != self._frame
        self._asleep = self._hosted and frame == self._frame
        self._frame = frame
        self._looked = now
        return self._asleep

    def _write(self, text):
        """Send these characters; False if the host takes no more: the rest of the line is lost.

        A byte at a time: a longer piece that does not fit waits half a second for a host that has
        the port open and does not read (MicroPython's USB driver).
        """
        ready, write = self._out.ipoll, sys.stdout.write
        began = time.ticks_ms()
        for char in text:
            for _ in ready(0):  # unlike poll it takes no memory
                write(char if " " <= char <= "~" or char == "\n" else "?")
                break
            else:
                self._cut = True
                return False
            now = time.ticks_ms()
            if time.ticks_diff(now, began) > _BLOCKED_MS:  # it has only just fallen asleep
                self._hosted = self._asleep = self._cut = True
                self._frame = mem32[USB_SOF_RD]
                self._looked = now
                return False
            began = now
        return True
