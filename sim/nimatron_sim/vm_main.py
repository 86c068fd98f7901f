"""The program that turns the MicroPython VM into a simulated Pico. It boots the firmware, plays a
script and prints the trace, one JSON object per line. vm.py starts it.

Standard input contains the display, the board and the script's timeline as JSON. The program is
written in MicroPython's Python.
"""

import builtins
import gc
import io
import json
import sys

import uctypes

from nimatron.dice import Dice
from nimatron_sim.cabinet import Circuit
from nimatron_sim.simulated.chip import BOOT_MS, SimulatedChip
from nimatron_sim.simulated.flash_files import Files
from nimatron_sim.trace import Recorder
from pico_testbench.clock import Clock
from pico_testbench.models import BOARDS, CAUSE_POWER_ON, UNIQUE_ID

# Each module needs the modules before it. The mirrored asyncio is not used here.
MIRRORED = ("time", "uctypes", "os", "micropython", "machine", "rp2", "sys", "select", "_asyncio")
_MIRROR = "nimatron_sim.simulated.mirror."
_FRESH = ("main", "nimatron", "asyncio", _MIRROR[:-1])  # modules that every chip imports again

_print = print

# Garbage from compiling must not decide whether a large block of memory is available, because the
# files on a Pico are already compiled.
gc.threshold(65_536)


class Unwound(BaseException):
    """An exception that stops the firmware, because its CPU has ended."""


class Pause(BaseException):
    """An exception raised when the clock has reached its limit."""


def _report(record):
    _print(json.dumps(record))


class VmPico:
    """The host of a chip whose CPU is this VM. record() is called with each trace record."""

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
        self.clock.pause = self.pause
        self._power_up(CAUSE_POWER_ON)

    def plan(self, moments):
        """Set an alarm for each [ms, verb, argument] in a script."""
        for ms, verb, argument in moments:
            self.clock.call_at(ms * 1000, self.doer(verb, argument))

    def run_to(self, us):
        """Run until the clock shows `us`."""
        self.clock.limit = us
        while True:
            try:
                self.run()
            except Unwound:  # the chip was reset, or has no power
                self.unwound()
            except Pause:
                break
        self._recorder.look()

    def pause(self):
        raise Pause

    def unwound(self):
        """Record that the firmware has been stopped."""

    def doer(self, verb, argument):
        """Return a function that carries out this verb."""
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

    def run(self):
        """Run the CPU, from the boot ROM until the power ends."""
        chip = self.circuit.chip
        if chip:
            chip.sleep(BOOT_MS * 1000)
            self.run_main(chip)
        while True:  # without power, or at MicroPython's prompt
            self.clock.wait(None)

    def run_main(self, chip):
        """Run main.py with the mirrored modules."""
        _forget_firmware()
        sys.modules["chip"] = chip
        builtins.print = chip.usb.print
        builtins.open = self.files.open
        for name in self.mirrored:
            __import__(_MIRROR + name)
            sys.modules[name] = sys.modules[_MIRROR + name]
        self.enter(chip, lambda: __import__("main"))

    def enter(self, chip, program):
        """Run a program from the firmware. If it fails, MicroPython prints the traceback."""
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
        """Return a strong reference, because MicroPython has no weak references."""
        return lambda: thing


def _forget_firmware():
    for name in list(sys.modules):
        for fresh in _FRESH:
            if name == fresh or name.startswith(fresh + "."):
                sys.modules.pop(name, None)  # a failed import can list a name twice


def main(kind):
    display, board, moments, end = json.loads(sys.stdin.read())
    pico = kind(display, board)
    pico.plan(moments)
    pico.run_to(end * 1000)


if __name__ == "__main__":
    main(VmPico)
