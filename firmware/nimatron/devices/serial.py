"""The serial line over USB, which reads and writes lines without waiting for the host."""

import asyncio
import select
import sys
import time

from machine import mem32, unique_id
from micropython import const

from nimatron.devices.registers import USB_SOF_RD

_AT_ONCE = const(16)  # bytes to read or write before other tasks run
_WAITING = const(32)  # the most lines that wait to be sent

_CTRL_C = const(3)
_LF = const(10)
_CR = const(13)
_ESC = const(27)
_KEYS = const(b"\x03\b\n\r\x1b\x7f")  # the keys that edit or end a line
_SPACE = const(32)
_FINAL = const(64)  # an escape sequence ends with a byte of at least this value, except these two
_MORE = const(b"[O")
_BACK = const("\b \b")

_FRAME_US = const(1100)
_FRAMES = const(2047)  # mask for frame numbers, which wrap
_FRAMES_MS = const(2)


class Serial:
    def __init__(self):
        self._in = sys.stdin.buffer
        self._reader = asyncio.StreamReader(self._in)
        self._more = select.poll()
        self._more.register(self._in, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)
        self._lines = []  # the line being sent, then the waiting lines
        self._cut = False
        self._frame = mem32[USB_SOF_RD]
        self._looked = time.ticks_ms()  # the time when the frame was read
        self._hosted = False  # True if a host was active since the start
        self._asleep = False
        self.echo = False  # echo the typed text, from the next line on

    def number(self):
        """Return the serial number of this Pico in hex, which is also its serial number on USB."""
        return "".join(["%02x" % byte for byte in unique_id()])

    async def read_line(self, longest):
        """Return the bytes typed up to the next CR or LF, but at most `longest` + 1 bytes.

        Backspace and DEL delete the last byte. Escape sequences do nothing. Ctrl-C drops the line
        and is returned at once.
        """
        line = bytearray()
        echo = self.echo
        escaped = False  # True within an escape sequence
        taken = 0
        while True:
            if taken % _AT_ONCE and not echo and self._more.poll(0):
                byte = self._in.read(1)
            else:
                byte = await self._reader.read(1)  # ten times slower than the other read
            taken += 1
            key = byte[0]
            if escaped and key >= _SPACE:
                escaped = key < _FINAL or key in _MORE
            elif key not in _KEYS:
                if len(line) <= longest:
                    line.extend(byte)
                    if echo:
                        self._show(chr(key))
            else:
                escaped = key == _ESC
                if key == _CR or key == _LF:
                    if line or key == _CR:  # CR LF makes only one new line
                        self._show("\n")
                    return line
                if key == _CTRL_C:
                    self._show("\n")
                    return byte
                if not escaped and 0 < len(line) <= longest:
                    line = line[:-1]
                    self._show(_BACK)

    def _show(self, typed):
        """Echo a typed key, if `echo` is on."""
        if self.echo and self._begin():
            self._write(typed, "\b\n")

    def write_line(self, line):
        """Send a line, or as much of it as the host takes at once. If `send_line` is busy, this
        line is sent after that line."""
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
            line = self._lines[0] + "\n"
            sends = self._begin()
            for at in range(0, len(line), _AT_ONCE):
                sends = sends and self._write(line[at : at + _AT_ONCE])
                await asyncio.sleep_ms(0)
            self._lines.pop(0)

    def flush(self):
        """Send the waiting lines at once. The rest of a line that is only half sent is lost."""
        lines, self._lines = self._lines, []
        self._cut = self._cut or bool(lines)
        for line in lines[1:]:
            self.write_line(line)

    def _begin(self):
        """Return True if a line can be sent. If the previous line was cut short, end it first."""
        if self._is_asleep():
            return False
        if self._cut:
            self._cut = False
            self._write("\n")
        return not self._cut

    def _is_asleep(self):
        """Return True if the host has gone without closing the port: the cable is unplugged, or
        the computer is asleep.

        An RP2040 does not notice this, and MicroPython 1.24 or newer still reports that it can
        write. When its 256-byte buffer is full, it waits half a second for each byte, or forever
        in 1.24.0 to 1.26.0 (mp_usbd_cdc_tx_strn in shared/tinyusb/mp_usbd_cdc.c, micropython issue
        16713). If no host has connected since the start, it does not wait.
        """
        now = time.ticks_ms()
        passed = time.ticks_diff(now, self._looked)  # wraps after 6.2 days
        if 0 <= passed < _FRAMES_MS:
            return self._asleep
        frame = mem32[USB_SOF_RD]
        frames = frame - self._frame & _FRAMES
        # An awake host begins a frame each millisecond. After any other number, check it now.
        if self._hosted and (not frames or frames - passed + 1 & _FRAMES > 2):
            time.sleep_us(_FRAME_US)
            now = time.ticks_ms()
            self._frame, frame = frame, mem32[USB_SOF_RD]
            frames = frame - self._frame & _FRAMES
        self._hosted = self._hosted or frames > 0
        self._asleep = self._hosted and not frames
        self._frame = frame
        self._looked = now
        return self._asleep

    def _write(self, text, also="\n"):
        """Send `text`, with "?" for each character that is neither printable nor in `also`. If the
        host stops reading, the rest of the line is lost. Then return False.

        The text is sent one byte at a time. If a longer piece did not fit into the buffer,
        MicroPython's USB driver would wait half a second for a host that has the port open but
        does not read.
        """
        ready, write = self._out.ipoll, sys.stdout.write
        for char in text:
            if self._is_asleep() or not any(ready(0)):  # unlike poll, ipoll allocates nothing
                self._cut = True
                return False
            write(char if " " <= char <= "~" or char in also else "?")
        return True
