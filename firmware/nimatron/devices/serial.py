"""The serial line over USB: lines in, lines out, never waiting for a host that does not read."""

import asyncio
import select
import sys
import time

from machine import mem32, unique_id
from micropython import const

from nimatron.devices.registers import USB_SOF_RD

_AT_ONCE = const(16)  # bytes read or written before other tasks get a turn
_WAITING = const(32)  # lines

_CTRL_C = const(3)
_BACKSPACE = const(8)
_LF = const(10)
_CR = const(13)
_ESC = const(27)
_SPACE = const(32)
_DEL = const(127)
# An escape sequence is ESC and a byte; or ESC O and a byte; or ESC [ and all bytes up to one from
# _FINAL on. Arrow up is ESC [ A or ESC O A.
_SS3 = const(79)  # O
_CSI = const(91)  # [
_FINAL = const(64)
_UP = const(65)  # A
_BACK = const("\b \b")

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
        self.echo = False  # send back what is typed: see set_echo
        self._last = b""  # the last line that was echoed

    def number(self):
        """The serial number of this Pico in hex, by which USB knows it, too."""
        return "".join(["%02x" % byte for byte in unique_id()])

    def set_echo(self, on):
        """Send back what is typed, from the next line on, or stop that and forget the last line.
        Only what was sent back can be brought back, because programs type without an echo."""
        self.echo = on
        self._last = b""

    async def read_line(self, longest):
        """The bytes typed up to the next CR or LF, but no more than the first `longest` + 1.

        Backspace and DEL take back the last one. Arrow up brings back the last line that was
        echoed; other escape sequences do nothing. Ctrl-C drops the line and is returned at once.
        """
        line = bytearray()
        echo = self.echo
        escape = 0  # of an escape sequence that has begun: ESC, or the [ or O after it
        taken = 0
        while True:
            if taken % _AT_ONCE and not echo and self._more.poll(0):
                byte = self._in.read(1)
            else:
                byte = await self._reader.read(1)  # ten times as slow as the other read
            taken += 1
            key = byte[0]
            if key >= _SPACE and key != _DEL and not escape:
                if len(line) <= longest:
                    line.extend(byte)
                    if echo:
                        await self._show(chr(key))
            elif key >= _SPACE and escape:
                if escape != _ESC and key == _UP and self._last and len(line) <= longest:
                    await self._show(_BACK * len(line) + self._last.decode())
                    line = bytearray(self._last)
                escape = _rest(escape, key)
            elif key == _CR or key == _LF:
                if line or key == _CR:  # one new line for CR LF, too
                    await self._show("\n")
                if echo and 0 < len(line) <= longest and min(line) >= _SPACE and max(line) < _DEL:
                    self._last = line
                return line
            elif key == _CTRL_C:
                await self._show("\n")
                return byte
            elif key == _BACKSPACE or key == _DEL:
                escape = 0
                if 0 < len(line) <= longest:
                    line = line[:-1]
                    await self._show(_BACK)
            elif key == _ESC:
                escape = key
            else:
                escape = 0
                if len(line) <= longest:
                    line.extend(byte)  # it will be refused
                    await self._show("?")

    async def _show(self, typed):
        """Send back what was typed, a few bytes at a time, if that is wanted."""
        if self.echo and self._begin():
            for at in range(0, len(typed), _AT_ONCE):
                self._write(typed[at : at + _AT_ONCE], "\b\n")
                await asyncio.sleep_ms(0)

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

    def _write(self, text, also="\n"):
        """Send these characters, "?" for each that is not printable nor in `also`; False if the
        host takes no more and the rest of the line is lost.

        One byte at a time: with a longer piece that does not fit, MicroPython's USB driver waits
        half a second for a host that has the port open but does not read.
        """
        ready, write = self._out.ipoll, sys.stdout.write
        began = time.ticks_ms()
        for char in text:
            for _ in ready(0):  # unlike poll, it allocates nothing
                write(char if " " <= char <= "~" or char in also else "?")
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


def _rest(escape, key):
    """What to remember of an escape sequence after its next byte: 0 if that was the last one."""
    if escape == _ESC and (key == _CSI or key == _SS3):
        return key
    return escape if escape == _CSI and key < _FINAL else 0
