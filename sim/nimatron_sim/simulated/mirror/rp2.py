"""MicroPython's `rp2` for the simulated chip: one display made of a PIO program and DMA, and PIO
programs that measure for the CPU.

The simulation runs the program one instruction at a time, and follows the DMA channels from
register to register. It refuses everything else.
"""

import chip
import uctypes

from nimatron_sim.simulated import chip_registers as _registers
from nimatron_sim.simulated.chip import PIO as _PIO
from nimatron_sim.simulated.chip import NotModelled
from nimatron_sim.simulated.peripherals import Asked as _Asked
from nimatron_sim.simulated.peripherals import PioMachine as _Machine


class PIO:
    OUT_LOW = 2
    SHIFT_LEFT = 0
    SHIFT_RIGHT = 1


# ---------------------------------------------------------------------- assembler

_OPERATIONS = ("pull", "out", "mov", "nop", "jmp", "set", "irq", "push", "wait")
_UNKNOWN = ("in_", "word", "wrap", "wrap_target")
_WORDS = ("pins", "x", "y", "x_dec", "y_dec", "null", "block", "noblock", "clear", "isr", "osr")
_WORDS += ("pindirs", "pin")
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
    def __init__(self, instructions, labels, out_init):
        self.instructions = instructions
        self.labels = labels
        self.width = len(out_init)
        self.text = str([(i.operation, i.args, i.cycles) for i in instructions])
        operations = [i.operation for i in instructions]
        self.answers = "push" in operations
        self.turn = operations.count("pull")  # words
        if not self.turn:
            raise NotModelled("the simulated PIO knows displays: programs that pull")


def asm_pio(*, out_init, out_shiftdir=PIO.SHIFT_LEFT):
    if out_shiftdir != PIO.SHIFT_RIGHT:
        raise NotModelled("the simulated PIO shifts right")

    def assemble(function):
        instructions, labels = [], {}

        def emitter(operation):
            def emit(*args):
                if operation in _UNKNOWN:
                    raise NotModelled("the simulated PIO does not know this instruction")
                instructions.append(_Instruction(operation, *args))
                return instructions[-1]

            return emit

        def label(name):
            labels[name] = len(instructions)

        names = {word: word for word in _WORDS}
        names.update({operation: emitter(operation) for operation in _OPERATIONS + _UNKNOWN})
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
        return _Program(instructions, labels, out_init)

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
        first = out_base._gpio
        if program.answers:
            answers = {}
            self._machine = machine = _Asked(
                chip, id, answers, lambda words, pin: _measure(program, first, words, pin, answers)
            )
            self.put, self.get, self.rx_fifo = machine.put, machine.get, machine.answered
        else:
            self._machine = _Machine(
                chip,
                id,
                chip.board.hertz * 256 // freq << 8,
                program.turn,
                lambda words: _execute(program, first, words)[0],
            )
        chip.machines[id] = self._machine
        for gpio in range(first, first + program.width):
            if chip.pads[gpio].function != _PIO:  # state machines share their pins
                chip.claim(gpio, _PIO)

    def active(self, on):
        if isinstance(self._machine, _Machine):
            chip.display = self._machine
        self._machine.enable(bool(on))


def _execute(program, first, words, pin=None):
    """Run a program until it waits for a word. Return [(levels, cycles)], and the word that it has
    pushed, or None. Jumps look at `pin`. A pad that the program has released is an input with a
    pull-down. The circuit decides when the pad reads low. The two-cycle delay at an input is not
    simulated."""
    words = list(words)
    value = {"x": 0, "y": 0, "isr": 0, "osr": 0, "null": 0}
    all_pins = (1 << program.width) - 1
    high, driven, flags = 0, all_pins, 0
    # When the pin was let go: the levels, the cycle, and the ns.
    before, let_go, falls = 0, 0, None
    cycle_ns = 1e9 / chip.board.hertz
    at, cycles, segments, answer = 0, 0, [], None
    while True:
        number, step = at, program.instructions[at]
        at = (at + 1) % len(program.instructions)
        since, cycles = cycles, cycles + step.cycles
        operation, args = step.operation, step.args
        if operation == "pull":
            if answer is not None or not words:
                if flags or driven != all_pins:
                    raise NotModelled("a measurement that does not let the display continue")
                return segments, answer
            value["osr"] = words.pop(0)
        elif operation in ("out", "mov", "set"):
            to, source = args
            if operation == "out":
                word = value["osr"] & ((1 << source) - 1)
                value["osr"] >>= source
            elif operation == "mov":
                word = _ALL ^ value[source[0]] if isinstance(source, tuple) else value[source]
            else:
                word = source
            if to == "pindirs":
                before, let_go, driven = high, cycles, word
            elif to == "pins":
                high = word & all_pins
            else:
                value[to] = word
            falls = -1
        elif operation == "irq":
            flags = flags & ~(1 << args[1]) if args[0] == "clear" else 1 << args[0]
        elif operation == "push":
            answer = value["isr"]
        elif operation == "wait":
            if args[0] or flags:  # the display's clock stops during a measurement
                raise NotModelled("the simulated PIO waits for a flag that is clear")
        elif operation == "jmp":
            condition = args[0] if len(args) > 1 else None
            label = program.labels[args[-1]]
            jumps = True
            if condition == "pin":
                if driven >> pin - first & 1:
                    raise NotModelled("the simulated PIO looks at pins that it has let go")
                if falls == -1:
                    falls = _falls(pin, first, program.width, before, high, driven)
                jumps = falls is None or (cycles - let_go) * cycle_ns < falls
            elif condition:
                counter = condition[0]  # x_dec or y_dec
                left = value[counter]
                if label == number:
                    cycles += left * step.cycles
                    left = 0
                jumps = left > 0
                value[counter] = left - 1 & _ALL
            if jumps:
                at = label
        segments.append((high << first, cycles - since))


def _measure(program, first, words, pin, answers):
    """Return the answer of a program to these words and the time in ns that it takes, or None if
    the program needs more words. The display's pause is not simulated."""
    functions = tuple([pad.function for pad in chip.pads[first : first + program.width]])
    wires = chip.circuit.wires
    asked = program.text, chip.board.hertz, first, tuple(words), pin, functions, wires
    known = getattr(wires, "measured", answers)  # by all chips on the same wires
    if asked not in known:
        if len(known) >= _MEASURED:
            known.clear()
        segments, answer = _execute(program, first, words, pin)
        ns = (1 + sum([cycles for _, cycles in segments])) * 1e9 / chip.board.hertz
        known[asked] = None if answer is None else (answer, ns)
    return known[asked]


def _falls(pin, first, width, before, high, driven):
    """Return the time when a released pin falls. See `falls` of the circuit's wires."""
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
    """Carry out the channel's transfer. A channel that feeds a FIFO runs forever if the channel
    that it chains to rewinds it."""
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
