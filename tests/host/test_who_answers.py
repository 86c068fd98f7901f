"""The owner of an answer, and the peer at the other end. An answer to an earlier program is not
taken for our answer, and a silent peer is recognized."""

import contextlib
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest
import serial

from nimatron import VERSION
from nimatron_host.device import link
from nimatron_host.device.link import SerialLink
from nimatron_sim.errors import UserError
from served import Emulator

HELLO = "ok name=nimatron version=9.9 mode=exhibit"
STALE = "ok name=nimatron version=0.1.0 mode=crashed\r\n"
PROMPT = "Traceback (most recent call last):\nNameError: name 'version' isn't defined"
LEFT = (
    STALE * 4,
    "ok key=x\r\n",
    "error reason=usage expected=version\r\n",
    "event log n=1 why=crash text=old\r\nok entries=1\r\n",
    f"ok name=nimatron nonce=123456 version=0.1.0\r\n{STALE}",
    "NameError: name 'version' isn't defined\r\n",
)


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(link, "HELLO_S", 0.2)
    monkeypatch.setattr(link, "START_S", 0.4)


# ---------------------------------------------------------------------- whose answer


@pytest.mark.parametrize("leftovers", LEFT)
def test_leftover_answers_are_ignored(nimatron, peer, leftovers):
    answers = {"version": HELLO, "log": "ok entries=0", "status": "ok state=attract"}
    port = peer(answers.get, leftovers=leftovers)
    assert nimatron("console", port, stdin="status\n") == (0, "ok state=attract\n", "")
    assert nimatron("logs", peer(answers.get, leftovers=leftovers)) == (0, "no failures\n", "")
    with SerialLink(peer(answers.get, leftovers=leftovers)) as line:
        assert line.nimatron() == {"name": "nimatron", "version": "9.9", "mode": "exhibit"}


@pytest.mark.parametrize("leftovers", LEFT)
def test_prompt_is_recognized_after_any_leftovers(peer, leftovers):
    with SerialLink(peer(lambda line: PROMPT, leftovers=leftovers)) as line:
        assert line.hello() == {}


@pytest.fixture
def pico():
    with Emulator("--sim", "--tcp", "0") as emulator:
        yield emulator


@pytest.mark.sampled("a second each")
@pytest.mark.parametrize(
    "left",
    [b"version\r\n" * 4, b"settings x\r\n" * 2, b"log\r\nstats\r\nvers", b"\x03\x03new 3 4"],
)
def test_a_stalled_pico_answers_the_program_before_first(nimatron, pico, left):
    pico.process.send_signal(signal.SIGSTOP)
    with socket.create_connection(pico.tcp) as line:
        line.sendall(left)
    threading.Timer(0.5, pico.process.send_signal, [signal.SIGCONT]).start()
    status, out, error = nimatron("settings", pico.port, "coin_ms", "150", "--json")
    assert (status, error) == (0, "")
    assert '"value": 150' in out


def test_after_a_program_that_was_killed_in_the_middle(nimatron, pico):
    command = [sys.executable, "-m", "nimatron_host", "console", pico.port]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    for _ in range(3):
        with subprocess.Popen(command, text=True, **pipes) as console:
            console.stdin.write("status\n" + "log dump now\nhelp\nstats\n" * 20)
            console.stdin.flush()
            console.stdout.readline()
            console.kill()
            with contextlib.suppress(BrokenPipeError):
                console.stdin.close()
        status, out, error = nimatron("console", pico.port, stdin="version\n")
        answers = [line for line in out.splitlines() if not line.startswith("event")]
        assert (status, error, len(answers)) == (0, "", 1)
        assert f"version={VERSION} mode=exhibit" in answers[0]


def test_the_echo_is_not_shown(nimatron, peer):
    answers = {"version": HELLO, "status": "ok state=attract", "hint": "error reason=no-match"}
    port = peer(lambda line: f"{line}\n{answers[line]}")
    out = nimatron("console", port, stdin="status\nhint\nstatus\n")[1]
    assert out == "ok state=attract\nerror reason=no-match\nok state=attract\n"


# ---------------------------------------------------------------------- the handshake


def complaint(nimatron, *words):
    status, out, error = nimatron(*words, keyboard=True)
    assert status == 1 and "Traceback" not in error
    assert all("looking at the installed files" in line for line in out.splitlines())
    *waiting, last = error.splitlines()
    assert all("does not answer yet. Waiting up to" in line for line in waiting)
    return last


TAKEN = "closed by the other end before Nimatron answered. Probably another program uses it"


def test_two_programs_on_one_pico(nimatron, simulated):
    with SerialLink(simulated) as line:
        line.nimatron()
        for command in ("stats", "console", "settings", "deploy"):
            assert f"nimatron: {simulated} was {TAKEN}" in complaint(nimatron, command, simulated)
        assert f"{simulated} was {TAKEN}" in nimatron("devices", simulated)[1]


@pytest.mark.parametrize("said", ["Port already in use\n\r", ""])
def test_two_programs_at_a_server_of_ports_that_closes(nimatron, peer, said):
    """ser2net reports the conflict. Other servers close without a message."""
    assert TAKEN in complaint(nimatron, "stats", peer(lambda line: None, leftovers=said))


def test_two_programs_that_read_the_same_device(nimatron, pty, monkeypatch):
    def read(line, size):
        raise serial.SerialException(
            "device reports readiness to read but returned no data "
            "(device disconnected or multiple access on port?)"
        )

    monkeypatch.setattr(serial.Serial, "read", read)
    assert f"another program also reads from {pty}. Close" in complaint(nimatron, "stats", pty)


@pytest.mark.usefixtures("impatient")
def test_a_pico_that_is_starting_is_waited_for(nimatron, peer, monkeypatch):
    monkeypatch.setattr(link, "START_S", 10)
    begun = []

    def answer(line):
        if not begun:
            begun.append(time.sleep(1))
        return {"version": HELLO, "log": "ok entries=0"}[line]

    port = peer(answer)
    status, out, error = nimatron("logs", port)
    assert (status, out) == (0, "no failures\n")
    assert error == f"{port} does not answer yet. Waiting up to 10 s for it to start\n"


@pytest.mark.usefixtures("impatient")
def test_a_pico_that_takes_too_long_to_start(nimatron, peer):
    port = peer(lambda line: "event boot version=9.9 mode=exhibit")
    said = complaint(nimatron, "stats", port)
    assert "is starting, but does not answer yet. Wait a minute, then try again" in said


@pytest.mark.usefixtures("impatient")
def test_other_firmware(nimatron, peer):
    for command in ("stats", "check", "settings", "console"):
        said = complaint(nimatron, command, peer(lambda line: "21.5 C \x1b[2J\x07"))
        assert "runs another program: it answers neither as Nimatron nor as MicroPython" in said
        assert 'but sent "21.5 C \\x1b[2J\\x07". MicroPython for a Pico: https://' in said


@pytest.mark.usefixtures("impatient")
def test_other_firmware_that_ends_no_line(nimatron):
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = f"socket://127.0.0.1:{door.getsockname()[1]}"

        def talk():
            line, _ = door.accept()
            with line, contextlib.suppress(OSError):
                time.sleep(0.1)
                line.sendall(b"\xfe\xff# ")
                line.recv(1 << 16)
                time.sleep(2)

        threading.Thread(target=talk, daemon=True).start()
        assert 'but sent "\ufffd\ufffd#". ' in complaint(nimatron, "stats", port)


@pytest.mark.usefixtures("impatient")
def test_a_port_that_is_deaf(nimatron, pty):
    for command in ("stats", "check", "console"):
        said = complaint(nimatron, command, pty)
        assert f"{pty} can be opened, but nothing comes from it. Unplug the Pico" in said


def test_the_answers_to_all_questions_are_gone_when_it_has_started(peer, monkeypatch):
    """Each question from a waiting program is finally answered, but too late."""
    monkeypatch.setattr(link, "_SILENCE_S", 0.1)
    monkeypatch.setattr(link, "HELLO_S", 0.2)
    asked = []

    def answer(line):
        asked.append(line)
        if len(asked) == 1:
            time.sleep(0.7)
            return f"event boot version=9.9 mode=exhibit\n{HELLO}"
        return {"version": HELLO, "status": "ok state=attract"}[line]

    with SerialLink(peer(answer), away=True) as line:
        line.booted()
        assert line.query("status") == {"state": "attract"}


def test_the_failure_of_a_firmware_is_told_not_the_banner_after_it(peer, monkeypatch):
    monkeypatch.setattr(link, "_SILENCE_S", 0.1)
    left = (
        "Traceback (most recent call last):\r\n"
        '  File "main.py", line 3, in <module>\r\n'
        "ImportError: no module named 'nimatron.app'\r\n"
        "MicroPython v1.26.1 on 2025-09-11; Raspberry Pi Pico with RP2040\r\n"
        'Type "help()" for more information.\r\n>>> '
    )
    answers = {"version": PROMPT, "reboot": ""}
    with SerialLink(peer(answers.get, leftovers=left)) as line:
        line.send("reboot")
        with pytest.raises(UserError, match="does not start: ImportError: no module named"):
            line.booted()
