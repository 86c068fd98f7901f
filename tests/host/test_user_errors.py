"""Any typing mistake in any command is reported in one line, with the right exit status."""

import subprocess
import sys
from pathlib import Path

import pytest

from nimatron_host.cli import parser, parsers

FAILED, USAGE = 1, 2
PARSERS = parsers(parser())
COMMANDS = list(PARSERS)
ON_A_CABLE = (
    "kiosk --on",
    "console",
    "deploy",
    "check",
    "stats",
    "logs",
    "health",
    "replay",
    "settings",
)
VALUES = {
    "emulate --board": "pico2",
    "console /dev/pico --board": "pico2",
    "kiosk --on /dev/pico --board": "pico2",
    "play --on emulator --board": "pico2",
    "trace - --on emulator --board": "pico2",
    "play --image": "some.uf2",
    "kiosk --image": "some.uf2",
    "trace - --on vm --image": "some.uf2",
    "kiosk --port": "65536",
    "soak --days": "0",
    "soak --day": "0",
    "soak --jobs": "0",
    "emulate --tcp": "65536",
    "check --step": "0",
    "check --wait": "nan",
    "settings": "/dev/pico volume 3 4",
    "settings volume 3": "/dev/pico /dev/other",
    "solve --rule odd": "3",
}


_NEEDED = {
    "fleet": ["--mqtt", "local"],
    "trace": ["-"],
    "solve": ["3"],
    "table": ["nim"],
    "handout": ["class.pdf"],
    "site": ["site"],
}


@pytest.fixture
def refused(nimatron, tmp_path, monkeypatch):
    """Return refused(status, *words), which runs a failing command and returns its one line."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("nimatron_host.device.link.comports", list)  # nothing is plugged in

    def refused(status, *words):
        got, out, error = nimatron(*words, keyboard=True)
        assert (got, out) == (status, ""), error
        assert error.startswith("nimatron: ") and error.count("\n") == 1
        assert error.endswith("--help\n") == (status == USAGE)
        return error

    return refused


@pytest.mark.parametrize("command", COMMANDS)
def test_an_option_that_does_not_exist(refused, command):
    needed = _NEEDED.get(command, [])
    why = refused(USAGE, command, *needed, "--no-such-option")
    assert "unrecognized arguments: --no-such-option. For help: nimatron" in why


@pytest.mark.parametrize("words", ["", "trace", "solve", "soak --day 1 --days 2"])
def test_words_that_are_missing_or_too_many(refused, words):
    refused(USAGE, *words.split())


@pytest.mark.parametrize("option", VALUES)
def test_a_bad_value(refused, option):
    why = refused(USAGE, *option.split(), *VALUES[option].split())
    assert f"For help: nimatron {option.split()[0]} --help" in why


@pytest.mark.parametrize("command", COMMANDS)
def test_every_value_of_an_option_is_checked(command):
    # For a missing or busy device. The fleet's errors are in test_fleet_command.py.
    later = {"rows", "on", "host", "token", "operator_token", "mqtt", "name", "allow"}
    for action in PARSERS[command]._actions:
        if action.option_strings and action.nargs != 0 and action.dest not in later:
            assert action.type or action.choices, action.option_strings


@pytest.mark.parametrize(
    "words",
    [
        "trace nowhere",
        "trace .",
        "replay nowhere.json",
        "replay ./nowhere.rec",
        "replay COM3.rec",
        "emulate --image nowhere",
        "image --image nowhere",
        "image --image .",
        "wiring --to file/below",
        "wiring --check --to nowhere",
        "wiring --kit file/below",
    ],
)
def test_missing_file_is_one_line(refused, words, tmp_path):
    (tmp_path / "file").write_text("")
    why = refused(FAILED, *words.split())
    assert words.split()[-1] in why or "run: nimatron wiring" in why


@pytest.mark.parametrize(
    "words", ["emulate", "emulate --flash nowhere/flash", "trace - --on emulator"]
)
def test_missing_image_is_reported_first(refused, monkeypatch, tmp_path, words):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("NIMATRON_IMAGE", raising=False)
    assert refused(FAILED, *words.split()).endswith(". Get it with: nimatron image\n")


@pytest.mark.parametrize("words", ["games", "solve 3 4 5", "table nim --csv", "trace -"])
def test_a_full_disk_is_one_line(words):
    if not Path("/dev/full").exists():
        pytest.skip("this computer has no /dev/full")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "nimatron_host", *words.split()],
            input=b"wait 1000\n",
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == FAILED
    assert done.stderr == b"nimatron: cannot use the output: No space left on device\n"


@pytest.mark.parametrize("command", [*ON_A_CABLE, "devices"])
def test_no_pico_at_all(refused, command):
    why = refused(FAILED, *command.split(), *["/dev/nowhere"] * (command == "kiosk --on"))
    missing = "the port /dev/nowhere does not exist. To list the devices: nimatron devices"
    none = "no Pico with MicroPython is plugged in"
    assert (missing if command == "kiosk --on" else none) in why
    assert command == "kiosk --on" or "from https://micropython.org/download/?port=rp2" in why


@pytest.mark.parametrize("command", [*ON_A_CABLE[2:], "devices", "settings volume"])
def test_a_simulated_pico_has_no_port_here(refused, command):
    why = refused(USAGE, *command.split(), "sim")
    assert (
        "sim is for `nimatron console` and `kiosk --on`. For this command, start a simulated Pico "
        "with a port: nimatron emulate --sim. For help: nimatron " + command.split()[0] in why
    )


def test_options_that_exclude_each_other(refused, tmp_path):
    (tmp_path / "saved.json").write_text("{}")
    assert "--now is for a Pico" in refused(USAGE, "replay", "saved.json", "--now")
    assert "are for the emulated Pico" in refused(USAGE, "emulate", "--sim", "--empty")


@pytest.mark.parametrize(
    ("typed", "status", "why"),
    [
        ("solve 0 0", 2, "at least one lamp must be lit"),
        ("solve x", 2, 'unknown game "x". To list the games: nimatron games'),
        ("solve kayles 7 --normal", 2, "--normal. Write --rule normal"),
        ("solve nim", 2, "a position is missing"),
        ("solve nim x", 2, "x is not a whole number"),
        ("solve -- 3 -1", 2, "a row of -1"),
        ("play --rows 9", 2, "a row of 9 lamps: a row has 0 to 7"),
        ("play --rows 1 1 1 1 1", 2, "rows given: 5. The board has 4"),
        ("dance", 2, 'unknown command "dance". To list the commands: nimatron help'),
        ("help plya", 2, 'unknown command "plya". Did you mean play?'),
        ("play --level PEFECT", 2, '"PEFECT" is not a choice. Did you mean perfect?'),
        ("play --game candy --rule misere", 2, "candy has only one rule. Write --ru"),
        ("solve chomp 3 3 --rule normal", 2, "only one rule. Write --rule misere"),
        ("games kayles 7", 2, "to explain one game, give its name"),
        ("play --language xx", 2, '"xx" is not a choice. Choose from: '),
        ("play --game kayle", 2, 'unknown game "kayle". Did you mean kayles?'),
        ("play --game graph", 2, "only `nimatron solve` knows graph"),
        ("play --game octal-0.77", 2, "only `nimatron solve` knows octal-0.77"),
    ],
)
def test_the_error_names_the_cause(refused, typed, status, why):
    assert why in refused(status, *typed.split())
