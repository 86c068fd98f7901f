"""MicroPython images in UF2 files: their location, and a check that they are complete and for the
right board."""

import functools
import os
import re
import struct
from dataclasses import dataclass, replace
from pathlib import Path

from pico_testbench import models
from pico_testbench.models import BOARDS, PICO, Model

VARIABLE = "PICO_TESTBENCH_IMAGE"
CACHE = Path("~/.cache/rp2040py")  # the folder for rp2040py's downloads
EMULATED = {name: board for name, board in models.BOARDS.items() if board.family == models.RP2040}
_TRIED = (1, 26, 1)
_NAMES = {"pico": "RPI_PICO", "pico-w": "RPI_PICO_W"}  # MicroPython's file names begin with these
_FLASH_START = 0x10000000
_BLOCK = 512
_HEADER = struct.Struct("<8I")
_FIRST_MAGIC = (0x0A324655, 0x9E5D5157)
_LAST_MAGIC = (0x0AB16F30).to_bytes(4, "little")
_PAYLOAD = 256  # bytes per block. The Pico's boot drive accepts no other size
_HAS_FAMILY = 0x2000
# The families of https://github.com/microsoft/uf2/blob/master/utils/uf2families.json
_CHIPS = {models.RP2040: "RP2040", models.RP2350: "RP2350", 0xE48BFF5A: "RP2350-RISCV"}
_ABSOLUTE = 0xE48BFF57  # of a first block that avoids erratum RP2350-E10
_WITH = b" with RP2"  # in sys.implementation._machine
_LONGEST = 80  # the number of bytes on either side of that


class WrongImage(ValueError):
    """An error for a file that is not a MicroPython image. The text is one line."""


class NoImage(Exception):
    """An error if no image is installed. The text is one line with the remedy."""


@dataclass(frozen=True)
class Image:
    """A MicroPython image.

    flash: its contents, beginning with the first byte of flash.
    family: the chip's family in UF2.
    first: the blocks of the file that must come before all other blocks."""

    flash: bytes
    family: int = models.RP2040
    first: bytes = b""

    @functools.cached_property
    def machine(self) -> str:
        """The sys.implementation._machine in the image, or "" if it is not MicroPython."""
        before, found, after = self.flash.partition(_WITH)
        name = re.findall(rb"[ -~]*\Z", before[-_LONGEST:])[0].rpartition(b"; ")[2]
        (chip,) = re.findall(rb"\A[ -~]*", after[:_LONGEST])
        return (name + found + chip).decode() if found else ""

    @property
    def board(self) -> Model | None:
        """The board for this image, or None if it is not one of BOARDS."""
        return next((board for board in BOARDS.values() if board.machine == self.machine), None)

    @property
    def file_system(self) -> tuple[int, int]:
        """The place of the file system, as (first byte in flash, size). An unknown board is
        treated as a Pico."""
        start, size = (self.board or BOARDS[PICO]).file_system
        return start, size

    @property
    def title(self) -> str:
        """The name of the board, for people."""
        return self.board.title if self.board else self.machine or _CHIPS[self.family]


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
            f"no MicroPython image for the {EMULATED[board].title}. Get one with:"
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
    if image.board not in (EMULATED[board], None):
        raise NoImage(f"{path} is for the {image.title}, not for the {EMULATED[board].title}")
    return image


def read(path: Path) -> Image:
    """Return the image in a file. Raises OSError, and ValueError if it is incomplete."""
    return _read(path, path.stat().st_mtime_ns)


@functools.lru_cache(maxsize=32)  # enough for a whole cache. Each image takes 1 MB
def _read(path: Path, version: int) -> Image:
    return unpack(path.read_bytes())


def unpack(uf2: bytes) -> Image:
    """Return the image in a UF2 file (https://github.com/microsoft/uf2).

    Raises ValueError if the image is incomplete, or not for one chip, an RP2040 or an RP2350.
    """
    if not uf2 or len(uf2) % _BLOCK:
        raise ValueError(f"{len(uf2)} bytes, not a multiple of {_BLOCK}")
    *_, chip = _HEADER.unpack_from(uf2)
    first = b""
    if chip == _ABSOLUTE and len(uf2) > _BLOCK:
        first, uf2 = uf2[:_BLOCK], uf2[_BLOCK:]
        *_, chip = _HEADER.unpack_from(uf2)
    flash = bytearray()
    missing = set(range(len(uf2) // _BLOCK))
    for start in range(0, len(uf2), _BLOCK):
        block = uf2[start : start + _BLOCK]
        *magic, flags, address, size, number, total, family = _HEADER.unpack_from(block)
        where = f"block {start // _BLOCK}"
        if tuple(magic) != _FIRST_MAGIC or not block.endswith(_LAST_MAGIC):
            raise ValueError(f"{where} does not have the magic numbers of UF2")
        if not flags & _HAS_FAMILY or family not in _CHIPS:
            raise ValueError(
                f"{where} is for the chip family 0x{family:08X}, neither RP2040 nor RP2350"
            )
        if family != chip:
            raise ValueError(f"{where} is for the {_CHIPS[family]}, block 0 is not")
        if total != len(uf2) // _BLOCK:
            raise ValueError(f"it has {len(uf2) // _BLOCK} of {total} blocks")
        if size > _BLOCK - _HEADER.size - 4 or address < _FLASH_START:
            raise ValueError(f"{where} is not meant for flash")
        missing.discard(number)
        offset = address - _FLASH_START
        flash.extend(b"\xff" * (offset + size - len(flash)))
        flash[offset : offset + size] = block[_HEADER.size : _HEADER.size + size]
    if missing:
        raise ValueError(f"block {min(missing)} is missing")
    return Image(bytes(flash), chip, first)


def with_files(image: Image, files: bytes) -> Image:
    """Return the image with this file system appended. Erased blocks are included, so that no
    block of an older file system remains.

    Raises ValueError if the image reaches into the file system.
    """
    start, _ = image.file_system
    if len(image.flash) > start:
        raise ValueError(
            f"the image takes {len(image.flash)} bytes, but at {start} the file system begins"
        )
    return replace(image, flash=image.flash.ljust(start, b"\xff") + files)


def pack(image: Image) -> bytes:
    """Return the UF2 file for an image (the inverse of `unpack`)."""
    flash = image.flash
    total = -(-len(flash) // _PAYLOAD)
    blocks = bytearray()
    for number in range(total):
        start = number * _PAYLOAD
        where = _FLASH_START + start
        head = (*_FIRST_MAGIC, _HAS_FAMILY, where, _PAYLOAD, number, total, image.family)
        payload = flash[start : start + _PAYLOAD].ljust(_PAYLOAD, b"\xff")
        blocks += (_HEADER.pack(*head) + payload).ljust(_BLOCK - 4, b"\0") + _LAST_MAGIC
    return image.first + bytes(blocks)
