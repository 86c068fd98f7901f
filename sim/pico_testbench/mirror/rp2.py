"""MicroPython's `rp2` for the simulated chip: one display made of a PIO program and DMA.

The program is really run, one instruction at a time, and the DMA channels are followed from
register to register; anything unknown is refused.
"""

import chip
import uctypes

from pico_testbench.simulated import registers as _registers
from pico_testbench.simulated.chip import PIO as _PIO
from pico_testbench.simulated.chip import NotModelled
from pico_testbench.simulated.peripherals import Machine as _Machine


class PIO:
    OUT_LOW = 2
    SHIFT_LEFT = 0
    SHIFT_RIGHT = 1


# ---------------------------------------------------------------------- assembler

_PULL, _OUT, _MOV, _NOP, _JMP = "pull", "out", "mov", "nop", "jmp"
_PINS, _X, _Y, _X_DEC, _Y_DEC = "pins", "x", "y", "x--", "y--"
_WORDS = {"pins": _PINS, "x": _X, "y": _Y, "x_dec": _X_DEC, "y_dec": _Y_DEC}
_WORDS.update({word: word for word in ("null", "block")})
_UNKNOWN = ("wait", "in_", "push", "irq", "set", "word", "wrap", "wrap_target")


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
    def __init__(self, instructions, labels, out_init, threshold):
        self.instructions = instructions
        self.labels = labels
        self.out_init = out_init
        self.threshold = threshold  # bits, after which the next word is pulled by itself; or None
        self.turn = self._words_of_a_turn()

    def _words_of_a_turn(self):
        if self.threshold is None:
            words = sum([i.operation == _PULL for i in self.instructions])
        else:
            bits = sum([i.args[1] for i in self.instructions if i.operation == _OUT])
            words, rest = divmod(bits, self.threshold)
            if rest:
                raise NotModelled("a word does not end where the program does")
        if not words:
            raise NotModelled("the simulated PIO knows displays: programs that pull")
        return words


def asm_pio(*, out_init, out_shiftdir=PIO.SHIFT_LEFT, autopull=False, pull_thresh=32):
    if out_shiftdir != PIO.SHIFT_RIGHT:
        raise NotModelled("the simulated PIO shifts right")

    def assemble(function):
        instructions, labels = [], {}

        def emit(operation, *args):
            instruction = _Instruction(operation, *args)
            instructions.append(instruction)
            return instruction

        def unknown(*args):
            raise NotModelled("the simulated PIO knows pull, out, mov, nop and jmp")

        def label(name):
            labels[name] = len(instructions)

        names = dict(_WORDS)
        names.update({word: unknown for word in _UNKNOWN})
        names["pull"] = lambda mode: emit(_PULL, mode)
        names["out"] = lambda to, count: emit(_OUT, to, count)
        names["mov"] = lambda to, source: emit(_MOV, to, source)
        names["nop"] = lambda: emit(_NOP)
        names["jmp"] = lambda condition, label: emit(_JMP, condition, label)
        names["label"] = label
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
        return _Program(instructions, labels, out_init, pull_thresh if autopull else None)

    return assemble


# ---------------------------------------------------------------------- state machine


class StateMachine:
    """A handle: collecting it does nothing to the state machine, because MicroPython keeps a
    static object for each (ports/rp2/rp2_pio.c, rp2_state_machine_obj)."""

    def __init__(self, id, program, *, freq, out_base):
        if not 0 <= id < 4:
            raise NotModelled("the simulated chip has state machines 0 to 3")
        if not chip.board.hertz / 65536 <= freq <= chip.board.hertz:
            raise ValueError("invalid freq")
        shift = out_base._gpio
        self._machine = _Machine(
            chip,
            id,
            chip.board.hertz * 256 // freq << 8,
            program.turn,
            lambda words: _run(program, shift, words),
        )
        chip.machines[id] = self._machine
        for offset in range(len(program.out_init)):
            chip.claim(shift + offset, _PIO)

    def active(self, on):
        chip.display = self._machine
        self._machine.enable(bool(on))


def _run(program, first, words):
    """[(levels, cycles)] of one turn, from where it waits for its first word to where it waits for
    the next one."""
    words = list(words)
    out = {_PINS: 0, _X: 0, _Y: 0}
    shift, left = 0, 0  # the output shift register, and the bits that are still in it
    at, segments = 0, []
    while True:
        step = program.instructions[at]
        at = (at + 1) % len(program.instructions)
        cycles = step.cycles
        empty = left == 0 and program.threshold is not None and step.operation == _OUT
        if step.operation == _PULL or empty:
            if not words:
                return segments
            shift, left = words.pop(0), program.threshold
        if step.operation == _OUT:
            to, count = step.args
            out[to] = shift & ((1 << count) - 1)
            shift >>= count
            if left is not None:
                left -= count
                if left < 0:
                    raise NotModelled("a word does not end where an out does")
        elif step.operation == _MOV:
            out[step.args[0]] = 0
        elif step.operation == _JMP:
            condition, label = step.args
            counter = _X if condition == _X_DEC else _Y
            if program.labels[label] != (at - 1) % len(program.instructions):
                raise NotModelled("the simulated PIO jumps to the jump itself only")
            cycles *= out[counter] + 1
            out[counter] = 0xFFFFFFFF
        segments.append((out[_PINS] << first, cycles))


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
        asks = _registers.TREQ_PIO_TX0 + (channel.write - _registers.PIO_TXF0) // 4
        if request != asks or not inc_read or inc_write:
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
