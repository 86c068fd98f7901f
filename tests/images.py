"""On which MicroPython images a test runs: those in the cache, or the one that NIMATRON_IMAGE
names."""

import os

import pytest

from nimatron_sim import image

MICROPYTHON = "MicroPython on the emulated RP2040"  # a property of a report: the version


def params(ends: bool) -> list:
    """What a test that runs MicroPython is parametrized with: every image, as a long test unless
    it is the usual one or, with `ends`, the oldest or the newest."""
    usual = [image.have()]
    every = [path for _, path in image.cached()]
    if os.environ.get(image.VARIABLE) or usual[0] not in every:
        every = usual
    if ends:
        usual = [every[0], every[-1]]
    return [_param(path, path not in usual) for path in every]


def _param(path, is_long):
    version = image.version(path) if path else "no image"
    marks = pytest.mark.long(f"on MicroPython {version}") if is_long else ()
    return pytest.param(path, id=version, marks=marks)
