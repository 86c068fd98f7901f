"""Files that other programs make from the circuit boards: KiCad makes a 3D model, and
InteractiveHtmlBom makes a page that shows the places of a part that you click.

InteractiveHtmlBom runs in KiCad's Python, which has KiCad's library. It depends on wxPython, which
KiCad brings, so install it without dependencies.
"""

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

PYTHON = "/usr/bin/python3"  # KiCad's Python on Debian
_PARTS = """\
import sys
sys.path.append(sys.argv.pop(1))
import pcbnew
from InteractiveHtmlBom.generate_interactive_bom import main
main()
"""


def write(board: Path) -> Iterator[tuple[Path, str]]:
    """Make the files next to a .kicad_pcb file. Yield the path of each, and the reason if it is
    missing."""
    step, parts = board.with_suffix(".step"), board.with_suffix(".html")
    program = shutil.which("kicad-cli") or "kicad-cli"
    why = _run([program, "pcb", "export", "step", "--force", "--output", step, board])
    yield step, why and f"KiCad 7 or newer is missing ({why})"
    packages = sysconfig.get_path("purelib")
    look = ["--no-browser", "--no-compression", "--include-nets", "--layer-view", "F"]
    look += ["--highlight-pin1", "all", "--dest-dir", parts.parent, "--name-format", parts.stem]
    why = _run([PYTHON, "-c", _PARTS, packages, *look, board])
    yield (
        parts,
        why and f"KiCad or `pip install --no-deps InteractiveHtmlBom` is missing ({why})",
    )


def _run(command) -> str:
    """Run a program, and return "" or the last line of its complaint."""
    quiet = os.environ | {"INTERACTIVE_HTML_BOM_NO_DISPLAY": "1"}
    try:
        done = subprocess.run(command, env=quiet, capture_output=True, text=True, check=False)
    except OSError as why:
        return str(why.strerror)
    return (done.stderr.strip() or "it failed").splitlines()[-1] if done.returncode else ""
