"""The deployable image on a second emulator, npm's rp2040js: the same show, and its gaps."""

import json
import random
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("rp2040py")

import probe_js
from test_emulated import COUNTER, WAVE

import compare
from compare import KINDS, told
from judges.rp2040js import package
from judges.rp2040js.second_pico import trace
from nimatron.devices import pins, registers
from nimatron_host.commands import image
from nimatron_sim import tiers
from nimatron_sim.circuit import Circuit
from nimatron_sim.errors import TierUnavailable, UserError
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_wiring.circuits import breadboard
from pico_testbench.usb import CLOSED
from wokwi_diagram import FILE as DIAGRAM
from wokwi_diagram import Wokwi

pytestmark = pytest.mark.emulator

ROOT = Path(__file__).parents[2]
VISIT = (ROOT / "tests/firmware/visit.txt").read_text()

BUTTON_NAMES = [name for name, _ in pins.BUTTONS]
LINES = (
    "new 3 4 5",
    "take 1 1",
    "hint",
    "status",
    "stats",
    "set think_ms 500",
    "set brightness 30",
    "rule normal",
    "game kayles",
    "nonsense",
)

HANG = """
import machine
import time
machine.WDT(timeout=200)
while True:
    print("cause", machine.reset_cause())
    time.sleep_ms(10)
"""


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
def second(emulated):
    """The class of a Pico on rp2040js."""
    package.node()
    from judges.rp2040js.second_pico import SecondPico

    return SecondPico


@pytest.fixture(scope="module")
def pico(second, micropython):
    """A Pico in its attract show, or wherever the last test left it."""
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


def test_it_shows_2500_frames_a_second(pico):
    assert sum(ns for _, ns in pico.circuit.chip.driven()) == pytest.approx(400_000)


def test_wokwi_project_shows_the_lamps(pico):
    """Its diagram, read on its own, with the pins of a frame on Wokwi's core."""
    wokwi, build = Wokwi(json.loads(DIAGRAM.read_text())), breadboard()
    rows = (1, 3, 5, 7)
    pico.start(*rows)
    shown = set()
    for levels, _ in pico.circuit.chip.driven():
        shown |= {build.part(ref.upper()).role for ref in wokwi.lit(levels)}
    lamps = {f"row {n} lamp {k}" for n, lit in enumerate(rows, 1) for k in range(1, lit + 1)}
    assert shown == lamps | {f"legend {name}" for name in pico.legends}
    for ref, part in wokwi.parts.items():
        if part["type"] == "wokwi-pushbutton":
            assert wokwi.gpio(f"{ref}:1.l") == dict(pins.BUTTONS)[part["attrs"]["label"]]
            assert wokwi.is_grounded(f"{ref}:2.r")


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


@pytest.mark.long("one to two minutes")
def test_both_emulators_tell_the_same_of_any_visit(second, record_property):
    traces = []
    tiers.trace(tiers.EMULATOR, any_visit(random.Random(2)), traces.append)
    traces = [traces, trace(any_visit(random.Random(2)))]
    worst = 0
    for what in KINDS:
        one, other = (told(what, trace) for trace in traces)
        if what == "sound":  # whether a brief silence between two tones is seen is chance
            one, other = ([(ms, tone) for ms, tone in heard if tone] for heard in (one, other))
        assert [value for _, value in one] == [value for _, value in other]
        worst = max([worst, *(abs(a - b) for (a, _), (b, _) in zip(one, other, strict=True))])
    record_property("rp2040js and rp2040py: furthest apart, ms", worst)
    assert worst <= 10  # 5 ms of a minute's waits, or the time to load a module


def any_visit(dice):
    """A script: presses, console lines and power cuts."""
    steps = ["wait 1500"]
    for _ in range(16):
        kind = dice.random()
        if kind < 0.5:
            steps.append(f"tap {dice.choice(BUTTON_NAMES)} {dice.randint(1, 3)}")
        elif kind < 0.6:
            off = dice.randint(10, 400)
            steps += ["power off", f"wait {off}", "power on", "wait 1200"]
        elif kind < 0.9:
            steps.append(f"send {dice.choice(LINES)}")
        else:
            steps.append(f"hold {dice.choice(BUTTON_NAMES)}")
        steps.append(f"wait {dice.randint(0, 1500)}")
    return "\n".join([*steps, "wait 4000"])


def test_a_press_reaches_its_lamp_in_five_milliseconds(pico, record_property):
    took = probe_js.presses(pico, 7)
    assert pico.rows == (0, 7, 7, 7)
    record_property("rp2040js: press to lamp, ms, worst of 7", round(max(took), 2))
    assert max(took) <= 5


def test_the_cpu_sleeps(pico, record_property):
    pico.start(3, 4, 5)
    pico.run(300)
    share = probe_js.busy(pico, 1000)
    record_property("rp2040js: CPU busy, %, waiting for a person", round(share, 2))
    assert 0 < share <= 1


# ---------------------------------------------------------------------- the Pico itself


@pytest.mark.long("a boot or two")
def test_the_watchdog_resets_it(boot):
    pico = boot(HANG)
    pico.run_until(lambda: "cause 1" in pico.lines(), 1000)
    assert pico.ms < 200
    pico.run_until(lambda: "cause 3" in pico.lines(), 1000)
    assert 200 < pico.ms < 300
    assert pico.resets == [3]


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
    pico = boot(WAVE % gpio)
    pico.run(90)
    edges = []
    with pico.circuit.chip.listening((gpio,), lambda gpio, level, ns: edges.append(ns)):
        pico.run(20)
    assert len(edges) == 2000
    off = [ns - edges[0] - 10_000 * number for number, ns in enumerate(edges)]
    assert max(off) - min(off) < 500  # ns: what one instruction of the CPU takes


def test_a_powered_off_pico_leaves_no_process(boot):
    pico = boot(COUNTER)
    pico.run(1)
    node = pico.circuit.chip._node
    assert node.poll() is None
    pico.power_off()
    assert node.poll() is not None


# ---------------------------------------------------------------------- missing features


def test_rp2040js_still_lacks_what_we_bring(second):
    """Each fact has a repair or a part of ours in tests/judges/rp2040js/, which can go when it
    is gone."""
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
    pico = boot(COUNTER)
    with pytest.raises(UserError, match="leaves out an unplugged USB cable"):
        pico.cable = CLOSED


def test_the_docs_name_what_it_leaves_out():
    page = (ROOT / "docs" / "explanation" / "emulators.md").read_text()
    for phrase in package.LEFT_OUT.values():
        assert phrase in " ".join(page.split()).replace("- ", "-")


def test_a_chip_that_fails_is_one_line(boot):
    pico = boot(COUNTER)
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
