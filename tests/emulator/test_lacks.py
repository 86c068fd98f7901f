"""Our repairs of rp2040py are still needed: see docs/explanation/emulators.md."""

import pytest

pytest.importorskip("rp2040py")

import lacks

pytestmark = pytest.mark.emulator


def test_a_pio_makes_one_instruction_while_the_cpu_sleeps():
    assert lacks.pio_while_the_cpu_sleeps() <= 1  # or else Pacer (rp2040.py) can go


def test_frame_number_does_not_change():
    assert lacks.start_of_frame() == 0  # or else Cable's can go


def test_a_start_of_frame_causes_no_interrupt():
    assert lacks.start_of_frame_interrupts() == 0  # or else Cable's can go


def test_the_flash_chip_is_ready_at_once():
    assert lacks.status_after_an_erase() == 0  # or else FlashBus.takes_ms can go


def test_unacknowledged_address_leaves_its_bytes():
    assert lacks.i2c_empty_after_no_acknowledge() == 0  # otherwise _Bus (chip.py) needs no fix
