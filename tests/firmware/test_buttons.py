"""Contacts as they are: they bounce, stick, pick up noise, and two are pressed at once."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nimatron.settings import TABLE
from nimatron_sim import firmware
from nimatron_sim.circuit import Circuit
from nimatron_sim.simulated.pico import SimulatedPico

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


def test_the_chatter_is_really_there():
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


def test_a_fast_second_press_counts():
    pico = start(7)
    for _ in range(3):
        pico.press("row1")
        pico.run(30)
        pico.release("row1")
        pico.run(SETTING["settle_ms"] + 15)
    assert pico.rows == (4, 0, 0, 0)


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


def test_a_spike_while_another_button_comes_to_rest_is_noise_too():
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


def test_a_button_held_at_boot_is_reported_and_ignored_until_released():
    pico = SimulatedPico()
    pico.press("new")
    pico.settle()
    pico.run(2000)
    assert pico.state == "attract"
    assert "event button=new contact=held" in pico.lines()
    pico.release("new")
    pico.run(200)
    assert pico.state == "attract"
    pico.tap("new")
    assert pico.state == "opening"


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


def test_a_button_stuck_for_ten_days_works_at_once_when_it_is_free(tmp_path):
    """Longer than half of what the tick counter can tell apart."""
    (tmp_path / "main.py").write_text(BUTTONS_ALONE)
    pico = SimulatedPico(files=dict(firmware.files(), **{"main.py": tmp_path / "main.py"}))
    pico.run(1000)
    pico.press("row1")
    pico.run(10 * 24 * 3_600_000)
    pico.release("row1")
    pico.run(100)
    pico.tap("row1")
    assert pico.lines() == ["row1", "row1 stuck", "row1 free", "row1"]


def test_two_buttons_at_the_same_instant_are_two_presses(pico):
    pico.start(3, 4, 5)
    for button in ("row1", "row2"):
        pico.press(button)
    pico.run(100)
    assert pico.rows == (3, 3, 5, 0)


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
def test_whatever_is_pressed_lamps_are_missing_from_one_row_at_most(presses):
    pico = start(7, 5, 3, 1)
    for button, down, ms in presses:
        (pico.press if down else pico.release)(button)
        pico.run(ms)
        missing = [a - b for a, b in zip((7, 5, 3, 1), pico.rows, strict=True)]
        assert all(n >= 0 for n in missing) and sum(n > 0 for n in missing) <= 1


def test_a_missing_pull_up_shows(pico):
    """The same press on a pin whose pull-up is forgotten never ends."""
    pico.start(7)
    pico.circuit.chip.pads[13].pull = 0
    pico.tap("row1", 3)
    assert pico.rows == (6, 0, 0, 0)
