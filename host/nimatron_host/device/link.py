"""A Pico on a cable: find it, open its serial line, and send and read lines.

A port is anything that pyserial can open: a device name, a PTY, `socket://HOST:PORT`,
`rfc2217://…`.
"""

import contextlib
import errno
import os
import random
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import serial
from serial.tools.list_ports import comports
from serial.tools.list_ports_common import ListPortInfo

from nimatron import protocol
from nimatron_host.device import manual
from nimatron_sim.errors import UserError
from nimatron_sim.text_encoding import escaped

RASPBERRY_PI = 0x2E8A  # USB vendor ID
MICROPYTHON = 0x0005  # USB product ID: the serial line of MicroPython

HELLO_S = 5  # timeout for the first answer from a Pico that has started
START_S = 60  # timeout for the first answer from a Pico that may still be starting
ANSWER_S = 15  # timeout for other answers, possibly after a crash and a restart
BOOT_S = 90  # a real Pico takes two seconds, an emulated one on a busy computer a minute
_WRITE_S = 10
_SILENCE_S = 2  # after this silence, ask whether the firmware has started
_AGAIN_S = 0.5  # between two attempts
_GONE_S = 30  # a port that is away for this time does not come back
_SAID = 40  # characters to quote from another program's output
_LONGEST = 65536  # bytes in a line: no Nimatron sends this many
_ECHOES = 32  # the most typed lines whose echo may still come

DOWNLOAD = "https://micropython.org/download/?port=rp2"  # the page with MicroPython for every Pico
# The replies of MicroPython's prompt to a question with a nonce, and to one without a nonce.
_NOT_PYTHON = ("SyntaxError: ", "NameError: name 'version'")
# The lines that a Pico prints at its start, and its prompt.
_BANNER = ("MicroPython v", 'Type "help', ">>>")
_STARTING = ("event ", "ok ", "error ", "MPY: ", "raw REPL", *_BANNER)
_TRACEBACK = ("Traceback (most", 'File "<stdin>"')
_PROMPTS = (">>> ", "nimatron> ")

Done = TypeVar("Done")


class Gone(UserError):
    """The exception for a port that has disappeared."""


class Refused(UserError):
    """The exception for an answer that is an error. `why` is the reason in a sentence, and
    `reason` is its code."""

    def __init__(self, text: str, why: str, reason: str = "") -> None:
        super().__init__(text)
        self.why = why
        self.reason = reason


def picos() -> list[ListPortInfo]:
    """Return every serial port on this computer that belongs to a Pico."""
    ports = [port for port in comports() if port.vid == RASPBERRY_PI]
    return sorted(ports, key=lambda port: port.device)


def the_only() -> str:
    """Return the port of the only plugged-in Pico with MicroPython. Raises UserError."""
    ports = [port.device for port in picos() if port.pid == MICROPYTHON]
    if not ports:
        raise UserError(NONE_FOUND)
    if len(ports) > 1:
        raise UserError(f"several Picos are plugged in. Name one of them: {', '.join(ports)}")
    return ports[0]


NONE_FOUND = (
    "no Pico with MicroPython is plugged in. Plug one in, or name its port. A new Pico "
    f"gets MicroPython from {DOWNLOAD}"
)


class SerialLink:
    """The serial line of a Pico, a context manager. One thread may read while another sends.

    `unasked` is called with each line that comes while another line is awaited. If `away` is true,
    the Pico has just been restarted, and `booted` opens the line when the Pico is back.
    """

    def __init__(
        self,
        port: str,
        unasked: Callable[[str], None] = lambda line: None,
        away: bool = False,
    ) -> None:
        self.port = port
        self._unasked = unasked
        self._serial: serial.SerialBase | None = None
        self._losing = threading.Lock()  # lets only one of two threads close a failed line
        self._received = b""
        self._typed: deque[str] = deque(maxlen=_ECHOES)
        self._answered = False  # True after an answer since the port was opened
        self._talk = ""  # the last line, if it was not from Nimatron or MicroPython
        self._starts = False  # True after a line from Nimatron or MicroPython
        if not away:
            self.open()

    def __enter__(self) -> "SerialLink":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> None:
        """Open the port. Raises UserError with the likely cause."""
        self.close()
        self._serial = opened(self.port, _WRITE_S)

    def close(self) -> None:
        """Close the port, so that other programs can use it."""
        line, self._serial = self._serial, None
        self._received = b""
        self._typed.clear()
        self._answered = self._starts = False
        self._talk = ""
        if line:
            held = getattr(line, "_socket", None)
            with contextlib.suppress(OSError):  # the port has gone
                line.close()
            if held:  # pyserial 3.5 does not close a socket that the other end has closed
                held.close()

    def drop(self) -> None:
        """Close the port and drop unsent bytes, because Linux would wait up to 30 s for them."""
        line = self._serial
        if isinstance(line, serial.Serial):
            with contextlib.suppress(OSError, TypeError):  # the port has gone, or is being closed
                if line.out_waiting:
                    line.reset_output_buffer()
        self.close()

    # ------------------------------------------------------------------ lines

    def send(self, text: str) -> None:
        """Type a line. Raises Gone."""
        # CR LF, because MicroPython's prompt accepts only CR, and our console drops empty lines.
        self._do(lambda line: line.write(text.encode("ascii", "replace") + b"\r\n"))
        self._typed.append(text.rpartition("\r")[2].strip())

    def interrupt(self) -> None:
        """Type Ctrl-C on a separate line. Raises Gone. During the show, Ctrl-C does not stop the
        firmware, and on the same line it would corrupt the next command."""
        self.send("\x03")

    def read(self, seconds: float) -> str | None:
        """Return the next line, or None if no line is complete in time. The echo of a typed line
        is omitted. Raises Gone."""
        end = time.monotonic() + seconds
        while True:
            while b"\n" not in self._received:
                left = end - time.monotonic()
                if left < 0:
                    return None
                self._received += self._do(partial(_receive, seconds=left))
                self._received = self._received[-_LONGEST:]
            line, _, self._received = self._received.partition(b"\n")
            text = line.rstrip(b"\r").decode("utf-8", "replace")
            if not self._is_echo(text):
                return text

    def _is_echo(self, text: str) -> bool:
        """Return True if `text` is the typed line, perhaps after a prompt."""
        for prompt in _PROMPTS:
            while text.startswith(prompt):
                text = text.removeprefix(prompt)
        text = text.strip()
        if not text or text not in self._typed:
            return False
        while self._typed.popleft() != text:
            pass
        return True

    def ask(self, text: str) -> str:
        """Type a line and return the answer, `ok …` or `error …`. Raises UserError."""
        self.send(text)
        answer = self.wait(protocol.is_answer, ANSWER_S)
        if answer is None:
            raise UserError(f"{self.port} does not answer `{text}`")
        return answer

    def query(self, text: str) -> dict[str, str]:
        """Type a line and return the values in the answer `ok …` by key. Raises Refused
        otherwise."""
        answer = self.ask(text)
        kind, _, said = protocol.parse(answer)
        if kind != protocol.OK:
            reason = said.get("reason", "")
            why = said.get("text") or reason or answer
            if meant := manual.meant(said):
                why += f". Did you mean {meant}?"
            raise Refused(f"{self.port} refuses `{text}`: {why}", why, reason)
        return said

    def wait(self, wanted: Callable[[str], bool], seconds: float) -> str | None:
        """Return the first wanted line, or None if no such line comes in time. Raises Gone."""
        end = time.monotonic() + seconds
        while True:
            line = self.read(max(0, end - time.monotonic()))
            if line is None or wanted(line):
                return line
            self._unasked(line)

    def _do(self, action: Callable[[serial.SerialBase], Done]) -> Done:
        line = self._serial
        if not line:
            raise Gone(f"{self.port} is closed")
        try:
            return action(line)
        except serial.SerialTimeoutException:
            raise UserError(f"{self.port} accepts no data. Unplug it and plug it in") from None
        except (OSError, AttributeError, TypeError, ValueError) as why:
            # pyserial raises all except the first if another thread has closed the port.
            raise Gone(self._lost(line, why)) from None

    def _lost(self, line: serial.SerialBase, why: Exception) -> str:
        """Close this line, which has failed, and return the reason. If another thread has already
        closed it, do not touch the line that this thread may have opened since."""
        with self._losing:
            if self._serial is not line:
                return f"{self.port} is closed"
            text = self._why_gone(why)
            self.close()
            return text

    def _why_gone(self, why: Exception) -> str:
        if "multiple access" in str(why) and os.path.exists(self.port):
            return f"another program also reads from {self.port}. Close it and try again"
        if self.port.startswith("socket:") and not self._answered:
            return (
                f"{self.port} was closed by the other end before Nimatron answered. Probably "
                "another program uses it: close that one and try again"
            )
        return f"{self.port} is gone. Plug the Pico in and try again"

    # ------------------------------------------------------------------ the handshake

    def hello(self, seconds: float | None = None) -> dict[str, str] | None:
        """Return Nimatron's answer to `version`, {} if MicroPython's prompt answers, or None if no
        answer comes in time.

        Lines before the answer are dropped, because they were meant for an earlier program. The
        answer repeats the random number from the question. The prompt refuses the question, but
        its refusal of another word repeats the number.
        """
        end = time.monotonic() + (HELLO_S if seconds is None else seconds)
        patience = (HELLO_S if seconds is None else min(seconds, HELLO_S)) / 2
        fresh = ""
        while (left := end - time.monotonic()) > 0:
            nonce = str(random.randrange(10**5, 10**6))
            # The first CR ends a half-typed line from an earlier program.
            self.send(f"{fresh}\rversion {nonce}")
            said = self._dropping(partial(greeting, nonce=nonce), min(patience, left))
            if said == {}:
                self.send(f"n{nonce}")
                whose = partial(_refusal, word=f"n{nonce}")
                said = self._dropping(whose, max(0, end - time.monotonic()))
                if said:  # Nimatron refuses it, so the prompt's answer was for an earlier program
                    continue
            if said is not None:
                self._answered = True
                return said
            fresh = "\r\x02"  # Ctrl-B leaves the raw prompt of an interrupted program
            patience *= 2  # each question stays in the memory of a Pico that is starting
        return None

    def _dropping(
        self, wanted: Callable[[str], dict[str, str] | None], seconds: float
    ) -> dict[str, str] | None:
        """Return the first result of wanted(line) that is not None, or None if no such line comes
        in time. Earlier lines are dropped."""
        end = time.monotonic() + seconds
        while (line := self.read(max(0, end - time.monotonic()))) is not None:
            said = wanted(line)
            if said is not None:
                return said
            self._note(line)
        self._note(self._received.decode("utf-8", "replace"))  # other firmware may end no line
        return None

    def _note(self, line: str) -> None:
        """Record which program probably sent `line`."""
        if line.strip().startswith(_TRACEBACK):
            return
        if line.startswith(_STARTING):
            self._starts, self._talk = True, ""
        elif line.strip():
            self._talk = line.strip()

    def patient_hello(self) -> dict[str, str] | None:
        """Return the result of `hello`, but report and wait for a Pico that may still be
        starting."""
        said = self.hello()
        if said is None and not self._talk:
            print(
                f"{self.port} does not answer yet. Waiting up to {START_S:.0f} s for it to start",
                file=sys.stderr,
                flush=True,
            )
        if said is None:
            said = self.hello(2 * HELLO_S if self._talk else START_S)
        return said

    def unanswered(self) -> str:
        """Return a sentence with the reason why no hello was answered, and the remedy."""
        if self._talk:
            said = escaped(self._talk)
            return (
                f"{self.port} runs another program: it answers neither as Nimatron nor as "
                f'MicroPython, but sent "{said[:_SAID]}". MicroPython for a Pico: {DOWNLOAD}'
            )
        if self._starts:
            return (
                f"{self.port} is starting, but does not answer yet. Wait a minute, then try again"
            )
        return (
            f"{self.port} can be opened, but nothing comes from it. Unplug the Pico and plug it "
            f"in. If that does not help, put MicroPython on it: {DOWNLOAD}"
        )

    def nimatron(self) -> dict[str, str]:
        """Wait until Nimatron has started, and return its answer to `version`. Raises UserError if
        another program answers."""
        hello = self.patient_hello()
        if hello is None:
            raise UserError(self.unanswered())
        if not hello:
            raise UserError(
                f"{self.port} has MicroPython but not Nimatron. To install it: "
                f"nimatron deploy {self.port}"
            )
        return hello

    # ------------------------------------------------------------------ restarts

    def restart(self, command: str, mode: str) -> str:
        """Restart the firmware with the `maintenance` or `reboot` command. Return the line that
        confirms the mode. Raises UserError."""
        self.query(command)
        return self.booted(mode)

    def booted(self, mode: str | None = None) -> str:
        """Wait until the firmware has started, in `mode` if given. Return the line that reports
        the start. If the port has gone, open it again. Raises UserError."""
        end = time.monotonic() + BOOT_S
        back = time.monotonic() + _GONE_S
        last, asked = "nothing", False
        while time.monotonic() < end:
            try:
                if not self._serial:
                    self.open()
                    asked = False
                line = self.read(_SILENCE_S)
                back = time.monotonic() + _GONE_S
                if line is None:  # the boot line may have come while the port was away
                    said = self.hello()
                    if said == {}:
                        last = self._talk or last
                        raise UserError(f"{self.port}: the firmware does not start: {last}")
                    asked = said is None
                    line = protocol.format(protocol.OK, *said.items()) if said else ""
                if _says_boot(line) and mode in (None, protocol.parse(line)[2].get("mode")):
                    if asked:
                        self.hello(ANSWER_S)  # to drop the answers to earlier questions
                    return line
                if line.strip():
                    if not line.startswith(_BANNER):  # a banner follows the failure of main.py
                        last = line.strip()
                    self._unasked(line)
            except Gone:
                pass
            except UserError:
                if self._serial or time.monotonic() > back:
                    raise
                time.sleep(_AGAIN_S)
        raise UserError(f"{self.port} has not started within {BOOT_S} s. Its last line: {last}")


def opened(port: str, write_s: float) -> serial.SerialBase:
    """Open a port, with a timeout for writing. Raises UserError with the likely cause."""
    try:
        line = serial.serial_for_url(port, 115200, do_not_open=True)
        line.timeout = 1
        line.exclusive = True
        if not port.startswith("rfc2217:"):  # pyserial has no write timeout for it
            line.write_timeout = write_s
        line.open()
    except (OSError, ValueError) as why:  # a SerialException is an OSError
        raise UserError(cause(port, why)) from None
    return line


def _receive(line: serial.SerialBase, seconds: float | None) -> bytes:
    line.timeout = seconds
    waiting: int = line.in_waiting  # type: ignore[attr-defined]  # each port has its own
    return line.read(waiting or 1)


def greeting(line: str, nonce: str) -> dict[str, str] | None:
    """Return the facts in Nimatron's answer to `version` with this nonce. Return {} for an answer
    from the prompt, perhaps to an earlier program, and None for any other line."""
    _, _, said = protocol.parse(line)
    if _is_version(line) and said.pop("nonce", None) == nonce:
        return said
    return {} if line.startswith(_NOT_PYTHON) else None


def _refusal(line: str, word: str) -> dict[str, str] | None:
    """Return the facts if Nimatron refuses `word`, {} if the prompt does, or None for any other
    line."""
    _, _, said = protocol.parse(line)
    if said.get("got") == word:
        return said
    return {} if f"NameError: name '{word}'" in line else None


def _says_boot(line: str) -> bool:
    return _is_version(line) or protocol.parse(line)[:2] == (protocol.EVENT, "boot")


def _is_version(line: str) -> bool:
    kind, _, said = protocol.parse(line)
    return kind == protocol.OK and said.get("name") == "nimatron"


def _permission(port: str) -> str:
    """Return instructions for getting permission to use a port on this computer."""
    if sys.platform != "linux":
        return "it belongs to another user of this computer"
    try:
        group = Path(port).group()  # the group is uucp on Arch
    except (OSError, KeyError):
        group = "dialout"
    return f"join its group and log in again: sudo usermod -aG {group} $USER"


def cause(port: str, why: Exception) -> str:
    number = getattr(why, "errno", None)
    if number is None:
        found = re.search(r"\[Errno (\d+)\]|\((\d+), '", str(why))
        number = int(found[1] or found[2]) if found else None
    if number == errno.ENOENT or "FileNotFoundError" in str(why):
        return f"the port {port} does not exist. To list the devices: nimatron devices"
    if number in (errno.EBUSY, errno.EAGAIN) or (
        os.name == "nt" and "PermissionError" in str(why)
    ):
        return f"{port} is in use by another program. Close it and try again"
    if number == errno.EACCES:
        return f"no permission to use {port}. {_permission(port)}"
    if number == errno.ECONNREFUSED:
        return f"no program serves {port}"
    if number == errno.ENOTTY:
        return f"cannot open {port}: it is not a serial port"
    reason = getattr(why, "strerror", None) or str(why)
    return f"cannot open {port}: {' '.join(reason.split())}"
