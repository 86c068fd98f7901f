"""The MicroPython images for tests: all in the cache, or the image in NIMATRON_IMAGE."""

import os
from functools import cache

import pytest
from long_run import LONG

from nimatron_sim.emulated import bootable_image
from nimatron_sim.errors import TierUnavailable
from pico_testbench.models import BOARDS

MICROPYTHON = "MicroPython on the emulated RP2040"  # a property of a report: the version


def params(definition) -> list:
    """Return the parameters of a test that runs MicroPython: the usual image, or, with the `ends`
    mark, the oldest and the newest image.

    In a long run, `ends` and `condition` mean every image, and all other tests run on all three. A
    long test runs on the usual image, or with `ends` on all three. All long tests on each image
    would take an hour or more. `NIMATRON_IMAGE=FILE make test-long` runs them on one image, and
    `make marathon` runs its test on each image.
    """
    ends, long = (definition.get_closest_marker(name) for name in ("ends", "long"))
    condition = definition.get_closest_marker("condition")
    usual = bootable_image.have()
    every = _newest_of_each()
    if os.environ.get(bootable_image.VARIABLE) or usual not in every:
        some = [usual]
    elif os.environ.get("NIMATRON_MARATHON"):
        some = every
    elif LONG and (condition or (ends and not long)):
        some = [usual, *(path for _, path in cached())]
    elif LONG and (ends or not long):
        some = [usual, every[0], every[-1]]
    elif ends:
        some = [every[0], every[-1]]
    else:
        some = [usual]
    some = dict.fromkeys(some)
    return [
        pytest.param(path, id=bootable_image.version(path) if path else "none") for path in some
    ]


def some() -> list:
    """Return the images from which a test may choose: all images in a long run, otherwise the
    usual image, if it exists."""
    usual = bootable_image.have()
    every = _newest_of_each()
    alone = os.environ.get(bootable_image.VARIABLE) or usual not in every
    if LONG and not alone:
        return every
    return [usual] if usual else []


def cached(left_out=lambda why: None, radio=False):
    """Return [((1, 26, 1), path), ...] for every complete image in rp2040py's cache that the
    emulated Pico can run, the oldest first, with a preview before its release, and another maker's
    board before the Pico. If `radio` is true, return the images for the Pico W instead.
    left_out(why) is called for each other file."""
    found = []
    for path in sorted(bootable_image.CACHE.expanduser().glob("*.uf2")):
        try:
            number, _, preview = bootable_image.version(path).partition("-")
            board = bootable_image.bootable(path).board
            if (board is BOARDS["pico-w"]) == radio:
                version = tuple(map(int, number.split(".")))
                found.append((version, not preview, board is not None, path))
        except TierUnavailable as why:
            left_out(str(why))
    return [(number, path) for number, *_, path in sorted(found)]


@cache
def _newest_of_each():
    """Return the newest release of each minor version, and a preview if nothing is newer."""
    every = [path for _, path in cached()]
    releases = {
        _minor(path): path for path in every if "preview" not in bootable_image.version(path)
    }
    return [path for path in every if path in releases.values() or path == every[-1]]


def _minor(path):
    return bootable_image.version(path).rpartition(".")[0]
