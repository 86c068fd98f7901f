"""A board of five rows: board.py and pins.py report it, and nothing else does."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nimatron_sim import firmware
from nimatron_sim.lamps import DISPLAYS

HERE = Path(__file__).parent
# The matrix needs its pins one after the other: the rows begin one pin earlier.
CHANGES = {
    "nimatron/board.py": [("ROWS = 4\n", "ROWS = 5\n")],
    "nimatron/devices/pins.py": [
        ("ROWS = (2, 3, 4, 5)", "ROWS = (1, 2, 3, 4, 5)"),
        ('("row4", 16), ', '("row4", 16), ("row5", 0), '),
    ],
}
MATCHES = [(display, "nim", "3 4 5 6 7") for display in DISPLAYS] + [
    ("matrix", "subtraction-3", "35"),
    ("matrix", "runs", "1110000/1000000/1100000/0000000/1100000"),
]


@pytest.fixture(scope="module")
def five_rows(tmp_path_factory):
    """A copy of the firmware with a row more."""
    folder = tmp_path_factory.mktemp("five") / "firmware"
    shutil.copytree(firmware.folder(), folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name, changes in CHANGES.items():
        text = (folder / name).read_text()
        for before, after in changes:
            assert before in text
            text = text.replace(before, after)
        (folder / name).write_text(text)
    return folder


def run(folder, *words):
    path = os.pathsep.join([str(folder), *sys.path])
    return subprocess.run(
        [sys.executable, *words],
        env=dict(os.environ, PYTHONPATH=path),
        capture_output=True,
        text=True,
        timeout=100,
    )


def test_the_referee_sees_no_fault_in_two_busy_days(five_rows):
    short = (
        "from nimatron_sim.soak import soak; soak.DAY_MS = 400_000\n"
        "soak._BETWEEN_MS = (10_000,); soak.soak(5, [1, 4])"
    )
    done = run(five_rows, "-c", short)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("how", "sign"), [("win", "you-win"), ("lose", "machine-wins")])
@pytest.mark.parametrize(("display", "game", "position"), MATCHES)
def test_a_match_ends_with_either_verdict(five_rows, display, game, position, how, sign):
    done = run(five_rows, str(HERE / "five_rows.py"), display, game, position, how)
    assert (done.stdout, done.stderr) == (f"{sign}\n", "")
