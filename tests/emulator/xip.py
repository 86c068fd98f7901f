"""The waits of a real flash, for an emulator whose flash answers at once.

An RP2040 runs MicroPython from the flash chip through a cache of 16 kB: 2 ways, lines of 8 bytes,
each half filled on its own (RP2040 datasheet 2.6.3; github.com/raspberrypi/pico-sdk/issues/1182).
What is not in it is read over four wires at half the system clock: 8 cycles for the address, 4 in
which nothing happens, 8 for a word of 32 bits (boot2_w25q080.S of pico-sdk). How long the cache
controller itself takes is not documented: hence SLOW.
"""

import contextlib
from collections.abc import Iterator

from nimatron_sim.emulated.pico import EmulatedPico

FAST = 40  # system cycles a word: (8 + 4 + 8) * 2
SLOW = 60  # with a controller as slow as half of that
_CYCLE_NS = 8  # at 125 MHz
_XIP = range(0x10000000, 0x11000000)
_SETS = 1024


@contextlib.contextmanager
def waits(pico: EmulatedPico, cycles: int) -> Iterator[None]:
    """Each word that the CPU reads from flash and that is not in the cache, which is empty at
    first, takes so many cycles more."""
    mcu = pico.circuit.chip._mcu
    cache: list[list[int]] = [[] for _ in range(_SETS)]  # a way: line * 4 + its valid halves

    def look(address):
        line, half = address >> 3, 1 << (address >> 2 & 1)
        ways = cache[line % _SETS]
        for number, way in enumerate(ways):
            if way >> 2 == line:
                del ways[number]
                ways.append(way | half)
                if way & half:
                    return
                break
        else:
            del ways[:-1]  # of the two the one that was used earlier
            ways.append(line << 2 | half)
        mcu.core.cycles += cycles
        mcu.clock.tick(float(cycles * _CYCLE_NS))

    def slow(read):
        def read_slowly(address):
            if address in _XIP:
                look(address)
            return read(mcu, address)

        return read_slowly

    names = [f"read_uint{bits}" for bits in (8, 16, 32)]
    quick = {name: getattr(mcu, name) for name in names}
    for name in names:
        setattr(mcu, name, slow(getattr(type(mcu), name)))
    try:
        yield
    finally:
        for name in names:
            setattr(mcu, name, quick[name])
