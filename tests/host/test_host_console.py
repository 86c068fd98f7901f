"""`nimatron console` on a port: a pipe of commands, and a person at a terminal."""

import contextlib
import os
import select
import subprocess
import sys
import time

import pytest

from nimatron import VERSION
from nimatron_host.device import link

pty = pytest.importorskip("pty")

HELLO = "ok name=nimatron version=9.9 mode=exhibit"


def test_a_pipe_gets_an_answer_to_each_line(nimatron, simulated):
    status, out, error = nimatron(
        "console", simulated, stdin="reboot\nhint\n\nnew 2\nhint\nreboot\nversion\n"
    )
    lines = out.splitlines()
    assert (status, error) == (1, "nimatron: 1 of 6 lines was refused\n")
    answers = [line.split()[0] for line in lines if line.split()[0] != "event"]
    assert answers == ["ok", "error", "ok", "ok", "ok", "ok"]
    hint = "ok outcome=N row=1 take=1 lamps=1.2 rows=1,0,0,0"
    assert lines.index("event state=player") < lines.index(hint)
    boot = f"event boot version={VERSION} mode=exhibit why=reboot"
    assert lines.index("ok restarting=reboot") < lines.index(boot)


def test_a_pipe_hears_what_happens_while_it_has_nothing_to_say(simulated):
    command = [sys.executable, "-m", "nimatron_host", "console", simulated]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, bufsize=1, **pipes) as console:
        console.stdin.write("new 1\ntake 1 1\n")
        lines = [line.strip() for line in iter(console.stdout.readline, _OVER)]
        console.stdin.close()
        assert console.wait(10) == 0
    assert "event move by=player row=1 take=1 rows=0,0,0,0" in lines


def test_no_answer_is_an_error(nimatron, peer, monkeypatch):
    monkeypatch.setattr(link, "ANSWER_S", 0.2)
    port = peer(lambda line: HELLO if line == "version" else "")
    status, out, error = nimatron("console", port, stdin="status\n")
    assert (status, out) == (1, "")
    assert error == f"nimatron: {port} does not answer `status`\n"


_OVER = "event over winner=machine\n"
_WHERE_IS_THE_CURSOR = "\x1b[6n"  # a terminal answers


QUIET = ("Traceback", "Error", "has gone", "was lost", "is closed")


class Terminal:
    """A person at `nimatron console`."""

    def __init__(self, port, home):
        self._process, self._keyboard = pty.fork()
        if not self._process:
            os.environ.update(XDG_STATE_HOME=str(home), TERM="xterm")
            os.execv(sys.executable, [sys.executable, "-m", "nimatron_host", "console", port])
        self._screen = ""

    def type(self, text):
        os.write(self._keyboard, text.encode())

    def sees(self, text):
        """Wait until the text is on the screen. Return the output before it."""
        end = time.monotonic() + 15
        while text not in self._screen:
            assert time.monotonic() < end, self._screen
            if select.select([self._keyboard], [], [], 0.2)[0]:
                got = os.read(self._keyboard, 4096).decode("utf-8", "replace")
                if _WHERE_IS_THE_CURSOR in got:
                    self.type("\x1b[1;1R")
                self._screen += got
        seen, _, self._screen = self._screen.partition(text)
        return seen

    def presses_and_leaves(self, *keys, again_s=15):
        """Press these keys, one after the other, and again if other output has swallowed them.
        Return the exit status and the last output."""
        said = ""
        with contextlib.suppress(OSError):  # the usual end of a PTY
            while True:
                for key in keys:
                    self.type(key)
                    time.sleep(0.2)
                while select.select([self._keyboard], [], [], again_s)[0]:
                    said += os.read(self._keyboard, 4096).decode("utf-8", "replace")
        status = os.waitpid(self._process, 0)[1]
        os.close(self._keyboard)
        return os.waitstatus_to_exitcode(status), said

    def leaves(self):
        return self.presses_and_leaves("\x04", again_s=0.5)[0]


def test_a_person_at_a_terminal(simulated, tmp_path):
    terminal = Terminal(simulated, tmp_path)
    terminal.sees("help lists the commands")
    start = terminal.sees("nimatron>")
    assert "Press it twice within a second to leave" in " ".join(start.split())
    terminal.type("new 3 4 5\r")
    answer = terminal.sees("ok game=nim")
    assert "\x1b[0;36mevent state=player" in answer, "events have a style of their own"
    terminal.type("seed 12\r")
    terminal.sees("ok seed=12")
    terminal.type("mainten\t")
    terminal.sees("maintenance")
    terminal.type("\x03")
    terminal.sees("error reason=control-byte got=0x03")
    time.sleep(1)  # not twice within a second
    terminal.type("nonsense\r")
    terminal.sees("error reason=unknown-command got=nonsense")
    status, said = terminal.presses_and_leaves("\x04")
    assert status == 0 and not any(word in said for word in QUIET), said
    assert "seed 12" in (tmp_path / "nimatron" / "console_history").read_text()


def test_ctrl_c_is_sent_to_the_pico_once(peer, tmp_path):
    heard = []

    def answer(line):
        heard.append(line)
        return {"version": HELLO, "help": "ok commands=help"}.get(line, "ok")

    terminal = Terminal(peer(answer), tmp_path)
    terminal.sees("nimatron>")
    time.sleep(0.5)
    status, said = terminal.presses_and_leaves("\x03", "\x03")
    assert status == 0 and not any(word in said for word in QUIET), said
    assert heard[-1] == "\x03" and heard.count("\x03") == 1


def test_a_pulled_cable_is_said_once_and_answers_are_escaped(peer, tmp_path):
    statuses = iter([None, "status\nok x=\x1b]0;y\x03"])

    def answer(line):
        if line.startswith("version"):
            return HELLO
        return next(statuses) if line == "status" else "ok commands=help"

    terminal = Terminal(peer(answer), tmp_path)
    terminal.sees("nimatron>")
    terminal.type("status\r")
    terminal.sees("has gone. Waiting for it")
    assert "has gone. Waiting" not in terminal.sees("is back")
    terminal.sees("nimatron>")  # before that, the terminal echoes all keys
    terminal.type("status\r")
    before = terminal.sees("ok x=\\x1b]0;y\\x03")
    assert "status\r\n" not in before.partition("\r\n")[2]
    assert terminal.leaves() == 0


def test_what_is_typed_while_the_pico_is_away_is_said_to_be_lost(tmp_path, peer, monkeypatch):
    from nimatron_host.device import serial_console

    shown = []
    monkeypatch.setattr(serial_console, "_show", lambda text, style: shown.append(text))
    with link.SerialLink(peer(lambda line: None)) as line:
        line.close()
        serial_console._type(line, "status")
        serial_console._type(line)
    assert shown == [
        f"`status` was lost: there is no Pico at {line.port} now",
        f"Ctrl-C was lost: there is no Pico at {line.port} now",
    ]
