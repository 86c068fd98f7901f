"""Real contacts: they bounce, stick and pick up noise, and two are pressed at once."""

from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from nimatron.devices import pins
from nimatron.settings import TABLE
from nimatron_sim.cabinet import Circuit
from nimatron_sim.simulated_pico import SimulatedPico

SPIKE_MS = 1  # a shorter pulse does not count
SETTING = {name: default for name, default, _ in TABLE}


def start(*rows, **circuit):
    pico = SimulatedPico(Circuit(**circuit))
    pico.start(*rows)
    return pico


@pytest.mark.parametrize("bounce_ms", [0, 1, 3, 10, 20])
@pytest.mark.parametrize("seed", range(5))
def test_a_bouncing_contact_counts_once(bounce_ms, seed):
    pico = start(7, 7, bounce_ms=bounce_ms, seed=seed)
    pico.tap("row1", 5)
    assert pico.rows == (2, 7, 0, 0)


def test_chatter_exists_at_the_pin():
    circuit = Circuit(bounce_ms=10)
    moments = circuit.bounce.moments()
    assert len(moments) >= 6 and len(moments) % 2 == 0
    assert moments == sorted(moments) and moments[-1] <= 10_000


@pytest.mark.parametrize("seed", range(10))
def test_a_press_lights_out_within_5_ms_of_its_first_edge(seed):
    pico = start(7, bounce_ms=5, seed=seed)
    pico.run(seed * 7.31)
    pico.press("row1")
    pico.run(5)
    assert pico.rows == (6, 0, 0, 0)


@pytest.mark.parametrize("width_us", [1, 50, 300, 900, 999])
@pytest.mark.parametrize("phase_us", range(0, 1000, 170))
def test_a_spike_of_less_than_a_millisecond_is_noise(width_us, phase_us):
    pico = start(7)
    pico.run(10 + phase_us / 1000)
    pico.circuit.set_contact("row1", True)
    pico.run(width_us / 1000)
    pico.circuit.set_contact("row1", False)
    pico.run(200)
    assert pico.rows == (7, 0, 0, 0)


def test_spike_while_another_button_settles_is_noise():
    pico = start(7, 7)
    pico.tap("row2")
    for _ in range(20):
        pico.press("row2")
        pico.run(80)
        pico.release("row2")
        pico.run(3.3)
        pico.circuit.set_contact("row1", True)
        pico.run(0.9)
        pico.circuit.set_contact("row1", False)
        pico.run(100)
    assert pico.rows[0] == 7


def test_a_stuck_button_is_reported_once_and_ignored_until_released(pico):
    pico.start(7, 7)
    pico.press("row1")
    pico.run(10)
    assert pico.rows == (6, 7, 0, 0)
    pico.lines()
    pico.run(29_000)
    assert pico.lines() == []
    pico.run(5_000)
    assert pico.lines() == ["event button=row1 contact=stuck"]
    pico.tap("row2")
    assert pico.rows == (7, 6, 0, 0)
    pico.release("row1")
    pico.run(100)
    assert "event button=row1 contact=free" in pico.lines()
    pico.tap("row1")
    assert pico.rows == (6, 7, 0, 0)


BUTTONS_ALONE = """
import asyncio
from nimatron.devices.buttons import Buttons
from nimatron import settings

async def main():
    buttons = Buttons(settings.defaults(), print, lambda name: None, lambda name: None, print)
    asyncio.create_task(buttons.run())
    while True:
        await asyncio.sleep_ms(3_600_000)
        buttons.check()

asyncio.run(main())
"""


def test_a_button_stuck_for_ten_days_works_at_once_when_it_is_free(program):
    """A press longer than half of the tick counter's range."""
    pico = program(BUTTONS_ALONE)
    pico.press("row1")
    pico.run(10 * 24 * 3_600_000)
    pico.release("row1")
    pico.run(100)
    pico.tap("row1")
    assert pico.lines() == ["row1", "row1 stuck", "row1 free", "row1"]


NOISY = "event button=row3 contact=noisy"
FREE = "event button=row3 contact=free"


def chatter(pico, button, closed_ms, open_ms, ms, jitter_ms=0.0, seed=1):
    """Plan a contact that repeatedly closes and opens for `ms`, and return the time when it
    began."""
    random, clock, began = Random(seed), pico.clock, pico.ms
    at = clock.now
    end = at + ms * 1000
    while at < end:
        for closed, lasts in ((True, closed_ms), (False, open_ms)):
            clock.call_at(at, pico.circuit.set_contact, button, closed)
            at += int(1000 * lasts + random.uniform(-500, 500) * jitter_ms)
    clock.call_at(at, pico.circuit.set_contact, button, False)
    return began


def refusals(pico, since):
    """Return the number of presses that were refused since that millisecond."""
    return sum(
        "event refused=" in record.get("console", "") and record["ms"] >= since
        for record in pico.trace
    )


def test_a_chattering_contact_is_ignored_until_it_has_rested(pico):
    """The contact closes 20 times a second for 12 ms, as a chafed cable did for five minutes."""
    pico.start(7, 7)
    chatter(pico, "row3", 12, 38, 300_000)
    pico.run(8000)
    assert NOISY in pico.lines()
    assert pico.told("health")["stuck"] == "row3"
    began = pico.ms
    pico.tap("row1")
    assert pico.rows == (6, 7, 0, 0)
    pico.run(291_000)
    assert refusals(pico, began) == 0 and pico.state == "attract"
    pico.lines()
    pico.run(9000)
    assert pico.lines() == []
    pico.run(3000)
    assert pico.lines() == [FREE]
    assert pico.told("health")["stuck"] == "none"
    pico.start(7, 7, 7)
    pico.tap("row3", 2)
    assert pico.rows == (7, 7, 5, 0)


def test_a_noisy_contact_that_stays_closed_is_not_free(pico):
    chatter(pico, "row3", 10, 30, 5000)
    pico.run(6000)
    pico.press("row3")
    pico.run(60_000)
    assert FREE not in pico.lines()
    pico.release("row3")
    pico.run(12_000)
    assert pico.lines() == [FREE]


def test_four_chattering_rows_leave_the_other_buttons_at_work(pico):
    for number, row in enumerate(("row1", "row2", "row3", "row4")):
        pico.run(7)
        chatter(pico, row, 5, 28 + number / 10, 60_000)
    pico.run(10_000)
    assert pico.told("health")["stuck"] == "row1,row2,row3,row4"
    pico.start(3, 4, 5)
    pico.press("new")
    pico.run(5)
    pico.release("new")
    pico.run(100)
    assert pico.state == "opening" and pico.resets == []


@given(
    open_ms=st.one_of(st.floats(0.1, 22), st.floats(28, 40)),
    closed_ms=st.floats(0.1, 10),
    jitter_ms=st.floats(0, 1),
    seed=st.integers(0, 100),
)
@settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow])
def test_no_regular_chatter_keeps_the_show_out_of_attract(open_ms, closed_ms, jitter_ms, seed):
    """If the chatter is slow enough for each press to count, the contact is noisy. If the contact
    never rests, it is a single press that is stuck."""
    jitter_ms *= min(open_ms, closed_ms)
    # Otherwise, some closings are presses and some are spikes, which is not regular.
    assume(not closed_ms - jitter_ms <= SPIKE_MS <= closed_ms + jitter_ms)
    pico = start(7, 7, seed=seed)
    pico.ask("set idle_ms 15000")
    pico.ask("set stuck_ms 5000")
    chatter(pico, "row3", closed_ms, open_ms, 45_000, jitter_ms, seed)
    pico.run(32_000)
    assert pico.state == "attract"
    pico.lines()
    began = pico.ms
    pico.tap("new")
    pico.tap("row2")
    assert pico.state == "player"
    pico.run(10_000)
    assert refusals(pico, began) == 0


def tap_often(pico, button, taps):
    """Press and release with bounce, for each (ms down, ms from press to press) in `taps`."""
    for down, period in taps:
        pico.press(button)
        pico.run(down)
        pico.release(button)
        pico.run(period - down)


@given(
    taps=st.lists(st.tuples(st.integers(8, 60), st.integers(67, 200)), min_size=1, max_size=20),
    bounce_ms=st.sampled_from([0, 3, 20]),
    seed=st.integers(0, 100),
)
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
def test_a_hand_is_never_noisy(taps, bounce_ms, seed):
    pico = start(7, 7, bounce_ms=bounce_ms, seed=seed)
    tap_often(pico, "row3", taps * (400 // len(taps)))
    assert NOISY not in pico.lines()


@pytest.mark.parametrize(
    ("taps", "seconds"), [(5, 60), (7, 60), (13.7, 60), (15, 300), (16.6, 10), (17.4, 10)]
)
def test_the_fastest_hands_are_not_noisy(pico, taps, seconds):
    period = 1000 / taps
    tap_often(pico, "row3", [(period / 2, period)] * int(taps * seconds))
    lines = pico.lines()
    assert lines and NOISY not in lines


def test_the_fastest_hands_count_each_time(pico):
    pico.start(7, 7, 7)
    tap_often(pico, "row3", [(1000 / 35, 1000 / 17.5)] * 6)
    assert pico.rows == (7, 7, 1, 0)


def test_a_pull_up_that_was_lost_comes_back(pico):
    """This happens after a reset of the USB bus on a chip with erratum RP2040-E5."""
    pico.start(7, 7, 7)
    pico.lines()
    pads = pico.circuit.chip.pads
    for _, gpio in pins.BUTTONS:
        pads[gpio].pull = 0
    pico.run(2000)
    assert [pads[gpio].pull for _, gpio in pins.BUTTONS] == [1] * 6
    assert pico.lines() == [] and pico.rows == (7, 7, 7, 0)
    pico.tap("row3", 3)
    assert pico.rows == (7, 7, 4, 0)


def test_a_press_without_its_pull_up_ends_when_that_comes_back(pico):
    pico.start(7)
    pico.circuit.chip.pads[13].pull = 0
    pico.tap("row1")
    pico.run(2000)
    pico.tap("row1")
    assert pico.rows == (5, 0, 0, 0)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["row1", "row2", "row3", "row4"]),
            st.booleans(),
            st.integers(0, 60),
        ),
        max_size=60,
    )
)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_any_presses_pick_from_one_row_at_most(presses):
    pico = start(7, 5, 3, 1)
    for button, down, ms in presses:
        (pico.press if down else pico.release)(button)
        pico.run(ms)
        missing = [a - b for a, b in zip((7, 5, 3, 1), pico.rows, strict=True)]
        assert all(n >= 0 for n in missing) and sum(n > 0 for n in missing) <= 1
