"""What is at the other end of the cable: Picos in their own processes, peers that misbehave."""

import contextlib
import os
import socket
import threading

import pytest

from served import Emulator


@pytest.fixture(scope="session")
def micropython(request):
    """The image that an emulated Pico has; see tests/images.py."""
    return request.param


@pytest.fixture(scope="session")
def simulated():
    """The port of a simulated Pico, in an exhibit that plays."""
    emulator = Emulator("--sim", "--tcp", "0")
    yield emulator.port
    emulator.kill()


@pytest.fixture
def peer():
    """peer(answer): the port of somebody who says answer(line) to each line; when that is None
    the connection breaks. One connection after the other is served."""
    stack = contextlib.ExitStack()

    def peer(answer):
        door = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        stack.callback(door.shutdown, socket.SHUT_RDWR)
        threading.Thread(target=_serve, args=[door, answer], daemon=True).start()
        return f"socket://127.0.0.1:{door.getsockname()[1]}"

    with stack:
        yield peer


def _serve(door, answer):
    with contextlib.suppress(OSError):
        while True:
            line, _ = door.accept()
            with line, line.makefile("r", newline="\n") as lines:
                for text in lines:
                    said = answer(text.strip()) if text.strip() else ""
                    if said is None:
                        break
                    line.sendall("".join(f"{one}\r\n" for one in said.splitlines()).encode())


@pytest.fixture
def pty():
    """The name of a serial device with nobody behind it."""
    master, slave = os.openpty()
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)
