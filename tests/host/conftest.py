"""Peers at the other end of the cable: Picos in separate processes, and peers that misbehave."""

import contextlib
import os
import re
import socket
import threading

import pytest

from served import Emulator


@pytest.fixture(scope="session")
def micropython(request):
    """Return the image for an emulated Pico. See tests/images.py."""
    return request.param


@pytest.fixture(scope="session")
def simulated():
    """Yield the port of a simulated Pico, in an exhibit that plays."""
    emulator = Emulator("--sim", "--tcp", "0")
    yield emulator.port
    emulator.kill()


@pytest.fixture
def peer():
    """Return peer(answer), which returns the port of a peer that answers each line with
    answer(line). If this is None, the connection breaks. The peer serves one connection after the
    other.

    The peer answers `version NONCE` as the firmware does, or with the prompt, from
    answer("version"). It first sends `leftovers`, which are for an earlier program.
    """
    stack = contextlib.ExitStack()

    def peer(answer, leftovers=""):
        door = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        stack.callback(door.shutdown, socket.SHUT_RDWR)
        args = [door, lambda line: _with_nonce(answer, line), leftovers]
        threading.Thread(target=_serve, args=args, daemon=True).start()
        return f"socket://127.0.0.1:{door.getsockname()[1]}"

    with stack:
        yield peer


def _serve(door, answer, leftovers):
    with contextlib.suppress(OSError):
        while True:
            line, _ = door.accept()
            with line, line.makefile("r", newline="\n") as lines:
                for text in lines:
                    line.sendall(leftovers.encode())
                    leftovers = ""
                    said = answer(text.strip()) if text.strip() else ""
                    if said is None:
                        break
                    line.sendall("".join(f"{one}\r\n" for one in said.splitlines()).encode())


def _with_nonce(answer, line):
    """Return the answer to a line that may be one of the two questions of a hello."""
    asked = re.search(r"version (\d{6})$", line)
    word = re.fullmatch(r"n\d{6}", line)
    if not (asked or word):
        return answer(line)
    said = answer("version")
    if word and "NameError" not in (said or ""):
        return f"error reason=unknown-command got={line} try=help"
    if word:
        return said.replace("'version'", f"'{line}'")
    hello = "ok name=nimatron"
    return said and said.replace(hello, f"{hello} nonce={asked[1]}")


@pytest.fixture
def pty():
    """Yield the name of a serial device without a peer."""
    master, slave = os.openpty()
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)
