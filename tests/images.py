"""On which MicroPython images a test runs: those in the cache, or the one that NIMATRON_IMAGE
names."""

import os

import pytest

from nimatron_sim import image

MICROPYTHON = "MicroPython on the emulated RP2040"  # a property of a report: the version


def params(ends: bool, long: bool) -> list:
    """What a test that runs MicroPython is parametrized with: the usual image, or with `ends` the
    oldest and the newest. If long tests are asked for, `ends` means every image, and the others
    have all three; a long test has the usual one, with `ends` all three. All of them on each image
    would take an hour or more; NIMATRON_IMAGE=FILE make test-long runs them on that one."""
    usual = image.have()
    every = [path for _, path in image.cached()]
    if os.environ.get(image.VARIABLE) or usual not in every:
        some = [usual]
    elif not os.environ.get("NIMATRON_LONG"):
        some = [every[0], every[-1]] if ends else [usual]
    elif ends and not long:
        some = [usual, *every]
    else:
        some = [usual] if long and not ends else [usual, every[0], every[-1]]
    some = dict.fromkeys(some)
    return [pytest.param(path, id=image.version(path) if path else "none") for path in some]
