"""A board of five rows, which only board.py and pins.py define."""

import os
import shutil
import subprocess
import sys

import pytest

from nimatron_sim import firmware

# The matrix needs consecutive pins, so the rows begin one pin earlier.
CHANGES = {
    "nimatron/board.py": [("ROWS = 4\n", "ROWS = 5\n")],
    "nimatron/devices/pins.py": [
        ("ROWS = (2, 3, 4, 5)", "ROWS = (1, 2, 3, 4, 5)"),
        ('("row4", 16), ', '("row4", 16), ("row5", 0), '),
    ],
}


@pytest.fixture(scope="module")
def five_rows(tmp_path_factory):
    """Return a copy of the firmware with one more row."""
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


def test_the_referee_sees_no_fault_in_busy_days(five_rows):
    """Their displays are pixels, shift registers and the matrix."""
    short = (
        "from nimatron_sim.soak import soak; soak.DAY_MS = 400_000\n"
        "soak._BETWEEN_MS = (10_000,); soak.soak(5, [3, 4, 6])"
    )
    done = run(five_rows, "-c", short)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_fifth_row_is_played_and_is_in_the_picture_of_the_verdict(five_rows):
    script = (
        "from nimatron_sim.simulated_pico import SimulatedPico; pico = SimulatedPico()\n"
        "pico.start(0, 0, 0, 0, 1); pico.tap('row5'); pico.tap('go')\n"
        "print(pico.legends); pico.run(1000); assert pico.lamps[4]"
    )
    done = run(five_rows, "-c", script)
    assert (done.stdout, done.stderr) == ("{'machine-wins'}\n", "")
