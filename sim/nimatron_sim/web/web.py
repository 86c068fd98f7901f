"""The backend `web` in node, which traces a script on the MicroPython that the page uses."""

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

from nimatron import board
from nimatron_sim import darkness, script
from nimatron_sim.errors import UserError
from nimatron_sim.web import romfs, webassembly
from nimatron_sim.web.romfs import bundle
from pico_testbench.models import PICO

_PROGRAM = Path(__file__).with_name("trace.js")


class WebFailed(UserError):
    """An error for MicroPython that has ended with an exception. The text quotes the exception."""


def trace(
    text: str,
    display: str = "matrix",
    on: str = PICO,
    main: Path | None = None,
    compiled: bool = False,
) -> list[dict[str, Any]]:
    """Return the trace (see trace.py) of the script `text` (see script.py) from power-on.

    display: the display to wire and to set in the settings.
    on: the name of the board.
    main: see bundle().
    compiled: True to compile the modules to .mpy, as for the page, which takes seconds.

    Raises Dark, see darkness.py, and UserError."""
    timeline = script.timeline(text, board.BUTTONS)
    runtime = (webassembly.folder() / webassembly.SCRIPT).as_uri()
    files = bundle("nimatron_sim.web.web_main", main)
    image = romfs.image(romfs.compiled(files) if compiled else files)
    given = {
        "rom": base64.b64encode(image).decode(),
        "given": json.dumps([display, on, *timeline]),
    }
    done = subprocess.run(
        [webassembly.node(), _PROGRAM, runtime],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    if done.returncode:
        raise WebFailed(f"the Pico on the web tier has stopped: {_reason(done.stderr)}")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    darkness.judge(records, *timeline)
    return records


def _reason(said: str) -> str:
    """Return the last line of node's output, which is the exception."""
    return (said.strip().splitlines() or ["it printed nothing"])[-1].strip()
