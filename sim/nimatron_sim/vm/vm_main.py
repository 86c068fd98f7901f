"""The program that turns the MicroPython VM into a simulated Pico: it boots the firmware, plays a
script and prints the trace, one JSON object per line. vm.py starts it.

Standard input is the display, the board and the script's timeline as JSON. Written in
MicroPython's Python.
"""

import builtins
import gc
import io
import json
import sys

import uctypes

from nimatron.dice import Dice
from nimatron_sim.circuit import Circuit
from nimatron_sim.recorder import Recorder
from pico_testbench.boards import BOARDS, UNIQUE_ID
from pico_testbench.clock import Clock
from pico_testbench.simulated.chip import BOOT_MS, CAUSE_POWER_ON, SimulatedChip
from pico_testbench.simulated.files import Files

# Each needs the modules before it. The mirrored asyncio is not used here.
MIRRORED = ("time", "uctypes", "os", "micropython", "machine", "rp2", "sys", "select", "_asyncio")
_MIRROR = "pico_testbench.mirror."
_FRESH = ("main", "nimatron", "asyncio", _MIRROR[:-1])  # imported again by every chip

_print = print

# What compiling leaves behind must not decide whether a large piece of memory is found: the files
# of a Pico come compiled.
gc.threshold(65_536)


class Unwound(BaseException):
    """Leave whatever the firmware is doing, because its CPU has ended."""


class _Over(BaseException):
    """The script has ended."""


def _report(record):
    _print(json.dumps(record))


class VmPico:
    """The host of a chip whose CPU is this VM. `record` gets each trace record."""

    mirrored = MIRRORED
    unique_id = UNIQUE_ID

    def __init__(self, display, board, record=_report, seed=0):
        self.board = BOARDS[board]
        self.clock = Clock()
        self.circuit = Circuit(remember=64, display=display)
        self.circuit.clock = self.clock
        self._dice = Dice(seed)
        self.takes_us = None
        self.files = Files()
        self.files.contents["/settings.json"] = json.dumps({"display": display})
        self.scratch = {}
        self.memory = []
        self._recorder = Recorder(self.clock, self.circuit, record)
        self.clock.settled = self._recorder.look
        self.clock.pause = _over
        self._power_up(CAUSE_POWER_ON)

    def plan(self, moments):
        """Put each [ms, verb, argument] of a script on the clock."""
        for ms, verb, argument in moments:
            self.clock.call_at(ms * 1000, self.doer(verb, argument))

    def play(self, moments, end):
        """Do each [ms, verb, argument] of a script, and run on until `end` ms."""
        self.plan(moments)
        self.clock.limit = end * 1000
        while True:
            try:
                if self.circuit.chip:
                    self._execute(self.circuit.chip)
                else:
                    self.clock.wait(None)
            except Unwound:
                pass
            except _Over:
                break
        self._recorder.look()

    def doer(self, verb, argument):
        """A function that carries out this verb."""
        if verb == "send":
            return lambda: self._send(argument.encode() + b"\n")
        if verb == "power":
            return self._power_on if argument == "on" else self._power_off
        return lambda: getattr(self.circuit, verb)(argument)

    def _send(self, data):
        if self.circuit.chip:
            self.circuit.chip.receive(data)

    # ------------------------------------------------------------------ power

    def _power_on(self):
        if not self.circuit.chip:
            self.scratch.clear()
            self.memory = []
            self._power_up(CAUSE_POWER_ON)
            raise Unwound

    def _power_off(self):
        if self.circuit.chip:
            self._die()
            raise Unwound

    def reset(self, cause):
        self._power_up(cause)
        raise Unwound

    def _power_up(self, cause):
        self._die()
        SimulatedChip(self.clock, self.circuit, cause, self)

    def _die(self):
        if self.circuit.chip:
            self.circuit.chip.alive = False
            self.circuit.chip = None

    def _execute(self, chip):
        """The CPU, from the boot ROM until the power ends."""
        chip.sleep(BOOT_MS * 1000)
        self.run_main(chip)
        while True:  # main.py has ended: MicroPython waits at its prompt
            self.clock.wait(None)

    def run_main(self, chip):
        """Run main.py among the mirrored modules."""
        _forget_firmware()
        sys.modules["chip"] = chip
        builtins.print = chip.usb.print
        builtins.open = self.files.open
        for name in self.mirrored:
            __import__(_MIRROR + name)
            sys.modules[name] = sys.modules[_MIRROR + name]
        self.enter(chip, lambda: __import__("main"))

    def enter(self, chip, program):
        """Run a program of the firmware. If it fails, MicroPython prints why."""
        try:
            program()
        except Exception as failure:
            chip.usb.print_exception(failure)

    # ------------------------------------------------------------------ services for the chip

    def entropy(self, n):
        return bytes([self._dice.roll(256) for _ in range(n)])

    def view(self, buffer):
        return uctypes.bytearray_at(uctypes.addressof(buffer), len(bytes(buffer)))

    def traceback(self, failure):
        text = io.StringIO()
        sys.print_exception(failure, text)
        return text.getvalue()

    def weak(self, thing):
        """A strong reference: this Python has no weak ones."""
        return lambda: thing


def _forget_firmware():
    for name in list(sys.modules):
        for fresh in _FRESH:
            if name == fresh or name.startswith(fresh + "."):
                sys.modules.pop(name, None)  # a name is in the list twice if memory ran out then


def _over():
    raise _Over


def main(pico):
    display, board, moments, end = json.loads(sys.stdin.read())
    pico(display, board).play(moments, end)


if __name__ == "__main__":
    main(VmPico)
