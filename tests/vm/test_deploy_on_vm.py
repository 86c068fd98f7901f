"""A deploy on the Pico, on a real littlefs, with a power cut in the middle of each write, and with
each number of free blocks."""

import hashlib
import json
from pathlib import Path

import pytest

from nimatron_host.deploy import deploy, on_pico
from nimatron_sim import firmware, vm

pytestmark = [pytest.mark.vm, pytest.mark.usefixtures("vm_command")]

OWNERS = {"settings.json": "{}", "notes.txt": "mine"}
OLD = {
    "main.py": "nimatron.old()",
    "nimatron/a.mpy": "a" * 3000,
    "nimatron/b.py": "b",
    "nimatron/g/c.mpy": "c",
}
NEW = {
    "main.py": "nimatron.new()",
    "nimatron/a.mpy": "A" * 9000,
    "nimatron/b.mpy": "B" * 2000,
    "nimatron/t/d.mpy": "d" * 5000,
}


def arrived():
    """Return the files after everything has arrived and the cable was pulled."""
    return OLD | {f"nimatron.new/{name}": text for name, text in NEW.items()}


def planned(there):
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in there.items()}
    return deploy.plan(digests, {name: text.encode() for name, text in NEW.items()})


AGAIN = pytest.param(arrived, id="again", marks=pytest.mark.long("3 s"))


@pytest.fixture(scope="module", params=[pytest.param(lambda: OLD, id="first"), AGAIN])
def tried(request):
    there = request.param()
    given = {
        "there": OWNERS | there,
        "library": Path(on_pico.__file__).read_text(),
        "scripts": [deploy.LOOK, *deploy.scripts(planned(there))],
        "boot": (firmware.folder() / "nimatron_boot.py").read_text(),
    }
    printed = vm.run(
        "-c",
        "import deployed; deployed.main()",
        given=json.dumps(given),
        folder=Path(__file__).parent / "on_vm",
    )
    # The rest comes from files that were open at the power cut, closed by garbage collection.
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


def package(files):
    return {name: files[name] for name in files if name.startswith("nimatron/")}


def test_power_cut_at_any_write_leaves_the_old_firmware_or_the_new_one(tried):
    cuts = [one["files"] for one in tried if "cut" in one]
    assert len(cuts) > 10
    for files in cuts:
        assert package(files) in (package(OLD), package(NEW))
        assert files["main.py"] in (OLD["main.py"], NEW["main.py"])
        assert {name: files[name] for name in OWNERS} == OWNERS
    assert package(cuts[0]) == package(OLD) and cuts[-1] == OWNERS | NEW


def test_a_flash_that_is_too_full_keeps_its_firmware_and_room_to_save(tried):
    full = [one for one in tried if "was" in one]
    assert {one["failed"] for one in full} == {"None", "OSError(28,)"}
    for one in full:
        assert one["files"] == OWNERS | (NEW if one["failed"] == "None" else OLD)
        assert one["failed"] == "None" or one["free"] >= one["was"]
