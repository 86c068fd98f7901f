"""What the tests on the MicroPython VM share: they are skipped where there is none."""

import pytest

from nimatron_sim.errors import TierUnavailable
from nimatron_sim.vm import vm


@pytest.fixture
def vm_command():
    try:
        return vm.command()
    except TierUnavailable as why:
        pytest.skip(str(why))
