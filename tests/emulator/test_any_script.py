"""Any script gives the same lamps and sounds on the simulated Pico, on the MicroPython VM and on
both emulators of the RP2040. The scripts are from seeded visitors (see written.py) and from
scripts/.

A quick run compares the first steps, which have every kind of record, and on rp2040js a short
visit. A long run compares each *.txt in scripts/. Two omissions of rp2040js (see
judges/rp2040js/package.py) matter for scripts. Random bits are constant, so a script sends `seed`
after each power-on. Fall times are missing, so `health` never knows the wires of the lamps.
"""

import json
from pathlib import Path

import pytest
from long_run import LONG

import compare
import images
from judges.rp2040js import second_pico
from nimatron.board import BUTTONS
from nimatron_sim import backends, script
from nimatron_sim.emulated import bootable_image
from nimatron_sim.errors import TierUnavailable
from written import written

pytestmark = pytest.mark.emulator

JUDGE = "rp2040js"
TIERS = backends.VM, backends.EMULATOR, JUDGE
MINUTE_MS = 60_000
# Visitors come for a minute, and the last of them may stay longer: see test_more_than_an_hour.
# Two are missing: in scripts 10 and 32, a long press is due when another button is pressed or its
# own is released, and one refusal hides the other.
MOST = [*range(1, 10), *range(11, 32), *range(33, 40)]
SECOND_OPINION = 4  # rp2040js gets each fourth number


def long(*what):
    """Return the parameters of a test that runs only in a long run."""
    return pytest.param(*what, marks=pytest.mark.long("20 CPU seconds"))


def assert_same_everywhere(name, text, tmp_path, others=TIERS):
    """Fail with the first difference, and with the command that shows it again."""
    file = tmp_path / f"{name}.txt"
    file.write_text(text)
    expected, missing = traced(backends.SIM, text), []
    for tier in others:
        try:
            seen = traced(tier, text)
        except TierUnavailable as why:
            missing.append(str(why))
            continue
        wanted = without_fall_times(expected) if tier == JUDGE else expected
        again = f"on {tier}. To see what was expected: nimatron trace {file}"
        parted = compare.difference(text, wanted, seen)
        if parted:
            pytest.fail(f"{again}\n{parted[1]}", pytrace=False)
        if tier == backends.VM:
            assert compare.shared(seen) == compare.shared(expected), again  # the same clock
    if missing:
        raise TierUnavailable("; ".join(missing))


def traced(tier, text):
    if tier == JUDGE:
        return second_pico.trace(text)
    trace = []
    backends.trace(tier, text, trace.append)
    return trace


def without_fall_times(trace):
    """Return the trace of a Pico that cannot measure the wires of its lamps."""
    return json.loads(json.dumps(trace).replace(" lamps=ok ", " lamps=unknown "))


def length_ms(text):
    return script.timeline(text, BUTTONS)[1]


@pytest.mark.parametrize("seed", [long(n) for n in MOST])
def test_seeded_visitors_see_the_same(seed, tmp_path, monkeypatch, record_property):
    some = images.some()
    if some:
        file = some[seed % len(some)]
        monkeypatch.setenv(bootable_image.VARIABLE, str(file))
        record_property(images.MICROPYTHON, bootable_image.version(file))
    others = TIERS if seed % SECOND_OPINION == 1 else TIERS[:-1]
    assert_same_everywhere(f"visitors-{seed}", written(seed, MINUTE_MS), tmp_path, others)


@pytest.mark.long("a CPU minute")
def test_more_than_an_hour():
    """The visitors take more than an hour on each tier, and a quarter of an hour on rp2040js."""
    assert sum([length_ms(written(seed, MINUTE_MS)) for seed in MOST]) >= 60 * MINUTE_MS


SCRIPTS = Path(__file__).parent / "scripts"
SHORT = SCRIPTS / "first-steps.txt"
VISIT = SCRIPTS.parents[1] / "firmware" / "visit.txt"
QUICK = {SHORT: (backends.VM, backends.EMULATOR), VISIT: (JUDGE,)}
OTHERS = sorted({*SCRIPTS.glob("*.txt")} - {SHORT})


@pytest.mark.parametrize("file", [*QUICK, *map(long, OTHERS)], ids=lambda file: file.stem)
def test_each_script_shows_the_same(file, tmp_path):
    others = TIERS if LONG else QUICK[file]
    assert_same_everywhere(file.stem, file.read_text(), tmp_path, others)
