"""Tests of what differs between the chips run on both chips."""

import pytest

from nimatron_sim.simulated_pico import SimulatedPico
from pico_testbench.models import PICO


def pytest_generate_tests(metafunc):
    if metafunc.definition.get_closest_marker("both_chips"):
        metafunc.parametrize("usual_board", [PICO, "pico2"], indirect=True)


@pytest.fixture(autouse=True)
def usual_board(request, monkeypatch):
    """Set the board of a simulated Pico, unless the test chooses another."""
    monkeypatch.setattr(SimulatedPico, "usual_board", getattr(request, "param", PICO))
