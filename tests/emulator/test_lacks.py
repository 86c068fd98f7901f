"""Our repairs of rp2040py are still needed (see docs/explanation/emulators.md). Each test is the
smallest program that shows a difference between rp2040py and an RP2040."""

import pytest

pytest.importorskip("rp2040py")

from rp2040py.execute_batch import execute_batch
from rp2040py.simulator import Simulator

_PIO0, _SSI, _USB, _I2C0 = 0x50200000, 0x18000000, 0x50110000, 0x40044000
_DATA, _SOF_RD = 0x60, 0x48
_CHIP_SELECT = 1
_LOW, _HIGH = 2 << 8, 3 << 8  # of GPIO_QSPI_SS_CTRL: drive it
_WRITE_ENABLE, _ERASE, _READ_STATUS = (0x06,), (0x20, 0, 0, 0), (0x05, 0)
_CPU_SLEEPS_NS = 1e6

pytestmark = pytest.mark.emulator


def test_a_pio_makes_one_instruction_while_the_cpu_sleeps():
    """Count the rising edges in a millisecond at a pin that a state machine toggles, with one
    instruction per system clock, while the CPU sleeps. A chip has 62,500 edges."""
    simulator = Simulator()
    mcu = simulator.rp2040
    for number, instruction in enumerate((0xE001, 0xE000)):  # "set pins, 1" and "set pins, 0"
        mcu.write_uint32(_PIO0 + 0x48 + 4 * number, instruction)
    mcu.write_uint32(_PIO0 + 0xC8, 1 << 16)  # SM0_CLKDIV
    mcu.write_uint32(_PIO0 + 0xCC, 1 << 12)  # SM0_EXECCTRL: wrap after the second
    mcu.write_uint32(_PIO0 + 0xDC, 1 << 26)  # SM0_PINCTRL: set GPIO 0
    mcu.write_uint32(0x40014004, 6 | 3 << 12)  # GPIO0_CTRL: PIO 0, an output
    mcu.write_uint32(_PIO0, 1)  # CTRL: enable SM0
    edges = []
    mcu.gpio[0].add_listener(lambda new, old: edges.append(new))
    simulator.clock.create_alarm(simulator.stop).schedule(_CPU_SLEEPS_NS)
    mcu.core.waiting = True
    simulator.stopped = False
    while not simulator.stopped:
        execute_batch(simulator, 1)
    assert len(edges) // 2 <= 1  # or else Pacer (rp2040.py) can go


def test_frame_number_does_not_change():
    """On the chip, SOF_RD, the number of the host's last start-of-frame packet, is 10 after 10 ms
    on a host's cable."""
    simulator = Simulator()
    simulator.rp2040.write_uint32(_USB + 0x40, 1)  # MAIN_CTRL: a device
    simulator.clock.tick(10e6)
    # or else Cable's can go
    assert simulator.rp2040.read_uint32(_USB + _SOF_RD) == 0


def test_a_start_of_frame_causes_no_interrupt():
    """On the chip, INTR.DEV_SOF is 1 after 10 ms on a host's cable, if a program enables it."""
    simulator = Simulator()
    simulator.rp2040.write_uint32(_USB + 0x40, 1)  # MAIN_CTRL: a device
    simulator.rp2040.write_uint32(_USB + 0x90, 1 << 17)  # INTE
    simulator.clock.tick(10e6)
    # or else Cable's can go
    assert not simulator.rp2040.read_uint32(_USB + 0x8C) >> 17 & 1


def test_usb_interrupts_although_its_clock_is_stopped():
    """On the chip, the USB interrupt of the CPU, bit 5, is 0 for a setup packet while CLK_USB_CTRL
    is not enabled, as in lightsleep."""
    mcu = Simulator().rp2040
    mcu.write_uint32(_USB + 0x40, 1)  # MAIN_CTRL: a device
    mcu.write_uint32(_USB + 0x90, 1 << 16)  # INTE: a setup packet
    mcu.write_uint32(0x40008054, 0)  # CLK_USB_CTRL
    mcu.usb_ctrl.send_setup_packet(bytes(8))
    assert mcu.core.pending_interrupts >> 5 & 1  # or else Clocks (rp2040.py) can go


def test_the_flash_chip_is_ready_at_once():
    """On a Pico, bit 0 of the flash chip's status is 1 for about 45 ms after the command to erase
    4 kB (W25Q16JV data sheet, 9.6)."""
    mcu = Simulator().rp2040
    mcu.write_uint32(_SSI + 0x08, 1)  # SSIENR
    answer = 0
    for command in (_WRITE_ENABLE, _ERASE, _READ_STATUS):
        mcu.write_uint32(0x4001800C, _HIGH)
        mcu.write_uint32(0x4001800C, _LOW)
        for byte in command:
            mcu.write_uint32(_SSI + _DATA, byte)
            answer = mcu.read_uint32(_SSI + _DATA)
    assert answer & 1 == 0  # or else FlashBus.takes_ms can go


def test_unacknowledged_address_leaves_its_bytes():
    """On the chip, IC_RAW_INTR_STAT.TX_EMPTY is 1 after a byte to an address without a device,
    because the abort flushes the unsent bytes (RP2040 datasheet, 4.3.17)."""
    mcu = Simulator().rp2040
    mcu.write_uint32(_I2C0 + 0x04, 0x23)  # IC_TAR
    mcu.write_uint32(_I2C0 + 0x6C, 1)  # IC_ENABLE
    mcu.write_uint32(_I2C0 + 0x10, 0x41)  # IC_DATA_CMD
    # otherwise _Bus (terminal_chip.py) needs no fix
    assert not mcu.read_uint32(_I2C0 + 0x34) >> 4 & 1
