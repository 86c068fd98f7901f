"""What the tests on the MicroPython VM share: they are skipped where none exists."""

import pytest

from nimatron_sim.vm import vm


@pytest.fixture
def vm_command():
    return vm.command()
