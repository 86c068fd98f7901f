"""MicroPython's `uctypes` for DMA only: the address of a buffer, and the buffer at an address.

Addresses are 32 bits wide on any host, as on the chip.
"""

import chip

from nimatron_sim.simulated import chip_registers as _registers

_buffers = []  # (address, buffer, its bytes). An address stays valid while the chip lives
_left = chip.host.memory  # buffers of the previous run, which a reset does not clear
chip.host.memory = _buffers


def addressof(buffer):
    """Return the address of a bytearray or array."""
    address = _registers.SRAM
    for first, known, view in _buffers:
        if known is buffer:
            return first
        address = (first + len(view) + 15) // 16 * 16
    _buffers.append((address, buffer, chip.host.view(buffer)))
    return address


def bytearray_at(address, size):
    """Return the bytes at an address, for reading and writing."""
    for first, _, view in _buffers + _left:
        if first <= address and address + size <= first + len(view):
            return memoryview(view)[address - first : address - first + size]
    raise ValueError("nothing is at 0x%08x" % address)
