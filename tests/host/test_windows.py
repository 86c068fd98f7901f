"""The peculiarities of Windows, on any computer: no POSIX, other encodings and line ends."""

import codecs
import contextlib
import json
import ntpath
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from nimatron_host.cli import parser, parsers
from nimatron_host.commands import wiring
from nimatron_host.kiosk import browser
from nimatron_sim import extras

ROOT = Path(__file__).parent.parent.parent
STAND_IN = ROOT / "tests/without_posix.py"
COMMANDS = parsers(parser())
VISIT = str(ROOT / "tests/firmware/visit.txt")
PATIENCE_S = 120


def without_posix(*words, encoding="utf-8", terminal=None, env=None, **how):
    """Start the command without POSIX. Its standard error goes with its standard output."""
    return subprocess.Popen(
        [sys.executable, "-X", "warn_default_encoding", str(STAND_IN), *words],
        env=os.environ | {"PYTHONIOENCODING": encoding} | (env or {}),
        stdin=terminal or subprocess.PIPE,
        stdout=terminal or subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **how,
    )


def run(*words, stdin=b"", encoding="utf-8", **how):
    """Run the command. Return its exit status and output."""
    with without_posix(*words, encoding=encoding, **how) as process:
        said, _ = process.communicate(stdin, PATIENCE_S)
    text = said.decode(encoding)
    assert "Traceback" not in text, text
    return process.returncode, text


@contextlib.contextmanager
def running(*words, until):
    """Start the command, and yield the match of `until` in one of its lines."""
    with without_posix(*words) as process:
        try:
            said = ""
            while not (found := re.search(until, said)):
                line = process.stdout.readline().decode()
                said += line
                assert line, said
            yield found
        finally:
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=PATIENCE_S)
    assert b"Traceback" not in rest


# Each command, with everything that it needs to run to its end without a real Pico.
RUNS = {
    "play": (["play"], 1, "play needs a terminal"),
    "console": (["console", "sim"], 0, "event boot"),
    "trace": (["trace", VISIT], 0, '"lamps"'),
    "solve": (["solve", "3", "4", "5"], 0, "Misère play"),
    "games": (["games"], 0, "kayles  (panel;"),
    "table": (["table", "kayles"], 0, "Period 12"),
    "handout": (["handout", "a class.pdf"], 0, "a class.pdf"),
    "wiring": (["wiring", "--check", "--simulate"], 2, "Give one of them"),
    "matches": (["matches", "--state", "no state"], 1, "no matches are kept"),
    "site": (["site", "my site"], None, ""),  # where microdriver is
    "image": (["image", "--image", VISIT], 1, "is not a whole image"),
    "devices": (["devices"], None, ""),  # the devices connected here
    "help": (["help"], 0, "wiring"),
    "replay": (["replay", VISIT], 1, "nimatron: "),
    "fleet": (["fleet", "--mqtt", "mqtt://nobody:secret@localhost"], 2, "password"),
    "kiosk": (
        ["kiosk", "--state", "a", "--host", "0.0.0.0", "--poster", "a b.html"],
        0,
        "a b.html",
    ),
}
NEEDS = {"handout": "kit", "site": "pico", "devices": "cable", "fleet": "fleet", "kiosk": "kiosk"}
# Run by other tests.
SERVED = {"emulate", "settings", "stats", "logs", "health", "check", "deploy"}
LONG = {"soak"}


def test_every_command_is_tried():
    assert set(RUNS) | SERVED | LONG == set(COMMANDS)


@pytest.mark.parametrize("command", RUNS)
def test_commands_run_without_posix_and_the_extras_of_others(command, tmp_path):
    words, wanted, told = RUNS[command]
    away = [name for name, extra in extras.EXTRAS.items() if extra != NEEDS.get(command)]
    status, said = run(*words, cwd=tmp_path, env={"AWAY": ",".join(away)})
    assert "not installed" not in said or command == "site"  # which needs microdriver
    assert status == wanted if wanted is not None else status in (0, 1)
    assert told in said


@pytest.mark.long("5 s")
def test_the_wiring_pages_are_written_without_posix(tmp_path):
    assert "README.md" in run("wiring", "--to", "the wiring", cwd=tmp_path)[1]


@pytest.mark.long("5 s: a day of visitors")
def test_soak_runs_without_posix():
    assert run("soak", "--day", "1", "--seed", "1", "--jobs", "2")[0] == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_each_help_is_ascii(command):
    """This runs in this process, because the parser needs no module that Windows lacks."""
    assert COMMANDS[command].format_help().isascii()


def test_a_pico_is_served_on_a_tcp_port_and_answers():
    with running("emulate", "--sim", until=r"tcp (socket://\S+)") as found:
        port = found[1]
        assert "think_ms" in run("settings", port)[1]
        assert run("settings", port, "think_ms", "1500")[0] == 0
        assert "power-on" in run("stats", port)[1]
        assert run("logs", port)[0] == 0
        assert run("health", port, "--json")[0] == 0
        assert "entered with the same lamps" in run("replay", port, "--now")[1]
        status, said = run("console", port, stdin=b"version\r\nbogus\r\n")
        assert status == 1 and "ok name=nimatron" in said and "1 of 2 lines was refused" in said
        assert run("check", port)[1].startswith("nimatron: check needs a terminal")


def test_a_serial_device_is_refused_where_none_can_be_made():
    status, said = run("emulate", "--sim", "--pty")
    assert (status, said.count("\n")) == (1, 1) and "--tcp 0 instead of --pty" in said


@pytest.mark.emulator
@pytest.mark.usefixtures("emulated")
def test_the_emulated_pico_keeps_its_flash(tmp_path):
    words = ["emulate", "--tcp", "0", "--flash", str(tmp_path / "my pico.img")]
    for kept in ("(new)", "(as it was left)"):
        with running(*words, until=r"flash .*\)") as found:
            assert kept in found[0]


def test_the_page_is_served_and_ends_with_ctrl_c(tmp_path):
    words = ["kiosk", "--port", "0", "--state", str(tmp_path)]
    with (
        running(*words, until=r"http://127\.0\.0\.1:\d+/") as found,
        urllib.request.urlopen(found[0], timeout=PATIENCE_S) as page,
    ):
        assert b"kiosk.js" in page.read()


# ---------------------------------------------------------------------- encodings


@pytest.mark.parametrize(("encoding", "misere"), [("cp437", "Misère"), ("ascii", "Mis?re")])
def test_output_is_readable_in_any_encoding(encoding, misere):
    status, said = run("solve", "3", "4", "5", encoding=encoding)
    assert status == 0 and misere in said


SCRIPT = "wait 3000\r\ntap new  # a visitor\r\nwait 50\r\n"
SAVED = {
    "CRLF": SCRIPT.encode(),
    "UTF-8 with a byte order mark": codecs.BOM_UTF8 + SCRIPT.encode(),
    "UTF-16, as PowerShell's > writes it": SCRIPT.encode("utf-16"),
    "UTF-16, the other way round": codecs.BOM_UTF16_BE + SCRIPT.encode("utf-16-be"),
}


@pytest.mark.parametrize("saved", SAVED)
def test_a_script_is_understood_however_it_is_saved(nimatron, tmp_path, saved):
    file = tmp_path / "my script.txt"
    file.write_bytes(SAVED[saved])
    status, out, error = nimatron("trace", str(file))
    assert (status, error) == (0, "")
    assert {"lamps", "ms"} & set(json.loads(out.splitlines()[0]))
    assert (status, out) == nimatron("trace", "-", stdin=SCRIPT.replace("\r", ""))[:2]


@pytest.mark.parametrize("saved", list(SAVED)[1:3])
def test_lines_are_understood_however_they_are_piped(saved):
    lines = SAVED[saved].decode("utf-16" if "UTF-16" in saved else "utf-8-sig")
    lines = lines.replace(SCRIPT, "version\r\nrows\r\nversion\r\n")
    encoding = {"UTF-8": "utf-8-sig", "UTF-16,": "utf-16"}.get(saved.split()[0], "utf-8")
    _, said = run("console", "sim", stdin=lines.encode(encoding))
    assert said.count("ok name=nimatron") == 2 and "control-byte" not in said


def test_undecodable_input_is_one_line(nimatron, tmp_path):
    file = tmp_path / "noise"
    file.write_bytes(bytes(range(256)))
    assert nimatron("trace", str(file)) == (
        1,
        "",
        f"nimatron: cannot read {file}: it is not text\n",
    )


# ---------------------------------------------------------------------- files and folders


def test_a_clone_with_crlf_line_ends_has_none(tmp_path):
    """Git for Windows converts line ends, unless .gitattributes says otherwise."""
    clone = ["git", "clone", "-q", "-c", "core.autocrlf=true", str(ROOT), str(tmp_path / "clone")]
    if subprocess.run(clone, capture_output=True).returncode:
        pytest.skip("not a git checkout: there is nothing to clone")
    listed = subprocess.run(
        ["git", "ls-files", "--eol"], cwd=tmp_path / "clone", capture_output=True, check=True
    )
    lines = listed.stdout.decode().splitlines()
    assert len(lines) > 500
    assert not [line for line in lines if re.search(r"\b[iw]/(crlf|mixed)\b", line)]


def test_a_folder_on_another_drive_is_named_in_full(monkeypatch):
    monkeypatch.setattr(os.path, "relpath", ntpath.relpath)
    assert wiring._from_here("D:\\wiring\\README.md") == "D:\\wiring\\README.md"


@pytest.mark.parametrize("name", ["/Applications/Google Chrome.app", "C:\\Program Files"])
def test_a_browser_is_found_where_it_is_on_no_path(monkeypatch, name):
    monkeypatch.setenv("ProgramFiles", "C:\\Program Files")
    monkeypatch.setattr(browser.shutil, "which", lambda path: path if name in path else None)
    started = []
    monkeypatch.setattr(browser.subprocess, "Popen", lambda words, **_: started.append(words))
    window = browser.Browser()
    assert window.open("http://127.0.0.1:8000/")
    window.close()
    assert name in started[0][0]
