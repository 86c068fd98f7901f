"""A Pico at the far end of a network. RFC 2217 (pyserial's own server side) serves its serial
line, as a terminal server or a single-board computer in the exhibit would."""

import contextlib
import socket
import threading
from types import SimpleNamespace

import pytest
import serial
from serial.rfc2217 import PortManager

# pyserial 3.5 names its threads in a deprecated way.
pytestmark = pytest.mark.filterwarnings("ignore:set.* is deprecated:DeprecationWarning")


@pytest.fixture(scope="module")
def far(simulated):
    with socket.create_server(("127.0.0.1", 0)) as door:
        threading.Thread(target=_serve, args=[door, simulated], daemon=True).start()
        yield f"rfc2217://127.0.0.1:{door.getsockname()[1]}"
        door.shutdown(socket.SHUT_RDWR)


def _serve(door, port):
    with contextlib.suppress(OSError):
        while True:
            network, _ = door.accept()
            with network, serial.serial_for_url(port, timeout=0.02) as line:
                _carry(network, line)


def _carry(network, line):
    manager = PortManager(line, SimpleNamespace(write=network.sendall))
    network.settimeout(0.01)
    while True:
        with contextlib.suppress(TimeoutError):
            data = network.recv(1024)
            if not data:
                return
            line.write(b"".join(manager.filter(data)))
        network.sendall(b"".join(manager.escape(line.read(256))))


def test_settings_are_read_and_set(nimatron, far):
    assert nimatron("settings", far, "think_ms", "1500")[0] == 0
    status, out, error = nimatron("settings", far, "think_ms")
    assert (status, error) == (0, "")
    assert "1500" in out
    assert nimatron("settings", far, "think_ms", "2000")[0] == 0
