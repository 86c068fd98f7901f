"""MicroPython images: where they are, whether they are complete, and for which board they are."""

import functools
import importlib.util
import os
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from nimatron_sim import boards, extras
from nimatron_sim.boards import BOARDS, PICO, Board
from nimatron_sim.errors import TierUnavailable

VARIABLE = "NIMATRON_IMAGE"
NAME = "RPI_PICO-20250911-v1.26.1.uf2"
CACHE = Path("~/.cache/rp2040py")  # where rp2040py keeps what it fetches
PAGE = "https://micropython.org/download/RPI_PICO/"
FETCH = "nimatron image"
_RELEASE = "1.26.1"

_FLASH_START = 0x10000000
_BLOCK = 512
_HEADER = struct.Struct("<8I")
_FIRST_MAGIC = (0x0A324655, 0x9E5D5157)
_LAST_MAGIC = (0x0AB16F30).to_bytes(4, "little")
_PAYLOAD = 256  # bytes per block; the Pico's boot drive accepts no other size
_HAS_FAMILY = 0x2000
# The families of https://github.com/microsoft/uf2/blob/master/utils/uf2families.json
_CHIPS = {boards.RP2040: "RP2040", boards.RP2350: "RP2350", 0xE48BFF5A: "RP2350-RISCV"}
_ABSOLUTE = 0xE48BFF57  # of a first block that spares the boot drive erratum RP2350-E10
_WITH = b" with RP2"  # in sys.implementation._machine
_LONGEST = 80  # bytes of that, on either side
_VERSION = re.compile(rb"MicroPython v(\d+)\.(\d+)(?:\.(\d+))?(-preview)?")  # in sys.version


@dataclass(frozen=True)
class Image:
    """An image. flash: what it writes, from the first byte of flash on. family: the chip's, in
    UF2. first: the blocks of the file that have to come before all others."""

    flash: bytes
    family: int = boards.RP2040
    first: bytes = b""

    @functools.cached_property
    def machine(self) -> str:
        """Its sys.implementation._machine; "" if it is not MicroPython's."""
        before, found, after = self.flash.partition(_WITH)
        name = re.search(rb"[ -~]*\Z", before[-_LONGEST:])[0].rpartition(b"; ")[2]
        chip = re.match(rb"[ -~]*", after[:_LONGEST])[0]
        return (name + found + chip).decode() if found else ""

    @property
    def board(self) -> Board | None:
        """The board that it is for; None if it is not one of BOARDS."""
        return boards.find(self.machine)

    @property
    def file_system(self) -> tuple[int, int]:
        """(First byte in flash, size) of its file system; of a board that we do not know, as
        on a Pico."""
        return (self.board or BOARDS[PICO]).file_system

    @property
    def title(self) -> str:
        """What it is for, to be told to people."""
        return self.board.title if self.board else self.machine or _CHIPS[self.family]


def find() -> Path:
    """The image's file: the one named by NIMATRON_IMAGE, else the one in rp2040py's cache."""
    named = os.environ.get(VARIABLE)
    path = Path(named) if named else CACHE.expanduser() / NAME
    if not path.is_file():
        why = f"{VARIABLE} names {path}, which is no file" if named else f"there is no {path}"
        raise TierUnavailable(f"no MicroPython image: {why}; get it with: {FETCH}")
    return path


def have() -> Path | None:
    """The image's file; None if the cache has none, or only an incomplete one.

    Raises TierUnavailable if NIMATRON_IMAGE names anything but a complete image.
    """
    try:
        path = find()
        load(path)
    except TierUnavailable:
        if os.environ.get(VARIABLE):
            raise
        return None
    return path


def cached(
    left_out: Callable[[str], object] = lambda why: None, radio: bool = False
) -> list[tuple[tuple, Path]]:
    """Every complete image in rp2040py's cache that the emulated Pico can run, the oldest first:
    ((1, 26, 1), its file).

    A preview has the number of the release it leads to, and comes before that release; another
    maker's board comes before the Pico.
    radio: those for the Pico W instead of all others, which start sooner.
    left_out(why) is called for each file that is broken, not MicroPython's, or for the RP2350.
    """
    found = []
    for path in sorted(CACHE.expanduser().glob("*.uf2")):
        try:
            *number, preview = _version(path)
            board = bootable(path).board
            if (board is BOARDS["pico-w"]) == radio:
                found.append((tuple(number), not preview, board is not None, path))
        except TierUnavailable as why:
            left_out(str(why))
    return [(number, path) for number, *_, path in sorted(found)]


def version(path: Path | None = None) -> str:
    """The MicroPython version of an image, such as 1.26.1 or 1.29.0-preview.

    Raises TierUnavailable.
    """
    *number, preview = _version(path)
    return ".".join(map(str, number)) + preview


def _version(path):
    found = _VERSION.search(load(path).flash)
    if not found:
        raise TierUnavailable(f"{path} is not MicroPython: it does not say which version it is")
    major, minor, patch, preview = found.groups(b"")
    return int(major), int(minor), int(patch or 0), preview.decode()


def fetch() -> Path:
    """Get the image from the network into the cache, by rp2040py's own command; returns its file.

    Raises TierUnavailable. An incomplete image is deleted.
    """
    if not importlib.util.find_spec("rp2040py"):
        raise extras.missing("rp2040py")
    path = CACHE.expanduser() / NAME
    command = [sys.executable, "-m", "rp2040py", "micropython", "--fetch-fw-only"]
    whole = False
    try:
        path.unlink(missing_ok=True)  # otherwise rp2040py would accept part of an image
        done = subprocess.run([*command, "--image", _RELEASE], capture_output=True, text=True)
        load(path)
        whole = True
    except OSError as failure:
        why = str(failure)
    except TierUnavailable as failure:
        said = (done.stderr or done.stdout).split("\n") if done.returncode else []
        why = next((line.strip() for line in reversed(said) if line.strip()), str(failure))
    finally:
        if not whole:
            path.unlink(missing_ok=True)
    if not whole:
        raise TierUnavailable(
            f"cannot download the MicroPython image ({why}); download {NAME} from {PAGE}"
            f" into {path.parent}"
        )
    return path


def load(path: Path | None = None) -> Image:
    """An image, by default the one that find() finds; raises TierUnavailable."""
    path = path or find()
    try:
        return _read(path, path.stat().st_mtime_ns)
    except OSError as why:
        raise TierUnavailable(f"cannot read {path}: {why.strerror}") from None


def bootable(path: Path | None = None) -> Image:
    """As load(), for an image that the emulated Pico can run."""
    found = load(path)
    if found.family != boards.RP2040:
        raise TierUnavailable(
            f"{path or find()} is for the {found.title}; the emulated Pico has an RP2040: name "
            "an image for the Pico"
        )
    return found


@functools.lru_cache(maxsize=32)  # all of a cache, of 1 MB each
def _read(path: Path, version: int) -> Image:
    try:
        return unpack(path.read_bytes())
    except ValueError as why:
        raise TierUnavailable(
            f"{path} is not a whole image for a Pico: {why}; get one with: {FETCH}"
        ) from None


def unpack(uf2: bytes) -> Image:
    """The image in a UF2 file (https://github.com/microsoft/uf2).

    Raises ValueError unless it is for one chip, an RP2040 or an RP2350, and has all its blocks.
    """
    if not uf2 or len(uf2) % _BLOCK:
        raise ValueError(f"{len(uf2)} bytes, not a multiple of {_BLOCK}")
    first = uf2[:_BLOCK] if len(uf2) > _BLOCK and _family(uf2) == _ABSOLUTE else b""
    uf2 = uf2[len(first) :]
    chip = _family(uf2)
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


def _family(uf2):
    return _HEADER.unpack_from(uf2)[-1]


def with_files(image: Image, files: bytes) -> Image:
    """The image with this file system behind it, erased blocks too: none of an older one remain.

    Raises ValueError if the image reaches into the file system.
    """
    start, _ = image.file_system
    if len(image.flash) > start:
        raise ValueError(
            f"the image takes {len(image.flash)} bytes, but at {start} the file system begins"
        )
    return replace(image, flash=image.flash.ljust(start, b"\xff") + files)


def pack(image: Image) -> bytes:
    """The UF2 file of an image; the inverse of unpack()."""
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
