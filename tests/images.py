"""On which MicroPython images a test runs: those in the cache, or the one that NIMATRON_IMAGE
names."""

import os

import pytest

from nimatron_sim import image

MICROPYTHON = "MicroPython on the emulated RP2040"  # a property of a report: the version


def params(definition) -> list:
    """What a test that runs MicroPython is parametrized with: the usual image, or with the mark
    `ends` the oldest and the newest; if long tests are asked for every image, except with the mark
    `once`."""
    usual = image.have()
    every = _newest_of_each()
    if os.environ.get(image.VARIABLE) or usual not in every:
        chosen = [usual]
    elif os.environ.get("NIMATRON_LONG") and not definition.get_closest_marker("once"):
        chosen = every
    elif definition.get_closest_marker("ends"):
        chosen = sorted({every[0], every[-1]}, key=every.index)
    else:
        chosen = [usual]
    return [pytest.param(path, id=image.version(path) if path else "none") for path in chosen]


def _newest_of_each():
    """Of each minor version the newest release, and a preview if nothing is newer."""
    every = [path for _, path in image.cached()]
    releases = {_minor(path): path for path in every if "preview" not in image.version(path)}
    return [path for path in every if path in releases.values() or path == every[-1]]


def _minor(path):
    return image.version(path).rpartition(".")[0]
