"""Attacks that would shut out visitors: too many connections, slow connections, long logs."""

import asyncio
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import ExitStack, contextmanager, suppress
from types import SimpleNamespace

import aiohttp
import pytest
from patience import PATIENCE_S

from nimatron_host.kiosk import limits, sparing_log
from nimatron_host.kiosk.addresses import is_loopback
from nimatron_host.kiosk.sparing_log import Brief, Sparing
from nimatron_play.machine import Machine
from nimatron_play.pages import Page

resource = pytest.importorskip("resource")

HALF = b"GET / HTTP/1.1\r\nHost: 127"


def knock(port, said=HALF):
    said = said.replace(b"PORT", str(port).encode())
    line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
    try:
        line.sendall(said)
    except OSError:  # it was cut already
        line.close()
        raise
    return line


def is_cut(line):
    """Wait until the other end has closed the connection."""
    try:
        while line.recv(4096):
            pass
    except ConnectionResetError:
        pass
    return True


def fetch(url):
    with urllib.request.urlopen(url, timeout=PATIENCE_S) as page:
        return page.read()


def port_of(served):
    return int(served.url.rstrip("/").rpartition(":")[2])


# ---------------------------------------------------------------------- the connections


def test_unfinished_request_is_cut(serve, monkeypatch):
    """A connection that a browser opens in advance is silent, and is not counted as an attack."""
    monkeypatch.setattr(limits, "PATIENCE_S", 0.2)
    served = serve()
    lines = [knock(port_of(served), said) for said in (HALF, b"", b"\r\n", b"\x16\x03\x01")]
    for line in lines:
        with line:
            assert is_cut(line)
    assert b"nimatron_connections_refused_total 2.0" in fetch(served.url + "metrics")


def test_bytes_now_and_then_are_no_excuse(serve, monkeypatch):
    monkeypatch.setattr(limits, "PATIENCE_S", 0.3)
    with knock(port_of(serve())) as line:
        line.settimeout(0.05)
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                line.sendall(b"x")
                if not line.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        assert time.monotonic() < end


def test_after_an_answer_a_connection_waits_no_longer(serve, monkeypatch):
    monkeypatch.setattr(limits, "PATIENCE_S", 0.2)
    with knock(
        port_of(serve()), b"GET /board.js HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n"
    ) as line:
        said = b""
        while b"LAMPS" not in said:
            said += line.recv(4096)
        assert is_cut(line)


class Transport:
    """A connection as the server sees it."""

    def __init__(self, address="192.0.2.1"):
        self.address = address
        self.cut = False

    def get_extra_info(self, _):
        return (self.address, 1)

    def abort(self):
        self.cut = True


async def test_full_house_keeps_its_visitors():
    """Viewers stay. A waiting connection makes room for the next connection."""
    entrance = limits.Connections(lambda: None, most=3)
    viewers = [Transport(f"192.0.2.{n}") for n in range(2)]
    for viewer in viewers:
        entrance.enter(viewer)
        entrance.serving(viewer)
    waiting, newcomer, last = (Transport(f"198.51.100.{n}") for n in range(3))
    entrance.enter(waiting)
    entrance.enter(newcomer)
    assert waiting.cut and not newcomer.cut and entrance.open == 3
    entrance.serving(newcomer)
    entrance.enter(last)
    assert last.cut and entrance.open == 3 and entrance.refused == 2
    assert not any(line.cut for line in (*viewers, newcomer))
    for line in (*viewers, newcomer):
        entrance.leave(line)
        entrance.leave(line)
    assert entrance.open == 0


async def test_oldest_waiting_connection_is_dropped_first():
    """A newcomer that has sent nothing yet is not closed first. Otherwise, an attacker with many
    connections, each with many requests, would push out all visitors."""
    entrance = limits.Connections(lambda: None, most=2)
    busy, visitor, next_one = (Transport() for _ in range(3))
    entrance.enter(busy)
    entrance.enter(visitor)
    entrance.serving(busy)
    entrance.served(busy)
    entrance.enter(next_one)
    assert busy.cut and not visitor.cut and not next_one.cut
    for line in (visitor, next_one):
        entrance.leave(line)


UPGRADE = (
    b"GET /look HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
PING = b"\x89\x80\0\0\0\0"
PIECES = 200 * b"\0\x81\0\0\0\0x"  # of a message that does not end


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (UPGRADE, 1000 * PING),
        (UPGRADE + b"\x01\x81\0\0\0\0x", PIECES),
        (b"", 100 * b"GET /icon.svg HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n"),
        (b"", 1000 * b"\r\n"),
    ],
    ids=["pings", "pieces", "requests", "nothing"],
)
def test_a_flood_is_cut_off_unheard(serve, monkeypatch, first, then):
    """The server does not even read it, because this would take time from other visitors."""
    monkeypatch.setattr(limits, "PATIENCE_S", 600)
    monkeypatch.setattr("nimatron_host.kiosk.peer._BURST", 10**9)
    monkeypatch.setattr("nimatron_host.kiosk.server.LONGEST", 10**9)
    port = port_of(serve())
    then = then.replace(b"PORT", str(port).encode())
    with knock(port, first) as line, pytest.raises(ConnectionError):
        for _ in range(10_000):
            line.sendall(then)


def test_simultaneous_changes_are_sent_once(serve, monkeypatch):
    shown = []
    show = Machine._show
    monkeypatch.setattr(Machine, "_show", lambda machine: shown.append(show(machine)))
    served = serve()
    done = threading.Event()

    class Somebody:
        page = served.machine.visit.pages.open(Page(control=True))

    def press():
        shown.clear()
        for _ in range(50):
            served.machine.buttons.press(Somebody, "row1")
            served.machine.buttons.release(Somebody, "row1")
        assert not shown
        asyncio.get_running_loop().call_soon(lambda: done.set() if len(shown) == 1 else None)

    served._loop.call_soon_threadsafe(press)
    assert done.wait(PATIENCE_S)


def test_no_more_connections_than_files(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (128, 128))
    assert 8 <= limits.allowed(600, 32) < 100
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY,) * 2)
    assert limits.allowed(600, 32) == 600


# ---------------------------------------------------------------------- the log


def test_a_log_says_a_thing_once_and_then_how_often(caplog, monkeypatch):
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(sparing_log, "time", clock)
    sparing = Sparing(window_s=1.0)
    log = logging.getLogger("attacked")
    log.addFilter(sparing)

    def knocks(address):
        log.warning("%s: knocks", address)

    for _ in range(1000):
        knocks("192.0.2.1")
    assert len(caplog.records) == 1
    clock.now = 1.0
    knocks("192.0.2.2")
    said = caplog.records[1].getMessage()
    assert re.fullmatch(r"192\.0\.2\.2: knocks \(999 more like this in the meantime\)", said)
    log.removeFilter(sparing)


def test_log_shortens_long_messages():
    brief = Brief("nimatron: %(message)s")
    record = logging.LogRecord("attacked", logging.ERROR, "", 1, "%s", ("x" * 100_000,), None)
    assert 1000 < len(brief.format(record)) < 3000
    record = logging.LogRecord("attacked", logging.ERROR, "", 1, "%s", ("x",), None)
    assert brief.format(record) == "nimatron: x"


def _failed(why):
    """Return a log record about a request that has ended with this exception."""
    try:
        raise why
    except Exception:
        what = sys.exc_info()
    return logging.LogRecord("attacked", logging.ERROR, "", 1, "request of %s", ("x",), what)


def test_leaving_is_one_log_line_and_a_bug_a_traceback():
    brief, sparing = Brief("%(message)s"), Sparing()
    gone, bug = _failed(ConnectionResetError("gone\nnow")), _failed(KeyError("row"))
    assert brief.format(gone) == "request of x: ConnectionResetError: gone now"
    assert "Traceback" in brief.format(bug)
    assert [sparing.filter(record) for record in (gone, gone, bug)] == [True, False, True]


# ---------------------------------------------------------------------- the review's attacks


@contextmanager
def process(tmp_path, *options, files=None):
    """Start a separate kiosk on a free port. Yield it, its URL, and its error file."""

    def limit():
        if files:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    said = tmp_path / "stderr"
    command = [sys.executable, "-m", "nimatron_host", "kiosk", "--port", "0"]
    with said.open("wb") as stderr:
        kiosk = subprocess.Popen(
            [*command, "--state", str(tmp_path / "state"), *options],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            preexec_fn=limit,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    try:
        line = kiosk.stdout.readline()
        yield kiosk, re.search(r"http://\S+/", line)[0], said
    finally:
        kiosk.kill()
        kiosk.communicate()


def test_half_open_connections_beyond_all_files(tmp_path):
    """This is the attack from a review: 160 connections to a process with 128 files."""
    with ExitStack() as stack:
        kiosk, url, said = stack.enter_context(process(tmp_path, files=128))
        port = int(url.rstrip("/").rpartition(":")[2])
        lines = [stack.enter_context(knock(port)) for _ in range(160)]
        for round in range(4):
            assert b"Nimatron" in fetch(url)
            for line in lines[round::4]:
                with suppress(OSError):  # it is cut
                    line.sendall(b"x")
        assert kiosk.poll() is None
        assert said.stat().st_size < 2000


def test_an_endless_address_takes_one_line_in_the_log(tmp_path):
    with process(tmp_path) as (_, url, said):
        port = int(url.rstrip("/").rpartition(":")[2])
        for _ in range(3):
            line = knock(port, b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert line.recv(12) == b"HTTP/1.0 400"
            line.close()
        (only,) = [line for line in said.read_text().splitlines() if "LineTooLong" in line]
        assert len(only) < 300 and "Traceback" not in said.read_text()


async def test_every_page_gets_the_end(tmp_path):
    with process(tmp_path) as (kiosk, url, said):
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{url}look") as viewer,
        ):
            await viewer.receive_json(timeout=PATIENCE_S)
            kiosk.send_signal(signal.SIGTERM)
            while not viewer.closed:
                await viewer.receive(timeout=PATIENCE_S)
            assert viewer.close_code == 1001
        assert kiosk.wait(PATIENCE_S) == 0
        assert said.read_bytes() == b""


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("fe80::1%eth0", "fe80::1%eth1", True),
    ],
)
def test_addresses_of_one_network_count_once(one, other, same):
    assert (limits.home(one) == limits.home(other)) == same
    assert not is_loopback(limits.home(one))


async def test_local_pages_have_reserved_connections():
    entrance = limits.Connections(lambda: None, most=40)
    crowd = [Transport(f"192.0.2.{n}") for n in range(40)]
    own = [Transport("127.0.0.1") for _ in range(9)]
    for line in crowd + own:
        entrance.enter(line)
        entrance.serving(line)
    assert [line.cut for line in crowd] == [False] * 32 + [True] * 8
    assert [line.cut for line in own] == [False] * 8 + [True]


async def test_local_screen_is_a_viewer_in_a_full_house(serve, monkeypatch):
    monkeypatch.setattr("nimatron_host.kiosk.server._VIEWERS", 9)
    look, elsewhere = f"{serve().url}look", {"X-Forwarded-For": "192.0.2.7"}
    async with aiohttp.ClientSession() as session:
        open_lines = [await session.ws_connect(look, headers=elsewhere)]
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(look, headers=elsewhere)
        for _ in range(8):
            open_lines.append(await session.ws_connect(look))
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(look)


async def test_one_address_cannot_have_all_connections():
    entrance = limits.Connections(lambda: None, most=600)
    lines = [Transport() for _ in range(400)]
    for line in lines:
        entrance.enter(line)
        entrance.serving(line)
    assert entrance.open == 150 and sum(line.cut for line in lines) == 250


def test_an_answer_to_nonsense_names_no_versions(serve):
    with knock(port_of(serve()), b"NONSENSE\r\n\r\n") as line:
        said = b""
        while more := line.recv(4096):
            said += more
    assert b" 400 " in said[:16] and b"Server: Nimatron" in said
    assert b"aiohttp" not in said and b"Python" not in said
