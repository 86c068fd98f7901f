"""The serial line over USB: lines in, lines out, never waiting for a host that does not read."""

import asyncio
import select
import sys
import time

from machine import mem32
from micropython import const

from nimatron.devices.registers import USB_SOF_RD

_AT_ONCE = const(16)  # bytes read or written before other tasks get a turn
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
        self._lines = []  # the one being sent, then those waiting
        self._cut = False
        self._frame = mem32[USB_SOF_RD]
        self._looked = time.ticks_ms()  # when the frame was read
        self._hosted = False  # a host has been seen since the start
        self._asleep = False

    async def read_line(self, longest):
        """The bytes up to the next CR or LF, but no more than the first `longest` + 1."""
        line = bytearray()
        taken = 0
        while True:
            if taken % _AT_ONCE and self._more.poll(0):
                byte = self._in.read(1)
            else:
                byte = await self._reader.read(1)  # ten times as slow as the other read
            if byte in (b"\r", b"\n"):
                return line
            if len(line) <= longest:
                line.extend(byte)
            taken += 1

    def write_line(self, line):
        """Send a line, or as much of it as the host takes at once. If `send_line` is busy, the
        line waits until it is done."""
        line = line.replace("\n", "?")
        if not self._lines:
            if self._begin() and self._write(line):
                self._write("\n")
        elif len(self._lines) < _WAITING:
            self._lines.append(line)
        else:
            self._cut = True

    async def send_line(self, line):
        """Send a long line a few bytes at a time, so that a press need not wait for all of it.
        Only one task may call it at a time."""
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
        """Send the waiting lines at once; the rest of the line being sent is lost."""
        lines, self._lines = self._lines, []
        self._cut = self._cut or bool(lines)
        for line in lines[1:]:
            self.write_line(line)

    def _begin(self):
        """True if a line can be sent; end the line before first if it was cut short."""
        if self._is_asleep():
            return False
        if self._cut:
            self._cut = False
            self._write("\n")
        return not self._cut

    def _is_asleep(self):
        """True if the host has gone without closing the port: cable pulled, or PC asleep.

        An RP2040 does not notice. MicroPython 1.24 and newer then claims that it can write, and
        waits half a second for each byte. If there never was a host, nothing waits.
        """
        now = time.ticks_ms()
        if 0 <= time.ticks_diff(now, self._looked) < _FRAMES_MS:  # below 0 after 6.2 days
            return self._asleep
        frame = mem32[USB_SOF_RD]
        if frame == self._frame and self._hosted:
            time.sleep_us(_FRAME_US)  # frame numbers wrap: one in 2048 is the same by chance
            frame = mem32[USB_SOF_RD]
        self._hosted = self._hosted or frame != self._frame
        self._asleep = self._hosted and frame == self._frame
        self._frame = frame
        self._looked = now
        return self._asleep

    def _write(self, text):
        """Send these characters; False if the host takes no more and the rest of the line is lost.

        One byte at a time: with a longer piece that does not fit, MicroPython's USB driver waits
        half a second for a host that has the port open but does not read.
        """
        ready, write = self._out.ipoll, sys.stdout.write
        began = time.ticks_ms()
        for char in text:
            for _ in ready(0):  # unlike poll, it allocates nothing
                write(char if " " <= char <= "~" or char == "\n" else "?")
                break
            else:
                self._cut = True
                return False
            now = time.ticks_ms()
            if time.ticks_diff(now, began) > _BLOCKED_MS:  # the host has just fallen asleep
                self._hosted = self._asleep = self._cut = True
                self._frame = mem32[USB_SOF_RD]
                self._looked = now
                return False
            began = now
        return True
