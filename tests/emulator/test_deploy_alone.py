"""A Pico on its own after an interrupted deploy."""

from pathlib import Path

import pytest

pytest.importorskip("rp2040py")

from nimatron_host.deploy import on_pico
from nimatron_sim import firmware
from nimatron_sim.emulated import pico_flash

pytestmark = [
    pytest.mark.emulator,
    pytest.mark.ends,
    pytest.mark.condition("after an interrupted deploy, the Pico returns without a PC"),
]

LIBRARY = Path(on_pico.__file__).read_text()
TEN_MINUTES = 600_000


def heard(pico, ms):
    """Return the Pico's output in this time."""
    said = bytearray()
    pico.on_sent = said.extend
    pico.run(ms)
    return said.decode()


@pytest.mark.sampled("1.3 s each")
def test_it_starts_over_after_ten_minutes(boot):
    pico = boot(LIBRARY + "come_back()\ncome_back()\nimport gc\ngc.collect()\n")
    pico.run(TEN_MINUTES - 1000)
    assert not pico.resets
    pico.run(2000)
    assert len(pico.resets) == 1


READY = {"nimatron.ready/app.py": b"def run(salvaged):\n    print('new')\n"}
OLD = {"nimatron/app.py": b"def run(salvaged):\n    print('old')\n"}


def installed(app):
    ours = firmware.files()
    rest = ("__init__", "devices/__init__", "devices/registers", "devices/restart")
    here = next(iter(app)).partition("/")[0]
    return app | {f"{here}/{name}.py": ours[f"nimatron/{name}.py"] for name in rest}


def test_new_firmware_moves_in_at_the_next_start(emulated, micropython):
    """New firmware also moves in after a power cut between the two steps."""
    boot = {name: firmware.files()[name] for name in ("main.py", "nimatron_boot.py")}
    for there in ({}, installed(OLD)), ({**installed({"nimatron.old/app.py": b""})},):
        files = boot | {"settings.json": b"{}"} | installed(READY)
        for part in there:
            files |= part
        pico = emulated.EmulatedPico(files=files, image=micropython, source=True)
        pico.darkness.may_be_dark = True
        assert "new" in heard(pico, 2000)
        names = {name.partition("/")[0] for name in pico_flash.mount(pico.flash).listdir("/")}
        assert names == {
            "main.py",
            "nimatron_boot.py",
            "settings.json",
            "nimatron",
            *["nimatron.old"] * bool(there[-1]),
        }
