"""On which MicroPython images a test runs: those in the cache, or the one that NIMATRON_IMAGE
names."""

import os

import pytest

from nimatron_sim import image

MICROPYTHON = "MicroPython on the emulated RP2040"  # a property of a report: the version


def params(ends: bool) -> list:
    """What a test that runs MicroPython is parametrized with: the usual image, or with `ends` the
    oldest and the newest; every image if long tests are asked for."""
    usual = image.have()
    every = [path for _, path in image.cached()]
    if os.environ.get(image.VARIABLE) or usual not in every:
        every = [usual]
    elif not os.environ.get("NIMATRON_LONG"):
        every = sorted({every[0], every[-1]}, key=every.index) if ends else [usual]
    return [pytest.param(path, id=image.version(path) if path else "none") for path in every]
