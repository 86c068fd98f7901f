"""`--unit`: the systemd units."""

import subprocess
import sys

import pytest

import needs
from nimatron_host import units

COMMANDS = {
    "nimatron-kiosk": ["kiosk", "--host", "0.0.0.0"],
    "nimatron-fleet": ["fleet", "--mqtt", "local", "hall-1=/dev/ttyACM0"],
}


@pytest.fixture
def verified(tmp_path):
    """Return verified(unit, file's name), which asserts that systemd finds no fault."""

    def verified(unit, name):
        tool = needs.program("systemd-analyze", "systemd")
        file = tmp_path / name
        file.write_text(unit.replace(units.PROGRAM, sys.executable))
        done = subprocess.run([tool, "verify", file], capture_output=True, text=True)
        assert (done.returncode, file.name in done.stderr) == (0, False), done.stderr

    return verified


@pytest.mark.parametrize("name", COMMANDS)
def test_it_runs_what_was_typed_and_systemd_takes_it(nimatron, verified, name):
    words = COMMANDS[name]
    status, unit, warning = nimatron(*words, "--unit")
    assert (status, warning) == (0, "")
    assert f"\nExecStart={units.PROGRAM} {' '.join(words)}\n" in unit
    assert f"/etc/systemd/system/{name}.service" in unit and "LoadCredential" not in unit
    verified(unit, f"{name}.service")


def test_a_timer_deploys_each_day_and_the_cable_is_free_meanwhile(nimatron, verified):
    status, unit, warning = nimatron("deploy", "/dev/ttyACM0", "--any-board", "--unit")
    assert (status, warning) == (0, "")
    assert f"\nExecStart={units.PROGRAM} deploy /dev/ttyACM0 --any-board\n" in unit
    assert unit.index("systemctl stop") < unit.index("ExecStart=") < unit.index("systemctl start")
    assert "$$unit" in unit, "systemd would put a variable of its own there"
    status, timer, warning = nimatron("deploy", "--timer", "18:30")
    assert (status, warning) == (0, "")
    assert "\nOnCalendar=*-*-* 18:30:00\n" in timer
    for name, text in (("service", unit), ("timer", timer)):
        assert f"/etc/systemd/system/nimatron-deploy.{name}" in text
    verified(unit, "nimatron-deploy.service")
    verified(timer, "nimatron-deploy.timer")


@pytest.mark.parametrize("word", ["25:00", "noon", ""])
def test_a_timer_that_could_not_start_is_refused(nimatron, word):
    status, timer, complaint = nimatron("deploy", "--timer", word)
    assert (status, timer) == (2, "") and "is not a time such as 18:30" in complaint


def test_a_page_that_no_phone_will_reach_says_so(nimatron):
    status, unit, warning = nimatron("kiosk", "--unit")
    assert status == 0 and "ExecStart" in unit and warning.count("\n") == 1
    assert "put --host 0.0.0.0 before --unit" in warning


def test_files_that_only_root_can_read_are_handed_over(nimatron, tmp_path):
    password, ca = tmp_path / "password", tmp_path / "100% ours"
    password.write_text("secret")
    ca.touch()
    words = ["--mqtt", "mqtt://the%20bridge@example.org", f"--password-file={password}"]
    status, unit, _ = nimatron("fleet", *words, "--unit", "--name", "desk")
    assert status == 0 and "secret" not in unit
    assert f"\nLoadCredential=password-file:{password}\n" in unit
    (start,) = [line for line in unit.splitlines() if line.startswith("ExecStart=")]
    assert start == (
        f"ExecStart={units.PROGRAM} fleet --mqtt mqtt://the%%20bridge@example.org "
        "--password-file=${CREDENTIALS_DIRECTORY}/password-file --name desk"
    )
    unit = units.unit("a", "b", "c", ["--ca", str(ca), "x y", "$1"], {"ca": ca})
    assert f"LoadCredential=ca:{tmp_path}/100%% ours\n" in unit
    assert '--ca ${CREDENTIALS_DIRECTORY}/ca "x y" $$1\n' in unit


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["kiosk", "--state", "here"], "Remove --state"),
        (["fleet", "--mqtt", "local", "--state", "here"], "Remove --state"),
        (["fleet", "--mqtt", "local", "door"], "is not NAME=PORT"),
    ],
)
def test_a_unit_that_could_not_run_is_refused(nimatron, words, why):
    status, said, complaint = nimatron(*words, "--unit")
    assert (status, said) == (2, "") and why in complaint
