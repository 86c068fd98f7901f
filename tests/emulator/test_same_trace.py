"""The same script shows a person the same on the simulated Pico, on the MicroPython VM and on the
emulated RP2040."""

import pytest

from compare import KINDS, assert_same
from nimatron_sim import tiers
from nimatron_sim.errors import TierUnavailable
from nimatron_sim.vm import vm

pytestmark = pytest.mark.emulator

BOOTED_MS = 1500  # every tier has, by then
CALM_MS = 300  # after `new`, so that a story begins in silence

# Each leaves a match that waits for the player. One console line at a time: to answer it takes a
# Pico up to 50 ms. The turns of the machine are in test_firmware.py: they cost seconds each.
STORIES = {
    "buttons": """
        send new 3 1
        wait 200
        tap go        # refused
        wait 300      # the tunes do not meet: on a Pico there is a breath between two tones
        tap row4      # refused
        wait 300
        tap row1
        tap row2      # gives it back
        tap row1
        wait 100
        """,
    "console": """
        send new 2 3
        wait 200
        send hint
        wait 100
        send take 9 9
        wait 100
        send nonsense
        wait 100
        send press row2
        wait 100
        """,
    "crowd": """
        send new 7 7 7 7
        wait 200
        press row1
        press row2
        press row3
        press row4
        wait 100
        release row1
        release row2
        release row3
        release row4
        wait 50
        tap row4
        wait 100
        """,
}


def rebased(trace, begin):
    return [dict(record, ms=record["ms"] - begin) for record in trace if record["ms"] >= begin]


def trace_on(tier, script):
    trace = []
    tiers.trace(tier, f"wait {BOOTED_MS}\nsend new 1 2\nwait {CALM_MS}\n{script}", trace.append)
    return rebased(trace, BOOTED_MS + CALM_MS)


@pytest.fixture(scope="module", params=STORIES)
def story(request, pico):
    """(script, its trace on the emulated Pico)."""
    pico.settle()
    pico.start(1, 2)
    pico.run(CALM_MS)
    begin, before = pico.ms, len(pico.trace)
    pico.play(STORIES[request.param])
    return STORIES[request.param], rebased(pico.trace[before:], begin)


@pytest.mark.parametrize("what", KINDS)
def test_as_on_the_simulated_pico(story, what):
    script, trace = story
    assert_same(what, trace_on("sim", script), trace)


def test_as_on_the_vm(story):
    try:
        vm.command()
    except TierUnavailable as why:
        pytest.skip(str(why))
    script, trace = story
    on_vm = trace_on("vm", script)
    for what in KINDS:
        assert_same(what, on_vm, trace)
