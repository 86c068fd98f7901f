"""MicroPython's `uctypes` as far as DMA needs it: where a buffer is, and what is at an address.

The addresses are the RP2040's: 32 bits wide, on any host.
"""

import chip

from nimatron_sim.simulated.peripherals import registers as _registers

_buffers = []  # (address, buffer, its bytes); an address stays good as long as the chip lives
_left = chip.host.memory  # those of the life before: a reset does not clear them
chip.host.memory = _buffers


def addressof(buffer):
    """The address of a bytearray or array."""
    address = _registers.SRAM
    for first, known, view in _buffers:
        if known is buffer:
            return first
        address = (first + len(view) + 15) // 16 * 16
    _buffers.append((address, buffer, chip.host.view(buffer)))
    return address


def bytearray_at(address, size):
    """The bytes there, for reading and writing."""
    for first, _, view in _buffers + _left:
        if first <= address and address + size <= first + len(view):
            return memoryview(view)[address - first : address - first + size]
    raise ValueError("nothing is at 0x%08x" % address)
