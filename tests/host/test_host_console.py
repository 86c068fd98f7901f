"""`nimatron console` on a port: a pipe of commands, and a person at a terminal."""

import contextlib
import os
import pty
import select
import subprocess
import sys
import time

from nimatron import VERSION
from nimatron_host.device import link

HELLO = "ok name=nimatron version=9.9 mode=exhibit"


def test_a_pipe_gets_an_answer_to_each_line(nimatron, simulated):
    status, out, error = nimatron(
        "console", simulated, stdin="hint\n\nnew 2\nhint\nreboot\nversion\n"
    )
    lines = out.splitlines()
    assert (status, error) == (0, "")
    assert [line.split()[0] for line in lines if line.split()[0] != "event"] == [
        "error",
        "ok",
        "ok",
        "ok",
        "ok",
    ]
    assert "ok outcome=N row=1 take=1" in lines
    assert lines.index("event state=player") < lines.index("ok outcome=N row=1 take=1")
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


def test_a_pico_that_goes_is_an_error(nimatron, peer):
    answers = {"version": HELLO, "status": "ok state=attract"}
    status, out, error = nimatron("console", peer(answers.get), stdin="status\nhint\nhint\n")
    assert (status, out) == (1, "ok state=attract\n")
    assert "is gone; plug the Pico in" in error


_OVER = "event over winner=machine\n"
_WHERE_IS_THE_CURSOR = "\x1b[6n"  # a terminal answers


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
        """Wait until it is on the screen; what came before it."""
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

    def leaves(self):
        with contextlib.suppress(OSError):  # which is how a PTY ends
            while True:
                self.type("\x04")  # until it is no longer lost in something being printed
                while select.select([self._keyboard], [], [], 0.5)[0]:
                    os.read(self._keyboard, 4096)
        status = os.waitpid(self._process, 0)[1]
        os.close(self._keyboard)
        return os.waitstatus_to_exitcode(status)


def test_a_person_at_a_terminal(simulated, tmp_path):
    terminal = Terminal(simulated, tmp_path)
    terminal.sees("help lists the commands")
    terminal.sees("nimatron>")
    terminal.type("new 3 4 5\r")
    answer = terminal.sees("ok game=nim")
    assert "\x1b[0;36mevent state=player" in answer, "events have a style of their own"
    terminal.type("seed 12\r")
    terminal.sees("ok seed=12")
    terminal.type("mainten\t")
    terminal.sees("maintenance")
    terminal.type("\x03")
    terminal.type("nonsense\r")
    terminal.sees("error reason=unknown-command got=nonsense")
    assert terminal.leaves() == 0
    assert "seed 12" in (tmp_path / "nimatron" / "console_history").read_text()


def test_a_pulled_cable_is_said_once_and_put_back(peer, tmp_path):
    answers = iter([HELLO, "ok commands=help", None, "ok back=1"])
    terminal = Terminal(peer(lambda line: next(answers)), tmp_path)
    terminal.sees("nimatron>")
    terminal.type("status\r")
    terminal.sees("has gone; waiting for it")
    assert "has gone" not in terminal.sees("is back")
    terminal.type("status\r")
    terminal.sees("ok back=1")
    assert terminal.leaves() == 0
