"""Tests that depend on the chip run on both chips."""

import pytest

from nimatron_sim.simulated_pico import SimulatedPico
from pico_testbench.boards import PICO

ON_BOTH_CHIPS = (
    "test_appliance.py",
    "test_buttons.py",
    "test_cables_and_hosts.py",
    "test_flight.py",
    "test_lamps.py",
)


def pytest_generate_tests(metafunc):
    if metafunc.definition.path.name in ON_BOTH_CHIPS:
        metafunc.parametrize("usual_board", [PICO, "pico2"], indirect=True)


@pytest.fixture(autouse=True)
def usual_board(request, monkeypatch):
    """Set the board of a simulated Pico, unless the test chooses another."""
    monkeypatch.setattr(SimulatedPico, "usual_board", getattr(request, "param", PICO))
