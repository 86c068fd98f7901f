"""Whatever a person types wrongly, at any command: one line that reports it, and the exit
status."""

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
    "play --game": "bridge",
    "play --machine": "deep-blue",
    "play --players": "9",
    "play --rows": "9",
    "play --rule": "odd",
    "play --level": "divine",
    "play --seed": "x",
    "play --on": "vm",
    "play --display": "neon",
    "play --board": "pico-3",
    "kiosk --board": "pico-3",
    "console --board": "pico-3",
    "trace - --board": "pico-3",
    "emulate --sim --board": "pico-3",
    "emulate --board": "pico2",
    "console /dev/pico --board": "pico2",
    "kiosk --on /dev/pico --board": "pico2",
    "play --on emulator --board": "pico2",
    "trace - --on emulator --board": "pico2",
    "play --image": "some.uf2",
    "kiosk --image": "some.uf2",
    "trace - --on vm --image": "some.uf2",
    "image --check one.uf2 --image": "other.uf2",
    "kiosk --game": "octal-0.77",
    "kiosk --players": "two",
    "kiosk --rows": "1 1 1 1 1",
    "kiosk --port": "65536",
    "trace - --on": "paper",
    "soak --board": "pico-3",
    "replay --board": "pico-3",
    "soak --days": "0",
    "soak --day": "0",
    "soak --seed": "x",
    "soak --jobs": "0",
    "emulate --tcp": "65536",
    "check --step": "0",
    "check --wait": "nan",
    "settings": "/dev/pico volume 3 4",
    "settings volume 3": "/dev/pico /dev/other",
    "solve --rule odd": "3",
    "solve": "bridge 3",
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
    """refused(status, *words): run the command, which must complain. The one line that it says."""
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


@pytest.mark.parametrize("words", ["", "dance", "trace", "solve", "soak --day 1 --days 2"])
def test_words_that_are_missing_or_too_many(refused, words):
    refused(USAGE, *words.split())


@pytest.mark.parametrize("option", VALUES)
def test_a_bad_value(refused, option):
    why = refused(USAGE, *option.split(), *VALUES[option].split())
    assert f"For help: nimatron {option.split()[0]} --help" in why


@pytest.mark.parametrize("command", COMMANDS)
def test_every_value_of_an_option_is_checked(command):
    # For a device that is looked for or taken. The fleet's errors are in test_fleet_command.py.
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
        "image --check nowhere",
        "image --check .",
        "wiring --to file/below",
        "wiring --check --to nowhere",
    ],
)
def test_missing_file_is_one_line(refused, words, tmp_path):
    (tmp_path / "file").write_text("")
    why = refused(FAILED, *words.split())
    assert words.split()[-1] in why or "run: nimatron wiring" in why


def test_a_flash_that_cannot_be_kept(refused, emulated):
    assert "nowhere/flash" in refused(FAILED, "emulate", "--flash", "nowhere/flash")


@pytest.mark.parametrize(
    "words", ["emulate", "emulate --flash nowhere/flash", "trace - --on emulator"]
)
def test_missing_image_is_reported_first(refused, monkeypatch, tmp_path, words):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("NIMATRON_IMAGE", raising=False)
    assert refused(FAILED, *words.split()).endswith(". Get it with: nimatron image\n")


@pytest.mark.parametrize("option", ["--to", "--kit"])
def test_wiring_draws_nothing_that_it_cannot_write(refused, tmp_path, monkeypatch, option):
    monkeypatch.setattr("nimatron_wiring.write.generate", pytest.fail)
    (tmp_path / "file").write_text("")
    assert "cannot write file/below: Not a directory" in refused(
        FAILED, "wiring", option, "file/below"
    )


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


@pytest.mark.parametrize("command", ON_A_CABLE)
def test_missing_port_is_one_line(refused, command):
    why = refused(FAILED, *command.split(), "/dev/nowhere")
    assert "the port /dev/nowhere does not exist. To list the devices: nimatron devices" in why


@pytest.mark.parametrize(
    "command", ["console", "deploy", "check", "stats", "logs", "health", "replay"]
)
def test_no_port_at_all(refused, command):
    assert "no Pico with MicroPython is plugged in" in refused(FAILED, command)


@pytest.mark.parametrize("command", [*ON_A_CABLE[2:], "devices", "settings volume"])
def test_a_simulated_pico_has_no_port_here(refused, command):
    why = refused(USAGE, *command.split(), "sim")
    assert (
        "sim is for `nimatron console` and `kiosk --on`. For this command, start a simulated Pico "
        "with a port: nimatron emulate --sim. For help: nimatron " + command.split()[0] in why
    )


def test_missing_devices_are_one_line(refused, nimatron):
    assert "no Pico with MicroPython is plugged in" in refused(FAILED, "devices")
    status, out, error = nimatron("devices", "/dev/nowhere")
    assert status == 1 and "the port /dev/nowhere does not exist" in out
    assert error == "nimatron: 1 of 1 ports cannot be used: /dev/nowhere\n"


def test_options_that_exclude_each_other(refused, tmp_path):
    (tmp_path / "saved.json").write_text("{}")
    assert "--now is for a Pico" in refused(USAGE, "replay", "saved.json", "--now")
    assert "are for the emulated Pico" in refused(USAGE, "emulate", "--sim", "--empty")
