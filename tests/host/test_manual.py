"""The prose for a Pico's console: it is complete, and a mistyped name is guessed."""

import pytest

from nimatron import games, protocol, settings
from nimatron.settings import TABLE
from nimatron_host.device import manual
from nimatron_host.theory.english import PLAIN


def about(line):
    return protocol.parse(manual.explained(line))[2].get("about")


def test_every_command_is_explained(pico):
    assert list(manual.COMMANDS) == pico.told("help")["commands"].split(",")
    for verb, text in manual.COMMANDS.items():
        assert about(pico.ask(f"help {verb}")) == text
    pico.lines()
    pico.send("help")
    pico.run(100)
    assert [about(line) for line in pico.lines()[:-1]] == list(manual.COMMANDS.values())


def test_every_machine_setting_and_game_is_explained(pico):
    assert sorted(manual.MACHINES) == list(settings.MACHINES)
    for name, text in manual.MACHINES.items():
        assert about(pico.ask(f"machine {name}")) == text
    for name, _, _ in TABLE:
        assert about(pico.ask(f"settings {name}")) == PLAIN[f"setting.{name}"]
    for name in games.names():
        assert about(pico.ask(f"games {name}"))
    assert about(pico.ask("games grundy")) == PLAIN["rules.grundy"]


@pytest.mark.parametrize("line", ["status", "version", "new 3 4 5", "why", "stats", "solve nim 3"])
def test_other_answers_stay_as_they_are(pico, line):
    pico.start(1, 2)
    answer = pico.ask(line)
    assert manual.explained(answer) == answer


def test_a_game_of_a_later_firmware_is_left_unexplained():
    line = "ok game=quarto rules=normal solved=search openings=1"
    assert manual.explained(line) == line


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("HELP", "help"),
        ("staus", "status"),
        ("maintenence", "maintenance"),
        ("help hlp", "help"),
        ("set think-ms 5", "think_ms"),
        ("settings THINK_MS", "think_ms"),
        ("solve nin 3", "nim"),
        ("games Kayls", "kayles"),
        ("game wytoff", "wythoff"),
        ("set rule mizere", "misere"),
        ("level Easy", "easy"),
        ("machine nimrod_1951", "nimrod-1951"),
        ("press rwo1", "row1"),
    ],
)
def test_a_near_miss_is_guessed(pico, line, name):
    pico.start(3, 4, 5)
    refused = pico.ask(line)
    assert manual.meant(protocol.parse(refused)[2]) == name
    assert protocol.parse(manual.explained(refused))[2]["meant"] == name


@pytest.mark.parametrize("line", ["dance", "set x 1", "AT", "machine hal", "set think_ms 5x"])
def test_nothing_is_guessed_that_is_not_near(pico, line):
    refused = pico.ask(line)
    assert manual.explained(refused) == refused


def test_the_console_on_a_pipe_explains(nimatron):
    status, out, _ = nimatron("console", "sim", stdin="help take\nstaus\n")
    assert status == 1
    assert f'ok usage="take ROW N" about="{manual.COMMANDS["take"]}"' in out.splitlines()
    assert out.endswith(' text="there is no command staus: type help for a list" meant=status\n')
