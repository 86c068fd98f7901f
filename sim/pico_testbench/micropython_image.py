"""The MicroPython image for a Board: its location, and instructions to download it."""

import functools
import os
import re
from pathlib import Path

from pico_testbench import models
from pico_testbench.uf2 import Image, unpack

VARIABLE = "PICO_TESTBENCH_IMAGE"
CACHE = Path("~/.cache/rp2040py")  # the folder for rp2040py's downloads
BOARDS = {name: board for name, board in models.BOARDS.items() if board.family == models.RP2040}
_TRIED = (1, 26, 1)
_NAMES = {"pico": "RPI_PICO", "pico-w": "RPI_PICO_W"}  # MicroPython's file names begin with these


class WrongImage(ValueError):
    """An error for a file that is not a MicroPython image. The text is one line."""


class NoImage(Exception):
    """An error if no image is installed. The text is one line with the remedy."""


def find(board: str, given: Path | None = None) -> Path:
    """Return the path of the image for a board: the given file, or the value of
    PICO_TESTBENCH_IMAGE, or the best file in rp2040py's cache.

    Raises NoImage, and WrongImage if the file does not exist.
    """
    named = given or os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise WrongImage(f"{named} is no MicroPython image: there is no such file")
        return Path(named)
    pattern = re.compile(_NAMES[board] + r"-\d+-v(\d+)\.(\d+)\.(\d+)\.uf2")
    found = []
    for path in CACHE.expanduser().glob("*.uf2"):
        match = pattern.fullmatch(path.name)
        if match:
            version = tuple(map(int, match.groups()))
            found.append((version == _TRIED, version, path))
    if not found:
        fetch = f"rp2040py micropython --fetch-fw-only --board {board.replace('-', '_')}"
        raise NoImage(
            f"no MicroPython image for the {BOARDS[board].title}. Get one with:"
            f" {fetch} --image {'.'.join(map(str, _TRIED))} (or name a .uf2 in {VARIABLE})"
        )
    return max(found)[-1]


def load(path: Path, board: str) -> Image:
    """Return an image. Raises WrongImage if it is incomplete, NoImage if it is for another
    board."""
    try:
        image = read(path)
    except ValueError as why:
        raise WrongImage(f"{path} is not a whole MicroPython image: {why}") from None
    if image.board not in (BOARDS[board], None):
        raise NoImage(f"{path} is for the {image.title}, not for the {BOARDS[board].title}")
    return image


def read(path: Path) -> Image:
    """Return the image in a file. Raises OSError, and ValueError if it is incomplete."""
    return _read(path, path.stat().st_mtime_ns)


@functools.lru_cache(maxsize=32)  # enough for a whole cache. Each image takes 1 MB
def _read(path: Path, version: int) -> Image:
    return unpack(path.read_bytes())
