"""A flash that MicroPython has formatted. The box is dark and accepts a deploy or, with the
firmware in the image, plays its show."""

import os
from pathlib import Path

import pytest

pytest.importorskip("rp2040py")

import probe

from nimatron_host.deploy import deploy
from nimatron_sim import firmware
from nimatron_sim.emulated import bootable_image, pico_flash
from nimatron_sim.emulated.emulated_pico import EmulatedPico

pytestmark = pytest.mark.emulator

VARIABLE = "NIMATRON_FROZEN_IMAGE"
SUPERBLOCKS = (0x14, 4096 + 0x14)  # a byte in each of the two blocks a file system begins with


@pytest.fixture
def image_file():
    named = os.environ.get(VARIABLE)
    if not named:
        pytest.skip(f"{VARIABLE} names no MicroPython image built with firmware/manifest.py")
    return Path(named)


@pytest.fixture
def frozen(image_file):
    """Return frozen(flash), which returns a Pico whose image contains the firmware."""
    return lambda content: EmulatedPico(image=image_file, flash=content)


def erased():
    return b"\xff" * pico_flash.SIZE


def damaged():
    """Return the firmware as deployed, in a file system that cannot be mounted."""
    content = bytearray(pico_flash.build(firmware.files()))
    for at in SUPERBLOCKS:
        content[at] ^= 0x10
    return bytes(content)


def half_deployed():
    """Return a flash without main.py and some modules."""
    files = firmware.files()
    del files["main.py"], files["nimatron/devices/storage.py"]
    return pico_flash.build(files)


def cut_off():
    """Return a flash without some modules, which main.py must still move in."""
    files = {name: file.read_bytes() for name, file in firmware.files().items()}
    moved = ["nimatron/devices/storage.py", "main.py"]
    files |= {f"nimatron.new/{name}": files.pop(name) for name in moved}
    steps = [f"move\tnimatron.new/{name}\t{name}" for name in moved]
    files["nimatron.new/steps"] = "\n".join([*steps, "remove\tnimatron.new/steps"]).encode()
    files["nimatron/__init__.py"] = files["nimatron/__init__.py"].replace(b'"0.1', b'"9.1')
    return pico_flash.build({**files, "main.py": deploy.finisher()})


def attract_ms(pico):
    pico.settle()
    return next(r["ms"] for r in pico.trace if r.get("console") == "event state=attract")


# ---------------------------------------------------------------------- as deployed


def test_formatted_it_is_dark_and_listens(emulated):
    pico = emulated.EmulatedPico(flash=damaged())
    pico.run(1500)
    assert probe.files(pico.flash) == {}
    assert pico.lamps == [0, 0, 0, 0]
    pico.send_bytes(b"print(6 * 7)\r")
    pico.run(100)
    assert pico.lines()[-1] == "42"


# ---------------------------------------------------------------------- frozen/main.py


@pytest.mark.sampled("a second each")
@pytest.mark.parametrize(
    ("main", "ran"),
    [
        (b"where = 'flash'", "flash"),
        (None, "image"),
        (b"where = 'flash", "image"),
        (b"\xff", "image"),
    ],
)
def test_a_sound_main_on_flash_is_the_one_that_runs(emulated, main, ran):
    launcher = (firmware.folder() / "frozen" / "main.py").read_text()
    launcher = launcher.replace("/main.py", "/flash.py")  # an image of MicroPython only
    launcher = launcher.replace("from firmware import main", "where = 'image'")
    files = {"main.py": launcher.encode()}
    if main is not None:
        files["flash.py"] = main
    pico = emulated.EmulatedPico(files=files)
    pico.run(200)
    pico.send_bytes(b"print(where, sys.path[0])\r")
    pico.run(100)
    assert pico.lines()[-1].split() == [ran, *[".frozen"] * (ran == "image")]


# ---------------------------------------------------------------------- frozen


@pytest.mark.parametrize("content", [erased, damaged, half_deployed])
def test_frozen_firmware_plays_with_any_flash(frozen, content):
    assert probe.plays(frozen(content()))


def test_setting_survives_a_restart(frozen):
    pico = frozen(erased())
    pico.settle()
    pico.ask("level easy")
    pico.power_off()
    pico.power_on()
    pico.settle()
    assert "level=easy" in pico.ask("status")


def test_hang_is_logged_with_its_cause(frozen):
    pico = frozen(erased())
    assert probe.plays(pico)
    probe.freeze(pico)
    pico.run_until(lambda: pico.state == "attract", 10_000)
    assert "flight=hang" in pico.ask("log dump")


def test_deployed_firmware_replaces_the_frozen_one(frozen, mistaken):
    pico = frozen(
        pico_flash.build(mistaken("nimatron/__init__.py", 'VERSION = "', 'VERSION = "9.'))
    )
    assert probe.plays(pico)
    assert "version=9." in pico.ask("version")


def test_a_deploy_that_was_cut_off_is_finished(frozen):
    pico = frozen(cut_off())
    pico.run_until(lambda: pico.resets, 5000)
    assert probe.plays(pico)
    assert "version=9.1" in pico.ask("version")
    assert not any(name.startswith("nimatron.new") for name in probe.files(pico.flash))


def test_it_leaves_the_file_system_its_place(image_file):
    assert len(bootable_image.load(image_file).flash) <= pico_flash.START


def test_it_starts_sooner_and_leaves_more_heap(frozen, record_property):
    without, deployed = frozen(erased()), frozen(pico_flash.build(firmware.files()))
    ms, deployed_ms = attract_ms(without), attract_ms(deployed)
    heap, deployed_heap = probe.collect(without), probe.collect(deployed)
    record_property("frozen", f"{ms} ms to attract and {heap:,} bytes of heap free")
    record_property("deployed", f"{deployed_ms} ms and {deployed_heap:,} bytes")
    assert ms < deployed_ms / 2
    assert heap > deployed_heap + 30_000
