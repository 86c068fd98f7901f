"""Why a Pico W does not join the broker on its own. If one of these tests fails, it may be
possible now: see docs/explanation/why-no-wifi.md."""

import probe
import pytest
import wifi

import images

pytestmark = pytest.mark.long("10 CPU seconds each")
_FRAME_MS = 0.4
_MEASURED_MS = 0.14  # a measurement of the wires keeps the lamps dark for so long


@pytest.fixture(autouse=True)
def _image():
    if not images.cached(radio=True):
        pytest.skip(f"there is no image for the Pico W; get one with: {wifi.FETCH}")


def test_a_pico_w_has_too_little_memory_even_without_a_network(tmp_path):
    assert wifi.free_alone(tmp_path) < wifi.HEAP


def test_a_press_is_late_while_a_pico_w_joins_a_network_but_no_frame_is(tmp_path):
    pico = wifi.exhibit(tmp_path, beside=True)
    with probe.row_gaps(pico) as gaps:
        took = wifi.steps(pico)
    assert took["join again"][1] > wifi.PRESS_MS
    assert max(gaps) < 1.05 * _FRAME_MS + _MEASURED_MS
