"""The tool mpremote, run as a command, because its command line is its stable interface."""

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator

from nimatron_host.device.link import DOWNLOAD, Gone, SerialLink
from nimatron_sim import extras
from nimatron_sim.errors import UserError

COMMAND = (sys.executable, "-m", "mpremote")
_SILENCE_S = 120  # timeout for output: no step of a deploy takes this long, even emulated
# mpremote's messages for a Pico that stops answering or mixes in other output.
_IN_THE_MIDDLE = (
    "could not exec command",
    "could not complete raw paste",
    "unexpected read during raw paste",
    "timeout waiting for",
)


class Full(UserError):
    """The exception for a flash without room for the files."""


class NoPrompt(UserError):
    """The exception for a Pico whose MicroPython prompt does not answer."""


def mpremote(port: str, *words: str, said: Callable[[str], None]) -> None:
    """Run mpremote, and call said() with each line that it prints. Raises UserError."""
    command = [*COMMAND, "connect", port, *words]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as complaints:
        last = ""
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1"},
        ) as process:
            try:
                for line in _lines(port, process):
                    last = line.strip() or last
                    said(line)
                status = process.wait()
            finally:
                process.kill()
        if status:
            complaints.seek(0)
            raise _error(port, complaints.read(), last)


def _lines(port: str, process: subprocess.Popen[str]) -> Iterator[str]:
    """Yield the lines of output. Raises UserError if the process is silent for too long."""
    assert process.stdout
    silent = threading.Event()

    def give_up() -> None:
        silent.set()
        process.kill()

    while True:
        watchdog = threading.Timer(_SILENCE_S, give_up)
        watchdog.daemon = True
        watchdog.start()
        line = process.stdout.readline()
        watchdog.cancel()
        if silent.is_set():
            raise UserError(
                f"{port} has been silent for {_SILENCE_S} s. Unplug it, plug it in and try again"
            )
        if not line:
            return
        yield line.rstrip("\r\n")


def _error(port: str, complaint: str, last: str) -> UserError:
    why = complaint.strip().splitlines()[-1] if complaint.strip() else ""
    if "No module named" in why:
        return extras.missing("mpremote")
    if "failed to access" in why:
        return _cannot_open(port)
    if "could not enter raw repl" in why:
        return NoPrompt(
            f"{port} does not answer as MicroPython. Is MicroPython on it? See {DOWNLOAD}"
        )
    if any(text in why for text in _IN_THE_MIDDLE):
        return Gone(f"{port} no longer answers. Unplug the Pico, plug it in and run this again")
    if why.startswith(
        ("serial.", "OSError", "termios.", "TypeError", "struct.error", "BrokenPipe")
    ):
        return Gone(f"{port} has gone in the middle. Plug the Pico in and run this again")
    if "ENOSPC" in last or last.endswith("OSError: 28"):
        return Full(f"the flash of the Pico at {port} is full. Remove some of your files")
    if "EIO" in last or last.endswith("OSError: 5"):
        return UserError(
            f"a file arrived damaged at {port}. Run this again, and if it happens "
            "again the flash of this Pico is worn out"
        )
    return UserError(f"mpremote failed at {port}: {why or last or 'no reason given'}")


def _cannot_open(port: str) -> UserError:
    """Return the reason why mpremote could not open a port. Its own message is the same for a
    missing port and a busy one."""
    try:
        with SerialLink(port):
            pass
    except UserError as why:
        return why
    return UserError(f"{port} was in use by another program. Try again")
