"""The same script shows a person the same on the simulated Pico, on the MicroPython VM and on the
emulated RP2040."""

import pytest

from compare import KINDS, assert_same
from stories import CALM_MS, STORIES, rebased, trace_on

pytestmark = pytest.mark.emulator


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
    script, trace = story
    on_vm = trace_on("vm", script)
    for what in KINDS:
        assert_same(what, on_vm, trace)
