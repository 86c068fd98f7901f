"""The firmware as a file system for the Pico's flash, with its modules compiled."""

import functools
from collections.abc import Mapping
from pathlib import Path

from nimatron_sim import firmware
from pico_testbench import flash
from pico_testbench.flash import SIZE, START, mount

__all__ = ("SIZE", "START", "build", "installed", "mount")

_MAIN = "main.py"  # the file that MicroPython runs from source


def build(files: Mapping[str, Path | bytes], source: bool = False, size: int = SIZE) -> bytes:
    """Return a file system of `size` bytes with these files, {name: path or content}. Modules are
    compiled, unless `source` is true."""
    return flash.build(installed(files, source), size)


def installed(files: Mapping[str, Path | bytes], source: bool = False) -> dict[str, Path | bytes]:
    """Return the files for the flash. Modules are compiled, unless `source` is true."""
    found: dict[str, Path | bytes] = {}
    for name, file in files.items():
        if isinstance(file, Path) and name.endswith(".py") and name != _MAIN and not source:
            found[name[:-3] + ".mpy"] = firmware.compiled(file, name)
        else:
            found[name] = file
    return found


@functools.cache
def release() -> Mapping[str, bytes]:
    """Return the firmware's files as a deploy writes them."""
    return firmware.release(firmware.files())
