"""The `pico` fixture from pico_testbench, not from Nimatron."""

import pytest

from pico_testbench import micropython_image
from pico_testbench.plugin import pico

__all__ = ("pico",)


@pytest.fixture(autouse=True)
def without_other_plugins(monkeypatch):
    """Keep a pytest that a test starts from loading other plugins, which take 0.2 s each."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


@pytest.fixture(scope="session")
def image_of_the_pico():
    return micropython_image.find("pico")
