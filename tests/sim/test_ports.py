"""The simulated Pico's serial line on a PTY and on a TCP port of the same process."""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from nimatron_sim import pace, ports
from nimatron_sim.simulated_pico import SimulatedPico
from pico_testbench.usb_cable import NOT_READING, READING
from served import PATIENCE_S, Emulator

termios = pytest.importorskip("termios")
pty_port = pytest.importorskip("nimatron_sim.pty_port")


class Line:
    """A program at an end of the cable."""

    def __init__(self, file):
        self._file = file
        self.heard = b""

    def send(self, text):
        os.write(self._file, text.encode())

    def hears(self, text, seconds=PATIENCE_S):
        end = time.monotonic() + seconds
        while text.encode() not in self.heard:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._file], [], [], left)[0]:
                return False
            data = os.read(self._file, 4096)
            if not data:
                return False
            self.heard += data
        return True


@contextlib.contextmanager
def device(name):
    file = os.open(name, os.O_RDWR | os.O_NOCTTY)
    try:
        yield Line(file)
    finally:
        os.close(file)


@contextlib.contextmanager
def connection(address):
    with socket.create_connection(address, PATIENCE_S) as line:
        yield Line(line.fileno())


@pytest.fixture(scope="module")
def sim():
    with Emulator("--sim", "--pty", "--tcp", "0") as emulator:
        yield emulator
        assert emulator.end() == 0


def test_it_says_where_it_is_and_how_to_talk_to_it(sim):
    assert sim.ports["pty"].startswith("/dev/")
    assert sim.ports["tcp"].startswith("socket://127.0.0.1:")
    assert f"`nimatron console {sim.ports['pty']}`" in sim.said[-1]


def test_both_ends_are_the_same_line(sim):
    with device(sim.ports["pty"]) as one, connection(sim.tcp) as other:
        one.send("version\n")
        assert one.hears("ok name=nimatron")
        other.send("hint\n")
        assert other.hears("error reason=no-match")
        assert one.hears("error reason=no-match")


@pytest.mark.parametrize("end", ["pty", "tcp"])
def test_programs_come_and_go(sim, end):
    for _ in range(5):
        with device(sim.ports["pty"]) if end == "pty" else connection(sim.tcp) as line:
            line.send("version\n")
            assert line.hears("ok name=nimatron")
            line.send("hel")  # and away, in the middle of a word
        with device(sim.ports["pty"]) if end == "pty" else connection(sim.tcp) as line:
            line.send("\n")


def told(port):
    """Return the bytes from a program to the Pico."""
    end = time.monotonic() + 1
    data = b""
    while not data and time.monotonic() < end:
        data = port.read()
    return data


def test_pty_reopened_at_once_receives_bytes(monkeypatch):
    clear = termios.tcflush
    port = pty_port.Pty()
    for _ in range(3000):  # bytes sent at this moment were lost once in a few hundred times
        with device(port.name) as line:
            line.send("hel")
            assert told(port) == b"hel"
        with contextlib.ExitStack() as stack, monkeypatch.context() as patched:

            def come_and_clear(*args, stack=stack):
                stack.enter_context(device(port.name)).send("version")
                clear(*args)

            patched.setattr(termios, "tcflush", come_and_clear)
            assert port.read() == b"" and not port.opened
            assert told(port) == b"version"
        port.read()
    port.close()


@pytest.mark.parametrize("end", ["pty", "tcp"])
def test_output_without_a_reader_is_lost(sim, end):
    for patience_s in (0.3, 1, 3, 10, 30):  # a busy computer answers only to a listener
        with device(sim.ports["pty"]) as line:
            line.send("bogus\n")  # its answer comes to a closed port
        with connection(sim.tcp) as line:
            line.send("bogus\n")
        time.sleep(patience_s)
        with device(sim.ports["pty"]) if end == "pty" else connection(sim.tcp) as line:
            line.send("version\n")
            assert line.hears("ok name=nimatron")
            if b"bogus" not in line.heard:
                return
    pytest.fail("somebody else's answers were heard")


def test_a_tcp_port_is_for_one_program_at_a_time(sim):
    with connection(sim.tcp) as first:
        first.send("version\n")
        assert first.hears("ok name=nimatron")
        with connection(sim.tcp) as second:
            assert not second.hears("anything", 1)
        first.send("hint\n")
        assert first.hears("error reason=no-match")


def test_slow_reader_delays_no_other():
    """This runs in the test's own process, so that the test sees the same as the Pico."""
    pico = SimulatedPico()
    port = ports.Tcp(0)
    host, _, number = port.name.removeprefix("socket://").partition(":")
    story = ["flood", "deaf", "reading", "over"]
    client = socket.create_connection((host, int(number)), PATIENCE_S)

    def ended():
        if story[0] == "flood" and port.opened:
            assert pico.cable == READING
            for _ in range(10_000):
                pico.on_sent(b"x" * 1000)
            story.pop(0)
        elif story[0] == "deaf" and pico.cable == NOT_READING:
            story.pop(0)
        elif story[0] == "reading":
            while select.select([client], [], [], 0)[0]:
                client.recv(100_000)
            if pico.cable == READING:
                story.pop(0)
        return story[0] == "over" or time.monotonic() > end

    end = time.monotonic() + PATIENCE_S
    with client:
        ports.serve(pico, [port], ended)
    assert story == ["over"]


def test_time_is_real(sim):
    with device(sim.ports["pty"]) as line:
        line.send("new 1 2\n")
        assert line.hears("ok game=nim")
        line.send("take 2 2\n")
        asked = time.monotonic()
        assert line.hears("event state=machine")
        assert 1.5 < time.monotonic() - asked < 4
        line.send("new 3\ntake 1 3\n")


def test_ctrl_c_ends_it_and_a_pty_is_the_default():
    with Emulator("--sim") as emulator:
        assert list(emulator.ports) == ["pty"]
        assert emulator.end(signal.SIGINT) == 0


def test_a_port_that_is_taken_is_one_clear_line(sim):
    number = str(sim.tcp[1])
    command = [sys.executable, "-m", "nimatron_host", "emulate", "--sim", "--tcp", number]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"nimatron: TCP port {number} is in use by another program. Try another number\n"
    )


# ---------------------------------------------------------------------- pace


@pytest.fixture
def wall(monkeypatch):
    """Return the wall clock, which stops unless the test moves it."""
    wall = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: wall.now))
    return wall


def asleep_until(us):
    """Return a Pico on which nothing happens before `us`."""
    return SimpleNamespace(clock=SimpleNamespace(now=0), next_moment=lambda end: min(end, us))


def test_a_pico_that_sleeps_is_not_late(wall):
    pico = asleep_until(900_000)
    keeper = pace.Pace(pico)
    assert keeper.nap() == pytest.approx(0.9)
    wall.now += 0.9
    assert keeper.due() == pytest.approx(900_000, abs=1)


def test_a_bite_of_work_at_a_time(wall):
    keeper = pace.Pace(asleep_until(0))
    wall.now += 0.04
    assert keeper.due() == 10_000


def test_port_skips_time_that_it_cannot_catch_up(wall):
    pico = asleep_until(0)
    keeper = pace.Pace(pico)
    wall.now += 3600
    assert keeper.due() == 0
    wall.now += 0.005
    assert keeper.due() == pytest.approx(5000, abs=1)


def test_an_order_wakes_a_pico_that_sleeps(wall):
    keeper = pace.Pace(asleep_until(900_000))
    assert keeper.nap(then=20_000) == pytest.approx(0.02)
    assert keeper.nap(then=-5) == 0
