"""MicroPython's `rp2` for the simulated chip: one display made of a PIO program and DMA.

The program is run for real, an instruction at a time, and the DMA channels are followed from
register to register; both refuse what they do not know.
"""

import chip
import uctypes

from nimatron_sim.chip import PIO as _PIO
from nimatron_sim.chip import NotModelled


class PIO:
    OUT_LOW = 2
    OUT_HIGH = 3
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

_FIFOS = 0x50200010  # TX FIFO of PIO 0's first state machine; four of them
_CLOCK_DIVIDERS = 0x502000C8  # likewise, a divider in 1/256 from bit 8
_DIVIDER_STEP = 0x18
_TIMER = 0x50000420  # the first DMA timer: numerator and denominator, of the system clock
_CYCLE = 8  # ns, of that clock


class StateMachine:
    def __init__(self, id, program, *, freq, out_base):
        if not 0 <= id < 4:
            raise NotModelled("the simulated chip has state machines 0 to 3")
        if not 1908 <= freq <= 125_000_000:
            raise ValueError("invalid freq")
        self._fifo = _FIFOS + 4 * id
        self._divider = _CLOCK_DIVIDERS + _DIVIDER_STEP * id
        chip.registers[self._divider] = 125_000_000 * 256 // freq << 8
        self._program = program
        self._shift = out_base._gpio
        self._words = {}
        for offset in range(len(program.out_init)):
            chip.claim(out_base._gpio + offset, _PIO)

    def active(self, on):
        chip.display = self if on else None
        self.fed()

    def fed(self):
        """It gets other words or another speed, or is switched on or off."""
        chip.changes += 1
        chip.frame = chip.feeds.get(self._fifo, b"") if chip.display else b""
        chip.speed = chip.registers[self._divider]

    def frame(self):
        """[(levels, ns)] from the first word of a frame to the last."""
        data = chip.feeds.get(self._fifo, b"")
        if not data:
            return [(self._run(0)[-1][0], 1)]  # it waits at its pull, with the levels it had there
        timer = chip.registers.get(_TIMER, 0)
        if not timer >> 16:
            raise NotModelled("the DMA timer of this display stands still")
        beat = _CYCLE * (timer & 0xFFFF) / (timer >> 16)
        cycle = _CYCLE * (chip.registers[self._divider] >> 8) / 256
        segments = []
        for i in range(0, len(data), 4):
            word = int.from_bytes(data[i : i + 4], "little")
            if word not in self._words:
                self._words[word] = self._run(word)
            segments += [(levels, cycles * cycle) for levels, cycles in self._words[word]]
            left = beat - sum([cycles for _, cycles in self._words[word]]) * cycle
            if left < 0:
                raise NotModelled("the display is slower than its beat: rows would be lost")
            segments.append((segments[-1][0], left))
        return segments

    def _run(self, word):
        """One word from pull to pull."""
        program = self._program.instructions
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
                segments.append((levels << self._shift, step.cycles))


# ---------------------------------------------------------------------- DMA

_REGISTERS = 0x50000000
_CHANNEL = 0x40
_READ_ADDRESS_TRIGGER = 0x3C
_TIMER_REQUEST = 0x3B
_ALWAYS = 0x3F


class DMA:
    def __init__(self):
        if len(chip.dma) >= 12:
            raise OSError(16)  # EBUSY
        self.channel = len(chip.dma)
        chip.dma.append(self)

    def pack_ctrl(self, *, size=2, inc_read=True, inc_write=True, treq_sel=_ALWAYS, chain_to=None):
        if size != 2:
            raise NotModelled("the simulated DMA moves words")
        return (inc_read, inc_write, treq_sel, self.channel if chain_to is None else chain_to)

    def config(self, *, read, write, count, ctrl, trigger=False):
        self.read = read if isinstance(read, int) else uctypes.addressof(read)
        self.write = write
        self.count = count
        self.ctrl = ctrl
        if trigger:
            self._start()

    def _start(self):
        """Transfer what the channel is told to; a channel that feeds a FIFO does it for ever, if
        those that it chains to lead back to its beginning."""
        inc_read, inc_write, request, chain_to = self.ctrl
        if _FIFOS <= self.write < _FIFOS + 16:
            if request != _TIMER_REQUEST or not inc_read or inc_write:
                raise NotModelled("the simulated DMA cannot feed a FIFO like that")
            if chain_to == self.channel:
                raise NotModelled("this display stops after one frame")
            chip.dma[chain_to]._check_rewinds(self)
            chip.feeds[self.write] = uctypes.bytearray_at(self.read, 4 * self.count)
            if chip.display:
                chip.display.fed()
        else:
            other, address = self._rewinds()
            other.read = address
            other._start()

    def _rewinds(self):
        """The channel whose read address this one writes and so starts, and that address."""
        offset = self.write - _REGISTERS
        if offset < 0 or offset % _CHANNEL != _READ_ADDRESS_TRIGGER or self.count != 1:
            raise NotModelled("the simulated DMA cannot write to 0x%08x" % self.write)
        address = int.from_bytes(bytes(uctypes.bytearray_at(self.read, 4)), "little")
        return chip.dma[offset // _CHANNEL], address

    def _check_rewinds(self, other):
        inc_read, inc_write, _, _ = self.ctrl
        if inc_read or inc_write or self._rewinds() != (other, other.read):
            raise NotModelled("this display stops after one frame")
