"""What a Pico does without us when a deploy was cut off."""

from pathlib import Path

import pytest

pytest.importorskip("rp2040py")

from nimatron_host.deploy import deploy, on_pico
from nimatron_sim.emulated import flash

pytestmark = [pytest.mark.emulator, pytest.mark.ends]

LIBRARY = Path(on_pico.__file__).read_text()
TEN_MINUTES = 600_000


def heard(pico, ms):
    """What it says in that time."""
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


def test_what_has_arrived_moves_in_at_the_next_start(boot):
    """The new main.py says so, and imports the new module."""
    main = b"import time\nfrom nimatron import a\ntime.sleep(1)\nprint('new', a.A)\n"
    new = {"main.py": main, "nimatron/a.py": b"A = 2\n"}
    todo = deploy.plan({"main.py": "old", "nimatron/a.py": "old", "nimatron/b.py": "old"}, new)
    arrived = todo.send | {
        "nimatron.new/steps": "\n".join("\t".join(step) for step in todo.steps).encode(),
        "nimatron/a.py": b"A = 1\n",
        "nimatron/b.py": b"",
        "settings.json": b"{}",
    }
    pico = boot(deploy.finisher().decode(), files=arrived)
    assert "new 2" in heard(pico, 4000)
    assert len(pico.resets) == 1
    drive = flash.mount(pico.flash)
    there = {
        f"{folder}/{name}".strip("/") for folder, _, names in drive.walk("/") for name in names
    }
    assert there == {*new, "settings.json"}
