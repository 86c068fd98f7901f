"""Settings of the tests on the MicroPython VM, which are skipped if no VM is installed."""

import pytest

from nimatron_sim import vm


@pytest.fixture
def vm_command():
    return vm.command()
