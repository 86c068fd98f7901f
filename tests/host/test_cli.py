"""The `nimatron` command, as people and scripts call it."""

import io
import json
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest

from nimatron import VERSION, games
from nimatron_host import cli
from nimatron_host.theory.english import PLAIN
from nimatron_sim import firmware
from nimatron_sim.errors import UserError
from nimatron_sim.simulated_pico import SimulatedPico
from pico_testbench.models import BOARDS, PICO


def run(*words, stdin=""):
    """Run the installed command in its own process."""
    command = [sys.executable, "-m", "nimatron_host", *words]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def solve(capsys, *words):
    assert cli.main(["solve", *words]) == 0
    return capsys.readouterr().out


def test_solve_as_json(capsys):
    assert json.loads(solve(capsys, "3", "4", "5", "--json")) == {
        "game": "nim",
        "rule": "misere",
        "position": "3 4 5",
        "outcome": "N",
        "winning_options": ["1 4 5"],
        "solved": "rule",
        "usual": True,
        "complete": True,
        "theory": PLAIN["theory.nim"],
        "sentence": PLAIN["rules.nim"],
        "last": "switch off the last lamp",
        "rows": [3, 4, 5],
        "nim_sum": 2,
        "winning_moves": [{"row": 1, "take": 2}],
    }


def test_solve_for_a_person(capsys):
    text = solve(capsys, "3", "4", "5")
    for line in (
        "row 1  3  011",
        "nim-sum  010",
        "take 2 from row 1",
        "last lamp and you lose",
    ):
        assert line in text
    assert "The player to move loses" in solve(capsys, "1", "3", "5", "7", "--rule", "normal")


@pytest.mark.parametrize(
    ("rows", "more", "said"),
    [
        ((1, 3, 3), 1, "the player to move gets 1 candy more than the other player"),
        ((3, 4, 5, 7), -1, "the player to move gets 1 candy fewer than the other player"),
        ((7,), 7, "the player to move gets 7 candies more than the other player"),
        ((2, 2), 0, "both get the same number of candies"),
    ],
)
def test_solve_counts_candies(capsys, rows, more, said):
    assert f"With best play, {said}." in solve(capsys, "candy", *map(str, rows))
    assert json.loads(solve(capsys, "candy", *map(str, rows), "--json"))["more_candies"] == more
    assert "cand" not in solve(capsys, *map(str, rows))


def test_solve_takes_any_heaps(capsys):
    big = 2**80
    text = solve(capsys, *map(str, (big, big + 5, 9, 1, 1, 1)), "--json")
    assert json.loads(text)["winning_moves"]


@pytest.mark.parametrize("name", sorted({*games.names()} - {"nim"}))
def test_solve_shows_how_a_position_is_typed(nimatron, name):
    why = nimatron("solve", name)[2]
    command = re.search("a position is missing, such as: nimatron (.*). For help", why)[1]
    assert nimatron(*command.split(), "--json")[0] == 0


def test_the_examples_in_the_help_of_solve_work(capsys):
    cli.main(["help", "solve"])
    page = " ".join(capsys.readouterr().out.split())
    some, nim, picture = re.search(
        r"such as (wythoff .*)\. Without .*: (3 4 5)\. .*: (kayles [01/]+)\.", page
    ).groups()
    examples = [*re.split(", | or ", some), nim, picture]
    assert len(examples) == 5
    for words in examples:
        assert solve(capsys, *words.split())


@pytest.mark.parametrize("name", [*games.names(), "octal 0.07", "cram-3x4", "subtraction-12"])
def test_games_explains_one(capsys, name):
    assert cli.main(["games", *name.split(), "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["game"] == name.replace(" ", "-")
    assert cli.main(["games", *name.split()]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith(f"{row['game']} ({row['where']}; ")
    assert row["sentence"] in text and row["theory"] in text


def test_version():
    assert run("--version")[1] == f"nimatron {VERSION}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_the_completion_of_a_shell_knows_every_command(shell):
    status, out, error = run("--print-completion", shell)
    assert (status, error) == (0, "")
    assert all(word in out for word in ("health", "settings", "dry-run"))
    if shell == "bash":
        script = out + "COMP_WORDS=(nimatron hea); COMP_CWORD=1; _shtab_nimatron; "
        done = subprocess.run(
            ["bash", "-c", script + 'echo "${COMPREPLY[@]}"'], capture_output=True, text=True
        )
        assert done.stdout.split() == ["health"], done.stderr


def test_trace_prints_json_lines(tmp_path):
    script = tmp_path / "visit.txt"
    script.write_text("wait 1000\ntap new\ntap row1\n")
    status, out, _ = run("trace", str(script))
    records = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert {"ms": 1001, "lamps": [7, 15, 31, 0]} in records
    assert records == sorted(records, key=lambda record: record["ms"])
    assert run("trace", "-", stdin=script.read_text())[1] == out


def test_console_on_a_pipe_answers_each_line_after_the_exhibit_waits_again():
    status, out, error = run("console", "sim", stdin="new 1 2\ntake 2 1\nfoo\ntake 3 1\n")
    lines = out.splitlines()
    assert (status, error) == (1, "nimatron: 2 of 4 lines were refused\n")
    assert [line for line in lines if not line.startswith("event")] == [
        "ok game=nim rule=misere level=perfect state=player rows=1,2,0,0 picked=0,0,0,0",
        "ok game=nim rule=misere level=perfect state=thinking rows=1,1,0,0 picked=0,0,0,0",
        "error reason=unknown-command got=foo try=help"
        ' text="there is no command foo: type help for a list"',
        'error reason=illegal-move state=player text="1 of the 0 in row 3"',
    ]
    assert lines.index("event state=player") < lines.index(lines[-2])


def test_single_steps_are_taken_on_a_pipe():
    lines = "set working step\nnew 3 4 5\ntake 1 1\nstatus\n" + "press go\n" * 4 + "status\n"
    status, out, error = run("console", "sim", stdin=lines)
    assert (status, error) == (0, "")
    assert "warning=idle" not in out
    assert out.count(" waits=go\n") == 4
    before, after = [line for line in out.splitlines() if " picked=" in line][-6::5]
    assert "state=thinking rows=2,4,5,0" in before
    assert "state=player rows=1,4,5,0" in after


@pytest.mark.parametrize(
    ("terminal", "letters"), [("dumb", "utf-8"), ("unknown", "utf-8"), ("xterm", "latin-1")]
)
def test_a_terminal_that_cannot_draw_gets_the_console(capsys, monkeypatch, terminal, letters):
    from nimatron_host.terminal import textual_app

    typed = SimpleNamespace(isatty=lambda: True, buffer=io.BytesIO(b"take 3 1\nfoo\n"))
    typed.buffer.isatty = lambda: True
    monkeypatch.setattr(cli.sys, "stdin", typed)
    monkeypatch.setattr(cli.sys.stdout, "isatty", lambda: True)
    screen = io.TextIOWrapper(io.BytesIO(), encoding=letters, write_through=True)
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(cli.sys, "stderr", screen)
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setattr(textual_app, "play", None)
    assert cli.main(["play", "--rows", "1", "2", "3", "--game", "same-number"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("This terminal cannot draw the panel, so you play at the machine's")
    answers = [line for line in lines if line.startswith(("ok ", "error "))]
    assert answers[:1] == ["ok game=same-number saved=1 from=now"]
    assert "rows=1,2,3 " in answers[1] and "rows=1,2,2 " in answers[2]
    assert len(answers) == 4
    assert cli.main(["play", "--on", "emulator"]) == 2
    assert "for which this terminal has no cursor" in screen.buffer.getvalue().decode()


def test_a_reader_that_goes_away_is_no_traceback():
    command = f"{sys.executable} -m nimatron_host trace - | head -1"
    script = "wait 6000000\n"
    done = subprocess.run(
        command, shell=True, input=script, capture_output=True, text=True, timeout=60
    )
    assert "Traceback" not in done.stderr and done.stdout.startswith('{"ms"')


# ---------------------------------------------------------------------- --board


@pytest.fixture
def says_its_board(monkeypatch, tmp_path):
    """Install firmware that prints the name of its board."""
    main = tmp_path / "main.py"
    main.write_text("import sys\nprint(sys.implementation._machine)\n")
    monkeypatch.setattr(firmware, "files", lambda: {"main.py": main})


@pytest.mark.parametrize("board", [None, *BOARDS])
@pytest.mark.usefixtures("says_its_board")
def test_any_of_the_boards_can_be_simulated(capsys, monkeypatch, board):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"wait 3000")))
    assert cli.main(["trace", "-", *(["--board", board] if board else [])]) == 0
    assert BOARDS[board or PICO].machine in capsys.readouterr().out


@pytest.mark.parametrize("words", [[], ["--board", "pico2-w"]])
@pytest.mark.parametrize(
    "command",
    ["play", "console sim", "emulate --sim", "kiosk --port 0", "soak", "replay visit.rec"],
)
def test_each_command_that_simulates_a_pico_passes_the_board_on(
    monkeypatch, tmp_path, pico, command, words
):
    from nimatron_host.terminal import textual_app

    pico.send("log dump now")
    pico.run(100)
    (tmp_path / "visit.rec").write_text("\n".join(pico.lines()))
    simulated = []

    def simulate(*_, board=None, **__):
        simulated.append(board)
        raise UserError("the board is enough")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("TERM", "xterm")
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(getattr(sys, stream), "isatty", lambda: True)
    monkeypatch.setattr(textual_app, "play", lambda lines, make, language: make(None))
    monkeypatch.setattr(SimulatedPico, "__init__", simulate)
    assert cli.main([*command.split(), *words]) == 1
    names = {BOARDS["pico2-w"], "pico2-w"} if words else {BOARDS[PICO], PICO, None}
    assert simulated and set(simulated) <= names
