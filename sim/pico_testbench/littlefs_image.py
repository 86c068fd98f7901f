"""The Pico's file system, as in MicroPython: littlefs at the end of the flash."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from littlefs import LittleFS, UserContext

from pico_testbench.models import BOARDS, PICO

START, SIZE = BOARDS[PICO].file_system  # the file system of a Pico without W
_BLOCK = 4096
_VERSION = 0x00020000  # the version on disk, which every version of MicroPython can read


def build(files: Mapping[str, Path | bytes], size: int = SIZE) -> bytes:
    """Return a file system of `size` bytes with these files, {name: path or content}."""
    image = UserContext(buffer=bytearray(b"\xff" * size))
    flash = _littlefs(size, context=image, disk_version=_VERSION)
    for name, file in sorted(files.items()):
        folder = name.rpartition("/")[0]
        if folder:
            flash.makedirs(folder, exist_ok=True)
        with flash.open(name, "wb") as target:
            target.write(file if isinstance(file, bytes) else file.read_bytes())
    flash.unmount()
    return bytes(image.buffer)


def mount(image: bytes) -> LittleFS:
    """Return a copy of a file system, for reading."""
    # With mount=True, the library silently formats anything that it cannot mount. With a pinned
    # disk version, the library cannot mount a file system that MicroPython has written.
    flash = _littlefs(len(image), context=UserContext(buffer=bytearray(image)), mount=False)
    flash.mount()
    return flash


def _littlefs(size: int, **how: Any) -> LittleFS:
    return LittleFS(block_size=_BLOCK, block_count=size // _BLOCK, prog_size=256, **how)
