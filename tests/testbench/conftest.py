"""The `pico` fixture from pico_testbench, not from Nimatron."""

import pytest

from pico_testbench import micropython_image
from pico_testbench.board import Board
from pico_testbench.plugin import pico

__all__ = ("pico",)
_HEAD = "import time\nfrom machine import ADC, I2C, PWM, SPI, Pin, SoftI2C, time_pulse_us\n"
_REST = "\ntime.sleep(3600)\n"


@pytest.fixture(autouse=True)
def without_other_plugins(monkeypatch):
    """Keep a pytest that a test starts from loading other plugins, which take 0.2 s each."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


@pytest.fixture(scope="session")
def image_of_the_pico():
    return micropython_image.find("pico")


@pytest.fixture
def board(request):
    """Return board(program, parts), for a Pico that has run a program for 100 ms. The program need
    not import the usual modules, and rests at its end."""

    def board(program, parts=None, **how):
        made = Board({"main.py": _HEAD + program + _REST}, parts, **how)
        request.addfinalizer(made.power_off)
        made.run(ms=100)
        return made

    return board
