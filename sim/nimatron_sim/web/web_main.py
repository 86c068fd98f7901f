"""The program that turns MicroPython in WebAssembly into a simulated Pico. pico.js starts it, in
node or in a browser.

A browser lets nothing run for long, and MicroPython collects garbage here only while nothing runs.
So the firmware runs in steps. A step ends by an exception, which leaves the firmware between two
turns of its tasks. The next step enters asyncio's loop again. Written in MicroPython's Python.
"""

import json
import sys

from nimatron_sim.vm.vm_main import MIRRORED, Unwound, VmPico
from pico_testbench.simulated.chip import BOOT_MS

_WAIT_US = 1000  # the time slice of a wait that cannot be interrupted


class _Pause(BaseException):
    """The step is over."""


class WebPico(VmPico):
    """A Pico that runs in steps. flash: its files, name: text, or None for a new one."""

    # The asyncio of this MicroPython waits for JavaScript.
    mirrored = MIRRORED + ("asyncio",)

    def __init__(self, display, board, record, seed=0, flash=None):
        self._leaving = False  # the firmware can be left now
        self._main = None  # the task of the firmware's asyncio.run
        self._booted = False
        VmPico.__init__(self, display, board, record, seed)
        if flash:
            self.files.contents.update(flash)
        self.files._erase = self._wrote
        self.written = False  # to a file, since the page last saved the files
        self.clock.pause = self._pause

    def run_to(self, us):
        """Run until the clock shows `us`, or a little longer if the firmware waits where it cannot
        be left."""
        self.clock.limit = us
        while True:
            try:
                self._run()
            except Unwound:  # reset, or without power
                self._booted = False
                self._main = None
            except _Pause:
                break
        self._recorder.look()

    def next_moment(self, end):
        """The next time of interest, at the latest `end`."""
        return min(end, self.clock.next)

    def press(self, button):
        self.circuit.press(button)

    def release(self, button):
        self.circuit.release(button)

    def send(self, line):
        """Type a line at the console."""
        self.clock.call_at(self.clock.now, self.doer("send", line))

    def _run(self):
        """The CPU, from its present point until the power ends."""
        chip = self.circuit.chip
        if chip and not self._booted:
            while self.clock.now < chip.booted_at + BOOT_MS * 1000:
                self._idle(chip.booted_at + BOOT_MS * 1000)
            chip.idle = self._idle
            self._booted = True
            self.run_main(chip)
        elif self._main:
            self.enter(chip, self._again)
        self._main = None
        while True:
            self._idle(None)  # without power, or at MicroPython's prompt

    def enter(self, chip, program):
        asyncio = sys.modules["asyncio"]
        self._loop = asyncio.run_until_complete
        asyncio.run = self._run_tasks
        VmPico.enter(self, chip, program)

    def _run_tasks(self, coro):
        """The firmware's asyncio.run. When it is called again, the first coroutine continues."""
        if self._main is None:
            self._main = sys.modules["asyncio"].create_task(coro)
        return self._loop(self._main)

    def _again(self):
        """Continue the firmware. The frames that had called asyncio.run are gone."""
        app = sys.modules.get("nimatron.app")
        if app:
            app.run(b"")
        else:
            self._loop(self._main)

    def _idle(self, until):
        """Let time pass until `until`. The firmware can be left here."""
        self._leaving = True
        try:
            self.clock.wait(until)
        finally:
            self._leaving = False

    def _pause(self):
        if self._leaving:
            raise _Pause
        self.clock.limit += _WAIT_US

    def _wrote(self):
        self.written = True


class Tape:
    """Plays a script and collects its trace, one JSON object per line."""

    def __init__(self, display, board, moments, end):
        self._lines = []
        self._end = end
        self._pico = WebPico(display, board, lambda record: self._lines.append(json.dumps(record)))
        self._pico.plan(moments)

    def play(self, ms):
        """Run `ms` further, and return the new lines, and None at the end of the script."""
        now = self._pico.clock.now // 1000
        if now >= self._end:
            return None
        self._pico.run_to(min(now + ms, self._end) * 1000)
        lines, self._lines = self._lines, []
        return "".join([line + "\n" for line in lines])


def tape(given):
    """A Tape of the JSON that vm.py gives vm_main."""
    return Tape(*json.loads(given))
