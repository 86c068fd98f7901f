"""A Pico on a cable: find it, open its serial line, talk to it line by line.

A port is anything pyserial opens: a device name, a PTY, `socket://HOST:PORT`, `rfc2217://…`.
"""

import contextlib
import errno
import os
import re
import time
from collections.abc import Callable

import serial
from serial.tools.list_ports import comports
from serial.tools.list_ports_common import ListPortInfo

from nimatron import protocol
from nimatron_sim.errors import UserError

RASPBERRY_PI = 0x2E8A  # USB vendor
MICROPYTHON = 0x0005  # USB product: the serial line of MicroPython

HELLO_S = 5  # for the first answer
ANSWER_S = 15  # for any other, possibly with a crash and a restart before it
BOOT_S = 90  # a real Pico takes two seconds, an emulated one on a busy computer a minute
_WRITE_S = 10
_SILENCE_S = 2  # after which to ask whether it has started
_QUIET_S = 0.5  # after which no more answers are on their way
_AGAIN_S = 0.5  # from one attempt to the next
_GONE_S = 30  # a port that stays away this long does not come back

_NO_VERSION = "NameError: name 'version'"  # the reply of MicroPython's prompt to our question


class Gone(UserError):
    """The port was there and has gone."""


class Refused(UserError):
    """The answer to a line is an error; `why` is the reason, a sentence."""

    def __init__(self, text: str, why: str):
        super().__init__(text)
        self.why = why


def picos() -> list[ListPortInfo]:
    """Every serial port of this computer that belongs to a Pico."""
    ports = [port for port in comports() if port.vid == RASPBERRY_PI]
    return sorted(ports, key=lambda port: port.device)


def the_only() -> str:
    """The port of the one Pico with MicroPython that is plugged in; raises UserError."""
    ports = [port.device for port in picos() if port.pid == MICROPYTHON]
    if not ports:
        raise UserError(NONE_FOUND)
    if len(ports) > 1:
        raise UserError(f"several Picos are plugged in; name one of them: {', '.join(ports)}")
    return ports[0]


NONE_FOUND = (
    "no Pico with MicroPython is plugged in; plug one in, or name its port; a new Pico "
    "gets MicroPython from https://micropython.org/download/RPI_PICO/"
)


def is_port(word: str) -> bool:
    """True if the word looks like the name of a port, and not like any other word."""
    return "/" in word or word.upper().startswith("COM")


class SerialLink:
    """The serial line of a Pico, a context manager.

    unasked: called with each line that comes while another is awaited.
    away: the Pico has just been restarted; `booted` will open the line when it is back.
    """

    def __init__(
        self,
        port: str,
        unasked: Callable[[str], None] = lambda line: None,
        away: bool = False,
    ):
        self.port = port
        self._unasked = unasked
        self._serial: serial.SerialBase | None = None
        self._received = b""
        if not away:
            self.open()

    def __enter__(self) -> "SerialLink":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def open(self) -> None:
        """Open the port; if that fails, raises UserError with the likely cause."""
        self.close()
        try:
            self._serial = serial.serial_for_url(self.port, 115200, do_not_open=True)
            self._serial.timeout = 1
            self._serial.exclusive = True
            if not self.port.startswith("rfc2217:"):  # pyserial does not support it there
                self._serial.write_timeout = _WRITE_S
            self._serial.open()
        except (OSError, ValueError) as why:  # a SerialException is an OSError
            raise UserError(_cause(self.port, why)) from None

    def close(self) -> None:
        """Leave the port to other programs."""
        line, self._serial = self._serial, None
        self._received = b""
        if line:
            with contextlib.suppress(OSError):  # it has gone
                line.close()

    # ------------------------------------------------------------------ lines

    def send(self, text: str) -> None:
        """Type a line; raises Gone."""
        # CR LF: the prompt of MicroPython knows only CR, and our console drops empty lines.
        self._do(lambda line: line.write(text.encode("ascii", "replace") + b"\r\n"))

    def read(self, seconds: float) -> str | None:
        """The next line, None if none is complete in time; raises Gone."""
        end = time.monotonic() + seconds
        while b"\n" not in self._received:
            left = end - time.monotonic()
            if left < 0:
                return None
            self._received += self._do(lambda line, left=left: _receive(line, left))
        line, _, self._received = self._received.partition(b"\n")
        return line.rstrip(b"\r").decode("utf-8", "replace")

    def ask(self, text: str) -> str:
        """Type a line and return its answer, `ok …` or `error …`; raises UserError."""
        self.send(text)
        answer = self.wait(protocol.is_answer, ANSWER_S)
        if answer is None:
            raise UserError(f"{self.port} does not answer `{text}`")
        return answer

    def query(self, text: str) -> dict[str, str]:
        """Type a line; return the values of its answer `ok …`, by key. Raises Refused for any
        other answer."""
        answer = self.ask(text)
        kind, _, said = protocol.parse(answer)
        if kind != protocol.OK:
            why = said.get("text") or said.get("reason") or answer
            raise Refused(f"{self.port} refuses `{text}`: {why}", why)
        return said

    def wait(self, wanted: Callable[[str], bool], seconds: float) -> str | None:
        """The first wanted line, None if it does not come in time; raises Gone."""
        end = time.monotonic() + seconds
        while True:
            line = self.read(max(0, end - time.monotonic()))
            if line is None or wanted(line):
                return line
            self._unasked(line)

    def _do(self, action):
        if not self._serial:
            raise Gone(f"{self.port} is closed")
        try:
            return action(self._serial)
        except serial.SerialTimeoutException:
            raise UserError(f"{self.port} accepts no data; unplug it and plug it in") from None
        except (OSError, TypeError, ValueError):  # from pyserial, if another thread has closed it
            self.close()
            raise Gone(f"{self.port} is gone; plug the Pico in and try again") from None

    # ------------------------------------------------------------------ who is there

    def hello(self, seconds: float | None = None) -> dict[str, str] | None:
        """Nimatron's answer to `version`; {} from MicroPython's prompt, None if no answer comes in
        time."""
        for prefix in (
            "",
            "\r\x02\r",
        ):  # Ctrl-B leaves the raw prompt of a program that was cut off
            self.send(prefix + "version")
            line = self.wait(_says_hello, (seconds or HELLO_S) / 2)
            if line is not None:
                if prefix:
                    self._settle()
                kind, _, said = protocol.parse(line)
                return said if kind == protocol.OK else {}
        return None

    def _settle(self):
        """Drop late answers to repeated questions."""
        while (line := self.read(_QUIET_S)) is not None:
            if not protocol.is_answer(line):
                self._unasked(line)

    def nimatron(self) -> dict[str, str]:
        """Nimatron's answer to `version`; raises UserError if it is not Nimatron."""
        hello = self.hello()
        if hello is None:
            raise UserError(
                f"{self.port} does not answer; unplug it and plug it in, then try again"
            )
        if not hello:
            raise UserError(
                f"{self.port} has MicroPython but not Nimatron; "
                f"put it there with: nimatron deploy {self.port}"
            )
        return hello

    # ------------------------------------------------------------------ restarts

    def restart(self, command: str, mode: str) -> str:
        """Restart the firmware with `maintenance` or `reboot`; return the line that confirms the
        mode; raises UserError."""
        self.query(command)
        return self.booted(mode)

    def booted(self, mode: str | None = None) -> str:
        """Wait until the firmware has started, in that mode if one is given, and return the line
        that says so. Opens the port again if it has gone meanwhile. Raises UserError."""
        end = time.monotonic() + BOOT_S
        back = time.monotonic() + _GONE_S
        last, asked = "nothing", False
        while time.monotonic() < end:
            try:
                if not self._serial:
                    self.open()
                line = self.read(_SILENCE_S)
                back = time.monotonic() + _GONE_S
                if line is None:
                    self.send("version")  # the boot line may have come while the port was away
                    asked = True
                elif _says_boot(line) and mode in (None, protocol.parse(line)[2].get("mode")):
                    if asked:
                        self._settle()
                    return line
                elif asked and _NO_VERSION in line:
                    raise UserError(f"{self.port}: the firmware does not start: {last}")
                elif line.strip():
                    last = line.strip()
                    self._unasked(line)
            except Gone:
                pass
            except UserError:
                if self._serial or time.monotonic() > back:
                    raise
                time.sleep(_AGAIN_S)
        raise UserError(f"{self.port} has not started within {BOOT_S} s; its last line: {last}")


def _receive(line, seconds):
    line.timeout = seconds
    return line.read(line.in_waiting or 1)


def _says_hello(line):
    return _is_version(line) or _NO_VERSION in line


def _says_boot(line):
    return _is_version(line) or protocol.parse(line)[:2] == (protocol.EVENT, "boot")


def _is_version(line):
    kind, _, said = protocol.parse(line)
    return kind == protocol.OK and said.get("name") == "nimatron"


def _cause(port, why):
    number = getattr(why, "errno", None)
    if number is None:
        found = re.search(r"\[Errno (\d+)\]", str(why))
        number = int(found[1]) if found else None
    if number == errno.ENOENT or "FileNotFoundError" in str(why):
        return f"there is no {port}; `nimatron devices` lists what is plugged in"
    if number in (errno.EBUSY, errno.EAGAIN) or (
        os.name == "nt" and "PermissionError" in str(why)
    ):
        return f"{port} is in use by another program; close that one and try again"
    if number == errno.EACCES:
        return (
            f"no permission to use {port}; join its group and log in again: "
            "sudo usermod -aG dialout $USER"
        )
    if number == errno.ECONNREFUSED:
        return f"nobody serves {port}"
    reason = getattr(why, "strerror", None) or str(why)
    return f"cannot open {port}: {' '.join(reason.split())}"
