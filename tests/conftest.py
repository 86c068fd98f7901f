"""What the tests share: a simulated Pico, and an oracle that knows no theory."""

import pytest

from nimatron_sim.pico import SimulatedPico


@pytest.fixture
def pico():
    """A Pico that has just begun its attract show."""
    pico = SimulatedPico()
    pico.settle()
    return pico
