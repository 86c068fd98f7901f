"""The web tier in node, where a script gives the same trace as on the MicroPython VM."""

import importlib.util
import re
import shutil
from pathlib import Path

import pytest

from happenings import STORIES
from nimatron_sim import backends, firmware, vm
from nimatron_sim.errors import TierUnavailable, UserError
from nimatron_sim.web import web, webassembly

SCRIPTS = Path(__file__).parents[1] / "emulator" / "scripts"
FIRMWARE = Path(__file__).parents[1] / "vm" / "firmware"
RESTART = "\npower off\nwait 700\npower on\n"
MAINTENANCE = """
power off
wait 100
press row1
press new
power on
wait 4000
release row1
release new
wait 6000
send test lamp 2 3
wait 300
send set brightness 40
wait 300
send stats
send \x03
wait 1000
"""
FAILS = """
from nimatron.devices import panel
_show, _pictures = panel.Panel.show, [0]
def show(self, masks):
    _pictures[0] += 1
    if _pictures[0] == 40:
        1 // 0
    _show(self, masks)
panel.Panel.show = show
"""

pytestmark = pytest.mark.vm


@pytest.fixture(autouse=True)
def needed():
    vm.command()
    webassembly.node()
    webassembly.folder()


def told(trace):
    """Return the trace without facts about the Python that runs it: free memory and, in
    tracebacks, the folder of each file and the frames of asyncio."""
    lines = [dict(record) for record in trace]
    for record in lines:
        if "console" in record:
            record["console"] = re.sub(r"\bfree=\d+", "free=", record["console"])
    return [
        record for record in lines if not re.match("  File|\\.\\.\\.", record.get("console", ""))
    ]


def same_trace(script, display="matrix", folder=None, on="pico", compiled=False):
    """Return the trace of a script on both tiers. Fail at their first difference."""
    on_vm = told(vm.trace(script, display=display, folder=folder, on=on))
    on_web = told(web.trace(script, display, on, folder and folder / "main.py", compiled))
    for here, there in zip(on_vm, on_web, strict=False):
        assert here == there
    assert len(on_vm) == len(on_web)
    return [record["console"] for record in on_web if "console" in record]


@pytest.mark.parametrize(
    "display",
    ["matrix", *(pytest.param(one, marks=pytest.mark.long("3 s")) for one in ("shift", "pixels"))],
)
def test_everything_that_can_happen_on_one_power_supply(display):
    script = RESTART.join(script for script, _ in STORIES.values()) + MAINTENANCE
    said = same_trace(script, display)
    for _, line in STORIES.values():
        assert line is None or line in said
    assert any("mode=maintenance" in line for line in said)
    assert said[-1].startswith("stopped. Ctrl-D starts the show")


@pytest.mark.long("5 s: it compiles every module")
def test_compiled_as_on_the_page_it_is_the_same():
    script = RESTART.join(script for script, _ in STORIES.values())
    said = same_trace(script, compiled=True)
    assert sum("event boot" in line for line in said) >= len(STORIES)


def test_a_crash_and_what_follows(tmp_path):
    main = FAILS + (firmware.folder() / "main.py").read_text()
    (tmp_path / "main.py").write_text(main)
    said = same_trace("wait 30000", folder=tmp_path)
    assert "ZeroDivisionError: divide by zero" in said
    assert sum(" why=crash" in line for line in said) >= 2


def test_resets():
    script = "wait 500\nsend r\nwait 2000\nsend and\nwait 3000"
    said = same_trace(script, folder=FIRMWARE / "resets")
    assert sum("cause" in line for line in said) == 5


def test_a_fault_is_an_error(tmp_path):
    main = tmp_path / "main.py"
    main.write_text("from machine import PWM, Pin\nPin(25, Pin.OUT)\nPWM(Pin(25), freq=440)\n")
    with pytest.raises(UserError, match="PinConflict: GP25 is in use"):
        web.trace("wait 1000", main=main)


@pytest.mark.long("half a minute: what visitors of all kinds do, on each display and on a Pico 2")
@pytest.mark.parametrize("name", sorted(path.stem for path in SCRIPTS.glob("*.txt")))
def test_as_on_the_other_tiers(name):
    script = (SCRIPTS / f"{name}.txt").read_text()
    for display in ("matrix", "shift", "pixels"):
        same_trace(script, display)
    same_trace(script, on="pico2")


def test_the_command(nimatron):
    status, out, _ = nimatron("trace", "-", "--on", "web", stdin="wait 300\n")
    assert status == 0
    assert '"console": "event state=attract"' in out


def test_without_node_it_says_what_to_do(nimatron, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    status, _, said = nimatron("trace", "-", "--on", "web", stdin="wait 300\n")
    assert status == 1
    assert "install Node.js" in said and len(said.splitlines()) == 1


def test_without_micropython_it_says_what_to_do(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(TierUnavailable, match=f"Install it: {webassembly.INSTALL}"):
        backends.trace("web", "wait 300", print)


def test_another_micropython_is_noticed(monkeypatch):
    monkeypatch.setitem(webassembly.SHA256, webassembly.BINARY, "0" * 64)
    with pytest.raises(TierUnavailable, match=f"Install it: {webassembly.INSTALL}"):
        webassembly.folder()


def test_the_version_is_the_pinned_one():
    house = Path(__file__).parents[2]
    for file in ("Makefile", "docs/how-to/teacher/publish.md"):
        assert (
            f"--no-deps {webassembly.PACKAGE}=={webassembly.VERSION}" in (house / file).read_text()
        )


def test_a_folder_without_micropython_or_with_one_without_romfs_is_refused(tmp_path):
    with pytest.raises(TierUnavailable, match=r"has no micropython\.mjs"):
        webassembly.folder(tmp_path)
    (tmp_path / webassembly.SCRIPT).write_text("export async function loadMicroPython(options) {}")
    (tmp_path / webassembly.BINARY).write_bytes(b"\0asm")
    with pytest.raises(TierUnavailable, match=r"has no ROMFS, .* MicroPython 1\.28 or newer"):
        webassembly.folder(tmp_path)
