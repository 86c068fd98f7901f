"""MicroPython's `rp2` for the simulated chip: one display made of a PIO program and DMA.

The program is really run, one instruction at a time, and the DMA channels are followed from
register to register; anything unknown is refused.
"""

import chip
import uctypes

from nimatron_sim.simulated.chip import PIO as _PIO
from nimatron_sim.simulated.chip import NotModelled
from nimatron_sim.simulated.peripherals import Machine as _Machine
from nimatron_sim.simulated.peripherals import registers as _registers


class PIO:
    OUT_LOW = 2
    SHIFT_LEFT = 0
    SHIFT_RIGHT = 1


# ---------------------------------------------------------------------- assembler

_PULL, _OUT, _MOV, _NOP = "pull", "out", "mov", "nop"
_WORDS = ("pins", "null", "block")
_UNKNOWN = ("jmp", "wait", "in_", "push", "irq", "set", "word", "label", "wrap", "wrap_target")


class _Instruction:
    def __init__(self, operation, *args):
        self.operation = operation
        self.args = args
        self.cycles = 1

    def __getitem__(self, delay):
        if not 0 <= delay <= 31:
            raise ValueError("a delay of %d, it is 0 to 31" % delay)
        self.cycles = 1 + delay
        return self


class _Program:
    def __init__(self, instructions, out_init):
        if not any([i.operation == _PULL for i in instructions]):
            raise NotModelled("the simulated PIO knows displays: programs that pull")
        self.instructions = instructions
        self.out_init = out_init


def asm_pio(*, out_init, out_shiftdir=PIO.SHIFT_LEFT):
    if out_shiftdir != PIO.SHIFT_RIGHT:
        raise NotModelled("the simulated PIO shifts right")

    def assemble(function):
        instructions = []

        def emit(operation, *args):
            instruction = _Instruction(operation, *args)
            instructions.append(instruction)
            return instruction

        def unknown(*args):
            raise NotModelled("the simulated PIO knows pull, out, mov and nop")

        names = {word: word for word in _WORDS}
        names.update({word: unknown for word in _UNKNOWN})
        names["pull"] = lambda mode: emit(_PULL, mode)
        names["out"] = lambda to, count: emit(_OUT, to, count)
        names["mov"] = lambda to, source: emit(_MOV, to, source)
        names["nop"] = lambda: emit(_NOP)
        # The function's own globals are swapped for the assembler's while it runs, as on the Pico.
        space = function.__globals__
        before = dict(space)
        space.update(names)
        try:
            function()
        finally:
            for name in names:
                del space[name]
            space.update(before)
        return _Program(instructions, out_init)

    return assemble


# ---------------------------------------------------------------------- state machine

_WAY_UP = 125_000_000 * 256  # from a frequency to a divider in 1/256


class StateMachine:
    """A handle: collecting it does nothing to the state machine, because MicroPython keeps a
    static object for each (ports/rp2/rp2_pio.c, rp2_state_machine_obj)."""

    def __init__(self, id, program, *, freq, out_base):
        if not 0 <= id < 4:
            raise NotModelled("the simulated chip has state machines 0 to 3")
        if not 1908 <= freq <= 125_000_000:
            raise ValueError("invalid freq")
        shift = out_base._gpio
        self._machine = _Machine(
            chip, id, _WAY_UP // freq << 8, lambda word: _run(program.instructions, shift, word)
        )
        chip.machines[id] = self._machine
        for offset in range(len(program.out_init)):
            chip.claim(shift + offset, _PIO)

    def active(self, on):
        chip.display = self._machine
        self._machine.enable(bool(on))


def _run(program, first, word):
    """[(levels, cycles)] of one word from pull to pull."""
    levels = shift = at = 0
    segments = []
    pulled = False
    while True:
        step = program[at]
        at = (at + 1) % len(program)
        if step.operation == _PULL:
            if pulled:
                return segments
            pulled = True
            shift = word
        elif step.operation == _OUT:
            count = step.args[1]
            levels = shift & ((1 << count) - 1)
            shift >>= count
        elif step.operation == _MOV:
            levels = 0
        if pulled:
            segments.append((levels << first, step.cycles))


# ---------------------------------------------------------------------- DMA

_ALWAYS = 0x3F


class DMA:
    """A handle: a channel whose handle is collected is aborted and unclaimed, from MicroPython
    1.27 on (ports/rp2/rp2_dma.c, rp2_dma_close). On the MicroPython VM no `__del__` is called."""

    _channel = None

    def __init__(self):
        self._channel = chip.dma.claim()

    def close(self):
        if self._channel and chip.alive:
            chip.dma.close(self._channel)
        self._channel = None

    __del__ = close

    @property
    def channel(self):
        return self._channel.number

    def pack_ctrl(self, *, size=2, inc_read=True, inc_write=True, treq_sel=_ALWAYS, chain_to=None):
        if size != 2:
            raise NotModelled("the simulated DMA moves words")
        return (inc_read, inc_write, treq_sel, self.channel if chain_to is None else chain_to)

    def config(self, *, read, write, count, ctrl, trigger=False):
        channel = self._channel
        channel.read = read if isinstance(read, int) else uctypes.addressof(read)
        channel.write = write
        channel.count = count
        channel.ctrl = ctrl
        if trigger:
            _start(channel)


def _start(channel):
    """Carry out the channel's transfer. A channel that feeds a FIFO runs for ever if the channel
    it chains to rewinds it."""
    inc_read, inc_write, request, chain_to = channel.ctrl
    if 0 <= channel.write - _registers.PIO_TXF0 < 16:
        if request != _registers.TREQ_TIMER0 or not inc_read or inc_write:
            raise NotModelled("the simulated DMA cannot feed a FIFO like that")
        if chain_to == channel.number:
            raise NotModelled("this display stops after one frame")
        rewinder = chip.dma.channels[chain_to]
        _check_rewinds(rewinder, channel)
        chip.dma.start(channel, uctypes.bytearray_at(channel.read, 4 * channel.count), rewinder)
    else:
        other, address = _rewinds(channel)
        other.read = address
        _start(other)


def _rewinds(channel):
    """The channel whose read address this one writes, which starts it, and that address."""
    if channel.count != 1:
        raise NotModelled("the simulated DMA rewinds with one word")
    address = int.from_bytes(bytes(uctypes.bytearray_at(channel.read, 4)), "little")
    return chip.dma.rewinds(channel.write), address


def _check_rewinds(channel, other):
    inc_read, inc_write, _, _ = channel.ctrl
    if inc_read or inc_write or _rewinds(channel) != (other, other.read):
        raise NotModelled("this display stops after one frame")
