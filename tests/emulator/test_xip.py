"""The model of the cache between the CPU and its flash."""

import pytest

pytest.importorskip("rp2040py")

import probe
import xip

pytestmark = pytest.mark.emulator

FLASH, RAM = 0x10000000, 0x20000000
WAY = 8192  # bytes: two addresses at this distance share a line's place


def waited(*addresses):
    """The system cycles the CPU waits for each, read one after the other."""
    cache = xip.Cache(xip.FAST)
    return [cache.wait(address) for address in addresses]


def test_a_word_is_waited_for_once():
    assert waited(FLASH, FLASH, FLASH + 2) == [40, 0, 0]
    assert waited(RAM) == [0]


def test_half_a_line_is_read_at_a_time():
    assert waited(FLASH, FLASH + 4, FLASH, FLASH + 4) == [40, 40, 0, 0]


def test_of_three_in_one_place_the_oldest_goes():
    a, b, c = FLASH, FLASH + WAY, FLASH + 2 * WAY
    assert waited(a, b, a, c, a, b) == [40, 40, 0, 40, 0, 40]


@pytest.mark.long("ten seconds")
def test_a_press_takes_longer_with_the_waits(pico):
    without = probe.presses(pico, 1)
    with xip.waits(pico, xip.SLOW):
        assert without[0] < probe.presses(pico, 1)[0] < 2.5 * without[0]
    assert probe.presses(pico, 1)[0] < 5
