"""The waits of a real flash, for an emulator whose flash answers at once.

An RP2040 runs MicroPython from the flash chip through a 16 kB cache: 2 ways, 8-byte lines,
each half filled separately (RP2040 datasheet 2.6.3, github.com/raspberrypi/pico-sdk/issues/1182).
Other code is read over four wires at half the system clock: 8 cycles for the address, 4 idle
cycles, 8 for a 32-bit word (boot2_w25q080.S of pico-sdk). The time of the cache controller itself
is not documented, so SLOW assumes a slow one.
"""

import contextlib
from collections.abc import Iterator

from nimatron_sim.emulated.emulated_pico import EmulatedPico
from pico_testbench import rp2040

FAST = 40  # system cycles a word: (8 + 4 + 8) * 2
SLOW = 60  # with a controller as slow as half of that
_CYCLE_NS = 8.0  # at 125 MHz
_XIP = range(0x10000000, 0x11000000)
_SETS = 1024


class Cache:
    """The cache between the CPU and its flash, empty at first. cycles: the cost of a word outside
    the cache."""

    def __init__(self, cycles: int):
        self._cycles = cycles
        self._sets: list[list[int]] = [[] for _ in range(_SETS)]  # a way: line * 4 + valid halves

    def wait(self, address: int) -> int:
        """Read at an address, and return how many cycles longer this takes than from RAM."""
        if address not in _XIP:
            return 0
        line, half = address >> 3, 1 << (address >> 2 & 1)
        ways = self._sets[line % _SETS]
        for number, way in enumerate(ways):
            if way >> 2 == line:
                del ways[number]
                ways.append(way | half)
                if way & half:
                    return 0
                break
        else:
            del ways[:-1]  # of the two the one that was used earlier
            ways.append(line << 2 | half)
        return self._cycles


@contextlib.contextmanager
def waits(pico: EmulatedPico, cycles: int) -> Iterator[None]:
    """Make the CPU wait for its flash, as in Cache. Each instruction is checked before it is
    executed, so the emulator is about fifty times as slow."""
    cache = Cache(cycles)
    quick = rp2040.execute_batch

    def execute_one(simulator, batch):
        mcu, clock = simulator.rp2040, simulator.clock
        core = mcu.core
        if core.waiting:
            passed = max(round(clock.nanos_to_next_alarm / _CYCLE_NS), 1)
            clock.tick(clock.nanos_to_next_alarm)
        else:
            waited = sum([cache.wait(address) for address in _read(mcu, core)])
            core.cycles += waited
            passed = core.execute_instruction() + waited
            clock.tick(passed * _CYCLE_NS)
        for pio in mcu.pio:
            if not pio.stopped:
                pio.advance(passed)

    rp2040.execute_batch = execute_one
    try:
        yield
    finally:
        rp2040.execute_batch = quick


def _read(mcu, core):
    """The addresses that the next instruction reads, its own among them (ARMv6-M Architecture
    Reference Manual, A5.2). Without those that are relative to the stack, which is in RAM."""
    at, registers = core.pc, core.registers
    word = mcu.read_uint16(at)
    addresses = [at]
    base, number = registers[word >> 3 & 7], word >> 6 & 31
    match word >> 11:
        case 0b01001:
            addresses.append((at + 4 & ~3) + (word & 0xFF) * 4)
        case 0b01010 | 0b01011 if word >> 9 & 7 >= 3:
            addresses.append(base + registers[word >> 6 & 7] & 0xFFFFFFFF)
        case 0b01101:
            addresses.append(base + number * 4)
        case 0b01111:
            addresses.append(base + number)
        case 0b10001:
            addresses.append(base + number * 2)
        case 0b11001:
            first = registers[word >> 8 & 7]
            addresses += [first + 4 * i for i in range((word & 0xFF).bit_count())]
        case 0b11101 | 0b11110 | 0b11111:
            addresses.append(at + 2)
    return addresses
