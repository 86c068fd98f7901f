"""The program that turns MicroPython in WebAssembly into a simulated Pico. pico.js starts it, in
node or in a browser.

In a browser, no program may run for long, and MicroPython collects garbage only while no Python
runs. Therefore, the firmware runs in steps. A step ends with an exception, which leaves the
firmware between two turns of its tasks. The next step enters asyncio's loop again. The program is
written in MicroPython's Python.
"""

import json
import sys

from nimatron_sim.simulated.chip import BOOT_MS
from nimatron_sim.vm_main import MIRRORED, Pause, VmPico

_WAIT_US = 1000  # the time slice in a wait that cannot be interrupted


class WebPico(VmPico):
    """A Pico that runs in steps. `flash` is {name: text} of its files, or None for a new flash."""

    # The mirrored asyncio is needed, because this MicroPython's own asyncio waits for JavaScript.
    mirrored = MIRRORED + ("asyncio",)

    def __init__(self, display, board, record, seed=0, flash=None):
        self._leaving = False  # True while the firmware can be left
        self._main = None  # the main task in the firmware's asyncio.run
        self._booted = False
        VmPico.__init__(self, display, board, record, seed)
        if flash:
            self.files.contents.update(flash)
        self.files._erase = self._wrote
        self.written = False  # True if a file was written since the page last saved the files

    def unwound(self):
        self._booted = False
        self._main = None

    def next_moment(self, end):
        """Return the time of the next event, or `end` if that is earlier."""
        return min(end, self.clock.next)

    def press(self, button):
        self.circuit.press(button)

    def release(self, button):
        self.circuit.release(button)

    def send(self, line):
        """Type a line at the console."""
        self.clock.call_at(self.clock.now, self.doer("send", line))

    def run(self):
        """Run the CPU from its current point until the power ends."""
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
        """Serve as the firmware's asyncio.run. A second call continues the first coroutine."""
        if self._main is None:
            self._main = sys.modules["asyncio"].create_task(coro)
        return self._loop(self._main)

    def _again(self):
        """Continue the firmware. The Python frames that called asyncio.run no longer exist."""
        app = sys.modules.get("nimatron.app")
        if app:
            app.run(b"")
        else:
            self._loop(self._main)

    def _idle(self, until):
        """Let time pass until `until`. During this wait, a step can end."""
        self._leaving = True
        try:
            self.clock.wait(until)
        finally:
            self._leaving = False

    def pause(self):
        """End the step, or run on for a little if the firmware is in an uninterruptible wait."""
        if self._leaving:
            raise Pause
        self.clock.limit += _WAIT_US

    def _wrote(self):
        self.written = True


class Tape:
    """A player for scripts, which collects the trace, one JSON object per line."""

    def __init__(self, display, board, moments, end):
        self._lines = []
        self._end = end
        self._pico = WebPico(display, board, lambda record: self._lines.append(json.dumps(record)))
        self._pico.plan(moments)

    def play(self, ms):
        """Run for another `ms`, and return the new lines, or None after the end of the script."""
        now = self._pico.clock.now // 1000
        if now >= self._end:
            return None
        self._pico.run_to(min(now + ms, self._end) * 1000)
        lines, self._lines = self._lines, []
        return "".join([line + "\n" for line in lines])


def tape(given):
    """Return a Tape. `given` is the same JSON as vm_main gets from vm.py."""
    return Tape(*json.loads(given))
