"""On which MicroPython images a test runs: those in the cache, or the one that NIMATRON_IMAGE
names."""

import os

import pytest

from nimatron_sim import image

MICROPYTHON = "MicroPython on the emulated RP2040"  # a property of a report: the version


def params(ends: bool, long: bool) -> list:
    """What a test that runs MicroPython is parametrized with: the usual image, or with `ends` the
    oldest and the newest. If long tests are asked for, `ends` means every image, and all but the
    long ones run on the usual image and on both ends: all of them on all images would take hours;
    NIMATRON_IMAGE=FILE make test-long runs them on that one."""
    usual = image.have()
    every = [path for _, path in image.cached()]
    if os.environ.get(image.VARIABLE) or usual not in every:
        some = [usual]
    elif os.environ.get("NIMATRON_LONG"):
        some = every if ends else [usual] if long else [usual, every[0], every[-1]]
    else:
        some = [every[0], every[-1]] if ends else [usual]
    some = sorted(set(some), key=lambda path: (path != usual, some.index(path)))
    return [pytest.param(path, id=image.version(path) if path else "none") for path in some]
