"""MicroPython's `rp2` for the simulated chip: one display made of a PIO program and DMA, and
programs that measure, which the CPU asks.

The program is really run, one instruction at a time, and the DMA channels are followed from
register to register. Anything unknown is refused.
"""

import chip
import uctypes

from pico_testbench.simulated import registers as _registers
from pico_testbench.simulated.chip import PIO as _PIO
from pico_testbench.simulated.chip import NotModelled
from pico_testbench.simulated.peripherals import Asked as _Asked
from pico_testbench.simulated.peripherals import PioMachine as _Machine


class PIO:
    OUT_LOW = 2
    SHIFT_LEFT = 0
    SHIFT_RIGHT = 1


# ---------------------------------------------------------------------- assembler

_PULL, _OUT, _MOV, _NOP, _JMP = "pull", "out", "mov", "nop", "jmp"
_SET, _IRQ, _PUSH, _WAIT = "set", "irq", "push", "wait"
_PINS, _X, _Y, _X_DEC, _Y_DEC = "pins", "x", "y", "x--", "y--"
_WORDS = {"pins": _PINS, "x": _X, "y": _Y, "x_dec": _X_DEC, "y_dec": _Y_DEC}
_WORDS.update(
    {w: w for w in ("null", "block", "noblock", "clear", "isr", "osr", "pindirs", "pin")}
)
_UNKNOWN = ("in_", "word", "wrap", "wrap_target")
_ALL = 0xFFFFFFFF
_MEASURED = 300  # answers to remember


class _Instruction:
    def __init__(self, operation, *args):
        self.operation = operation
        self.args = args
        self.cycles = 1

    def __getitem__(self, delay):
        if not 0 <= delay <= 31:
            raise ValueError("a delay of %d: it must be 0 to 31" % delay)
        self.cycles = 1 + delay
        return self


class _Program:
    def __init__(self, instructions, labels, out_init, threshold):
        self.instructions = instructions
        self.labels = labels
        self.out_init = out_init
        self.threshold = (
            threshold  # bits, after which the next word is pulled automatically, or None
        )
        self.answers = any([i.operation == _PUSH for i in instructions])
        self.text = str([(i.operation, i.args, i.cycles) for i in instructions])
        self.turn = 0 if self.answers else self._words_of_a_turn()

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
            raise NotModelled("the simulated PIO does not know this instruction")

        def label(name):
            labels[name] = len(instructions)

        names = dict(_WORDS)
        names.update({word: unknown for word in _UNKNOWN})
        names["pull"] = lambda mode: emit(_PULL, mode)
        names["out"] = lambda to, count: emit(_OUT, to, count)
        names["mov"] = lambda to, source: emit(_MOV, to, source)
        names["nop"] = lambda: emit(_NOP)
        names["jmp"] = lambda *args: emit(_JMP, *args)
        names["set"] = lambda to, value: emit(_SET, to, value)
        names["irq"] = lambda *args: emit(_IRQ, *args)
        names["push"] = lambda mode: emit(_PUSH, mode)
        names["wait"] = lambda level, source, flag: emit(_WAIT, level, source, flag)
        names["invert"] = lambda source: (source,)
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
    """A handle to a state machine. If the handle is garbage-collected, the state machine does not
    change, because MicroPython keeps a static object for each (ports/rp2/rp2_pio.c,
    rp2_state_machine_obj)."""

    def __init__(self, id, program, *, freq, out_base):
        if not 0 <= id < 4:
            raise NotModelled("the simulated chip has state machines 0 to 3")
        if not chip.board.hertz / 65536 <= freq <= chip.board.hertz:
            raise ValueError("invalid freq")
        shift = out_base._gpio
        if program.answers:
            answers = {}
            self._machine = _Asked(
                chip, id, answers, lambda words, pin: _measure(program, shift, words, pin, answers)
            )
        else:
            self._machine = _Machine(
                chip,
                id,
                chip.board.hertz * 256 // freq << 8,
                program.turn,
                lambda words: _run(program, shift, words),
            )
        chip.machines[id] = self._machine
        for offset in range(len(program.out_init)):
            if chip.pads[shift + offset].function != _PIO:  # state machines share their pins
                chip.claim(shift + offset, _PIO)
        self.put = getattr(self._machine, "put", None)
        self.get = getattr(self._machine, "get", None)
        self.rx_fifo = getattr(self._machine, "answered", None)

    def active(self, on):
        if isinstance(self._machine, _Machine):
            chip.display = self._machine
        self._machine.enable(bool(on))


def _run(program, first, words):
    """Return [(levels, cycles)] for one turn, from the wait for its first word to the wait for the
    first word of the next turn."""
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
        elif step.operation == _WAIT:
            if step.args[0] or chip.flags:  # the clock stops during a measurement
                raise NotModelled("the simulated PIO waits for a flag that is clear")
        elif step.operation == _JMP:
            condition, label = step.args
            counter = _X if condition == _X_DEC else _Y
            if program.labels[label] != (at - 1) % len(program.instructions):
                raise NotModelled("the simulated PIO jumps to the jump itself only")
            cycles *= out[counter] + 1
            out[counter] = 0xFFFFFFFF
        segments.append((out[_PINS] << first, cycles))


def _measure(program, first, words, pin, answers):
    """Return the answer of a program to a question, and the ns that it takes, or None if it needs
    more words. A pad that the program has released is an input with a pull-down. The circuit
    decides when the pad reads low. Neither the display's pause nor the two cycles by which an
    input is late are shown."""
    functions = tuple([pad.function for pad in chip.pads[first : first + len(program.out_init)]])
    wires = chip.circuit.wires
    asked = program.text, chip.board.hertz, first, tuple(words), pin, functions, wires
    known = getattr(wires, "measured", answers)  # by all chips on the same wires
    if asked not in known:
        if len(known) >= _MEASURED:
            known.clear()
        known[asked] = _measured(program, first, list(words), pin)
    return known[asked]


def _measured(program, first, words, pin):
    value = {_X: 0, _Y: 0, "isr": 0, "osr": 0, "null": 0}
    width = len(program.out_init)
    high, driven = 0, (1 << width) - 1  # at the pins, from the first
    before, let_go, falls = 0, 0, 0  # when the pin was let go: the levels, the cycle, and the ns
    cycle_ns = 1e9 / chip.board.hertz
    at, cycles, answer = 0, 0, None
    while True:
        number, step = at, program.instructions[at]
        at = (at + 1) % len(program.instructions)
        cycles += step.cycles
        operation, args = step.operation, step.args
        if operation == _PULL:
            if answer is not None:
                if chip.flags or driven != (1 << width) - 1:
                    raise NotModelled("a measurement that does not let the display continue")
                return answer, cycles * cycle_ns
            if not words:
                return None
            value["osr"] = words.pop(0)
        elif operation == _OUT:
            to, count = args
            bits = value["osr"] & ((1 << count) - 1)
            value["osr"] >>= count
            if to == "pindirs":
                before, let_go, falls = high, cycles, -1
                driven = bits
            elif to == _PINS:
                high, falls = bits, -1
            else:
                value[to] = bits
        elif operation == _MOV:
            to, source = args
            word = _ALL ^ value[source[0]] if isinstance(source, tuple) else value[source]
            if to == _PINS:
                high, falls = word & ((1 << width) - 1), -1
            else:
                value[to] = word
        elif operation == _SET:
            value[args[0]] = args[1]
        elif operation == _IRQ:
            chip.flags = chip.flags & ~(1 << args[1]) if args[0] == "clear" else 1 << args[0]
        elif operation == _PUSH:
            answer = value["isr"]
        elif operation == _JMP:
            condition = args[0] if len(args) > 1 else None
            label = program.labels[args[-1]]
            if condition == "pin":
                if driven >> pin - first & 1:
                    raise NotModelled("the simulated PIO looks at pins that it has let go")
                if falls == -1:
                    falls = _falls(pin, first, width, before, high, driven)
                jumps = falls is None or (cycles - let_go) * cycle_ns < falls
            elif condition is None:
                jumps = True
            else:
                counter = _X if condition == _X_DEC else _Y
                left = value[counter]
                if label == number:
                    cycles += left * step.cycles
                    left = 0
                jumps = left > 0
                value[counter] = left - 1 & _ALL
            if jumps:
                at = label
        elif operation == _WAIT:
            raise NotModelled("a measurement that waits")


def _falls(pin, first, width, before, high, driven):
    """Return the time when a released pin falls: see `falls` of the circuit's wires."""
    pads = [n for n in range(width) if chip.pads[first + n].function == _PIO]
    if pin - first not in pads:
        return 0
    levels = {first + n: before >> n & 1 for n in pads}
    others = {first + n: high >> n & 1 for n in pads if driven >> n & 1}
    if not chip.circuit.wires:
        raise NotModelled("when GP%d reads low after it was let go: its wires are unknown" % pin)
    return chip.circuit.wires.falls(pin, levels, others)


# ---------------------------------------------------------------------- DMA

_ALWAYS = 0x3F


class DMA:
    """A handle to a DMA channel. From MicroPython 1.27 on, if the handle is garbage-collected, the
    channel is aborted and unclaimed (ports/rp2/rp2_dma.c, rp2_dma_close). On the MicroPython VM no
    `__del__` is called."""

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
    """Carry out the channel's transfer. A channel that feeds a FIFO runs forever if the channel it
    chains to rewinds it."""
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
    """Return the channel that this channel restarts, and its new read address."""
    if channel.count != 1:
        raise NotModelled("the simulated DMA rewinds with one word")
    address = int.from_bytes(bytes(uctypes.bytearray_at(channel.read, 4)), "little")
    return chip.dma.rewinds(channel.write), address


def _check_rewinds(channel, other):
    inc_read, inc_write, _, _ = channel.ctrl
    if inc_read or inc_write or _rewinds(channel) != (other, other.read):
        raise NotModelled("this display stops after one frame")
