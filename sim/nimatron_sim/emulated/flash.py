"""The Pico's file system, as in MicroPython: littlefs at the end of the flash."""

import functools
from collections.abc import Mapping
from pathlib import Path

from littlefs import LittleFS, UserContext

from nimatron_sim import firmware
from nimatron_sim.boards import BOARDS, PICO

START, SIZE = BOARDS[PICO].file_system  # of the plain Pico
_BLOCK = 4096
_VERSION = 0x00020000  # on disk; every MicroPython reads it
_MAIN = "main.py"  # MicroPython runs this one from source


def build(files: Mapping[str, Path | bytes], source: bool = False, size: int = SIZE) -> bytes:
    """A file system of this size with these files (name: file here, or content), modules compiled
    unless `source`."""
    image = UserContext(buffsize=size)
    flash = _littlefs(size, context=image, disk_version=_VERSION)
    for name, file in sorted(files.items()):
        if isinstance(file, bytes):
            content = file
        elif name.endswith(".py") and name != _MAIN and not source:
            content = _compile(file, name, file.stat().st_mtime_ns)
            name = name[:-3] + ".mpy"
        else:
            content = file.read_bytes()
        folder = name.rpartition("/")[0]
        if folder:
            flash.makedirs(folder, exist_ok=True)
        with flash.open(name, "wb") as target:
            target.write(content)
    flash.unmount()
    return bytes(image.buffer)


def mount(image: bytes) -> LittleFS:
    """A copy of a file system, to look into."""
    # With mount=True the library silently formats anything it cannot mount; with a pinned version
    # it cannot mount what MicroPython has written.
    flash = _littlefs(len(image), context=UserContext(buffer=bytearray(image)), mount=False)
    flash.mount()
    return flash


def _littlefs(size, **how) -> LittleFS:
    return LittleFS(block_size=_BLOCK, block_count=size // _BLOCK, prog_size=256, **how)


@functools.lru_cache(maxsize=256)
def _compile(file: Path, name: str, version: int) -> bytes:
    return firmware.compiled(file, name)
