"""Deploying with the real mpremote to the real MicroPython, on an emulated RP2040.

A firmware of a few lines stands in for ours, which takes a minute to send and to boot;
`make test-long` deploys ours too.
"""

from pathlib import Path

import pytest
from served import Emulator

from nimatron_host import deploy, device
from nimatron_host.device import DeviceError, Line
from nimatron_sim import firmware

pytestmark = pytest.mark.emulator

TINY = Path(__file__).parent / "tiny" / "main.py"
MODULES = ("nimatron/__init__.py", "nimatron/restart.py", "nimatron/games/nim.py")
BOOTED = "event boot version=0.1.0 mode=exhibit why="


@pytest.fixture(scope="module")
def flash(emulated):
    """The module that makes file systems, where there is an image to boot."""
    from nimatron_sim import flash

    return flash


@pytest.fixture
def tiny(monkeypatch):
    """What is deployed; to be changed by the test."""
    ours = firmware.files()
    files = {"main.py": TINY, **{name: ours[name] for name in MODULES}}
    monkeypatch.setattr(firmware, "files", lambda: files)
    return files


@pytest.fixture
def pico(flash, tmp_path):
    """A Pico that can lose power; there is something of the owner's on its flash."""
    settings = tmp_path / "settings.json"
    settings.write_text("{}")
    pico = Pico(flash, tmp_path / "flash.img")
    pico.file.write_bytes(flash.build({"settings.json": settings}))
    pico.on()
    yield pico
    pico.emulator.kill()


class Pico:
    def __init__(self, flash, file):
        self._flash = flash
        self.file = file

    def on(self):
        self.emulator = Emulator("--tcp", "0", "--flash", str(self.file))
        self.port = self.emulator.port

    def files(self):
        """What is on its flash, folders included."""
        drive = self._flash.mount(self.file.read_bytes())
        return {
            f"{folder}/{name}".strip("/")
            for folder, folders, names in drive.walk("/")
            for name in [*folders, *names]
        }


def compiled(files):
    return {name if name == "main.py" else name.replace(".py", ".mpy") for name in files}


def test_from_an_empty_pico_to_an_exhibit_and_again(nimatron, pico, tiny, monkeypatch):
    monkeypatch.setattr(device, "HELLO_S", 2)  # after the first attempt nobody answers
    said = []

    def lose_patience(line):
        said.append(line)
        if "[2/4]" in line:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        deploy.deploy(pico.port, say=lose_patience)
    status, out, error = nimatron("deploy", pico.port)
    assert (status, error) == (0, "")
    assert "Raspberry Pi Pico with RP2040, MicroPython 1.26.1" in out
    assert "[2/2] nimatron/restart.mpy" in out and "[2/3]" not in out
    assert out.endswith(BOOTED + "deploy\n")
    here = {"settings.json", "nimatron", "nimatron/games"} | compiled(tiny)
    assert pico.files() == here

    status, out, _ = nimatron("deploy", pico.port)
    assert status == 0
    assert "nothing to send: all 4 files are there" in out
    assert out.endswith(BOOTED + "deploy\n")


@pytest.mark.long("half a minute")
def test_a_power_cut_leaves_the_old_firmware_at_work(flash, nimatron, pico, tiny, tmp_path):
    pico.emulator.kill()
    stale = tmp_path / "stale.py"
    stale.write_text("VERSION = 'none'\n")
    there = {**tiny, "nimatron/notes.txt": stale, "statistics.json": stale}
    pico.file.write_bytes(flash.build(there))
    pico.on()
    with Line(pico.port) as line:
        assert line.booted() == BOOTED + "power-on"
    del tiny["nimatron/games/nim.py"]
    tiny["nimatron/dice.py"] = tiny["nimatron/d.py"] = firmware.folder() / "nimatron" / "dice.py"

    def cut(line):
        if "[1/2]" in line:
            pico.emulator.kill()

    with pytest.raises(DeviceError, match="has gone in the middle; plug the Pico in and run this"):
        deploy.deploy(pico.port, say=cut)
    pico.on()
    with Line(pico.port) as line:
        assert line.booted() == BOOTED + "power-on"
    status, out, _ = nimatron("deploy", pico.port)
    assert status == 0
    assert "[1/1] nimatron/dice.mpy" in out, "the other one has arrived"
    assert "removed nimatron/games/nim.mpy" in out and "removed nimatron/notes.txt" in out
    assert pico.files() == {"statistics.json", "nimatron"} | compiled(tiny)


def test_it_puts_there_what_the_other_tests_boot(flash):
    drive = flash.mount(flash.build(firmware.files()))
    for name, content in deploy.contents(firmware.files(), 4870).items():
        with drive.open(name, "rb") as file:
            assert file.read() == content


@pytest.mark.long("two minutes")
def test_our_own_firmware(nimatron, pico):
    status, out, error = nimatron("deploy", pico.port)
    assert (status, error) == (0, "")
    assert out.endswith(BOOTED + "deploy\n")
    status, out, error = nimatron("deploy", pico.port)
    assert (status, error) == (0, "")
    assert "nothing to send" in out
