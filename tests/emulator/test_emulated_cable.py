"""The emulated Pico on a cable. The real mpremote uses it, its flash outlives everything, and
`nimatron trace --on emulator` runs it."""

import hashlib
import json
import signal
import subprocess
import sys

import pytest

from nimatron_host import cli
from nimatron_sim.emulated import pico_flash
from pico_testbench.usb_cable import NOT_READING, READING, SUSPENDED
from served import Emulator

TALKER = """
import time
n = 0
while True:
    print(n)
    n += 1
    time.sleep_ms(10)
"""

pytestmark = [pytest.mark.emulator, pytest.mark.usefixtures("emulated")]


def mpremote(port, *words):
    command = [sys.executable, "-m", "mpremote", "connect", port, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_mpremote_on_both_ends_and_a_plug_pulled(tmp_path):
    pytest.importorskip("mpremote")
    kept = tmp_path / "flash"
    note = tmp_path / "note.bin"
    note.write_bytes(bytes(range(256)) * 8)
    with Emulator("--empty", "--pty", "--tcp", "0", "--flash", str(kept)) as emulator:
        tcp, pty = emulator.ports["tcp"], emulator.ports["pty"]
        assert f"flash {kept} (new)\n" in emulator.said
        assert "MicroPython" in mpremote(tcp, "exec", "import sys; print(sys.version)")
        mpremote(pty, "fs", "cp", str(note), ":note.bin")
        assert emulator.end(signal.SIGKILL) == -signal.SIGKILL

    with Emulator("--empty", "--tcp", "0", "--flash", str(kept)) as emulator:
        tcp = emulator.ports["tcp"]
        assert f"flash {kept} (as it was left)\n" in emulator.said
        mpremote(tcp, "reset")
        assert hashlib.sha256(note.read_bytes()).hexdigest() in mpremote(
            tcp, "fs", "sha256sum", ":note.bin"
        )
        assert "note.bin" in mpremote(tcp, "fs", "ls")
        busy = subprocess.run(
            [sys.executable, "-m", "nimatron_host", "emulate", "--flash", str(kept)],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (busy.returncode, busy.stderr.count("\n")) == (1, 1)
        assert "another emulated Pico has it" in busy.stderr
        assert emulator.end() == 0


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it has 0 bytes, but the Pico's file system has 1441792"),
        (b"\0" * 1441792, "it is not a littlefs file system"),
        (b"\xff" * 1441792, "it is not a littlefs file system"),
    ],
)
def test_a_file_that_is_no_flash_is_left_alone(capsys, tmp_path, content, why):
    file = tmp_path / "holiday.jpg"
    file.write_bytes(content)
    assert cli.main(["emulate", "--flash", str(file)]) == 1
    error = capsys.readouterr().err
    assert error.startswith("nimatron: ") and why in error and error.count("\n") == 1
    assert file.read_bytes() == content


def test_trace_on_the_emulator(monkeypatch, capsys, tmp_path):
    (tmp_path / "main.py").write_text(
        "import sys\nwhile True: print('you said', sys.stdin.readline())"
    )
    (tmp_path / "script").write_text("wait 300\nsend hello\nwait 50")
    program = (tmp_path / "main.py").read_bytes()
    monkeypatch.setattr(pico_flash, "release", lambda: {"main.py": program})
    assert cli.main(["trace", str(tmp_path / "script"), "--on", "emulator"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    said = [(r["ms"], r["console"]) for r in records if "you said" in r.get("console", "")]
    assert len(said) == 1 and 300 <= said[0][0] <= 320 and said[0][1].endswith("you said hello")


def test_a_host_that_does_not_read_makes_the_firmware_wait(boot):
    pico = boot(TALKER)
    pico.run(200)
    assert pico.lines()
    pico.cable = NOT_READING
    pico.run(20)
    pico.lines()
    pico.run(1000)
    assert pico.lines() == []
    pico.cable = READING
    pico.run(200)
    numbers = [int(line) for line in pico.lines()[-10:]]  # an earlier line may have been cut
    assert numbers == list(range(numbers[0], numbers[0] + 10))


def test_start_does_not_wait_for_a_sleeping_host(boot):
    pico = boot(TALKER)
    pico.run(200)
    pico.cable = SUSPENDED
    pico.reset_button()
    pico.lines()
    pico.run(2000)
    assert pico.lines() == []
    pico.cable = READING
    pico.run(200)
    assert int(pico.lines()[-1]) > 150
