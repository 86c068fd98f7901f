"""SimulatedPico: boot the firmware folder on a simulated chip, in virtual time."""

import json
import os
import traceback
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from greenlet import getcurrent, greenlet

from nimatron.dice import Dice
from nimatron_sim import firmware
from nimatron_sim.circuit import Circuit
from nimatron_sim.pico import SETTINGS, Pico
from pico_testbench import usb
from pico_testbench.boards import BOARDS, PICO, UNIQUE_ID
from pico_testbench.simulated.chip import BOOT_MS, CAUSE_POWER_ON, Chip
from pico_testbench.simulated.files import Files
from pico_testbench.simulated.loader import Loader
from pico_testbench.simulated.unreal import Fault

_SOFT_BOOT_MS = 20
_CTRL_C, _CTRL_D = 3, 4
_NO_KEY = -1


class SimulatedPico(Pico):
    """A Pico with the firmware on its flash, on a simulated chip.

    files: its flash, name: file; by default what package.json lists.
    entropy: the seed of its os.urandom; None for real entropy.
    settings: the settings saved on it, name: value.
    erase_ms: how long an erase of its flash takes, during which the CPU serves no interrupt: 45 is
        typical, 400 the most (W25Q16JV data sheet). A save makes two erases here; with littlefs on
        a real flash, it makes 1.4 to 3.4 on average.
    board: one of boards.BOARDS; by default `usual_board`.
    takes_us: called with what the CPU does, "turn" (of a task), "collect" (garbage), "read" (some
        bytes) or "import NAME"; the us that it takes. By default nothing takes any time.
    unique_id: the eight bytes by which machine.unique_id() tells one Pico from another.

    Nothing happens, not even power-up, until `run` or something that runs is called.
    """

    usual_board = PICO

    def __init__(
        self,
        circuit: Circuit | None = None,
        files: dict[str, Path] | None = None,
        entropy: int | None = 0,
        record: Callable[[dict[str, Any]], object] | None = None,
        settings: dict[str, Any] | None = None,
        erase_ms: int = 0,
        board: str | None = None,
        takes_us: Callable[[str], int] | None = None,
        unique_id: bytes = UNIQUE_ID,
    ) -> None:
        super().__init__(circuit, record)
        self.board = BOARDS[board or self.usual_board]
        self.erase_ms = erase_ms
        self.takes_us = takes_us
        self.unique_id = unique_id
        self._files = files or firmware.files()
        self.files = Files(self._files, self._erase)
        if settings:
            self.files.contents["/" + SETTINGS] = json.dumps(settings)
        self.scratch: dict[int, int] = {}  # the watchdog's registers
        self.memory: list[tuple[Any, ...]] = []  # the buffers in its SRAM: uctypes
        self._dice = Dice(entropy) if entropy is not None else None
        self._chip: Chip | None = None
        self._cpu: greenlet | None = None
        self._host = getcurrent()
        self._then: Callable[[], None] | None = None
        self._fault: BaseException | None = None
        self.clock.pause = lambda: self._host.switch()
        self.clock.settled = self._recorder.look
        if record:
            self._record = partial(self._outside, record)
        self._awaited: Callable[[], object] | None = None
        self.power_on()

    # ------------------------------------------------------------------ power

    def power_on(self) -> None:
        if self._cpu is None:
            self.scratch.clear()
            self.memory = []
            self._boot(CAUSE_POWER_ON)

    def power_off(self) -> None:
        """Cut the power, whatever the firmware is doing."""
        self._from_outside(self._die)

    def reset(self, cause: int) -> None:
        """Reset the chip, for machine.reset() and the watchdog; its CPU never returns."""
        self.resets.append(cause)
        self._from_outside(partial(self._boot, cause))

    def _from_outside(self, action: Callable[[], None]) -> None:
        """Run an action from outside the CPU, because the CPU cannot do it to itself."""
        if getcurrent() is self._cpu:
            self._then = action
            self._host.switch()
        else:
            action()

    def _boot(self, cause: int) -> None:
        self._die()
        self._chip = Chip(self.clock, self.circuit, cause, self)
        if self._cable in (usb.NOT_READING, usb.SUSPENDED):
            self._cable = usb.CLOSED  # a serial line that starts over is open at neither end
        self._chip.usb.plug(self._cable)
        self._cpu = greenlet(self._execute)
        self.clock.next = self.clock.now
        self._tell_darkness()

    def _die(self) -> None:
        if self._chip:
            self._chip.alive = False
        self._chip = self.circuit.chip = None
        self._tell_darkness()
        cpu, self._cpu = self._cpu, None
        if cpu is not None:
            cpu.throw()

    def _execute(self) -> None:
        """The CPU, from the boot ROM to the end of time."""
        chip = self._chip
        assert chip
        chip.interrupt_key = _NO_KEY  # the boot ROM knows none
        chip.sleep(BOOT_MS * 1000)
        while True:
            loader = Loader(
                self._files, {"chip": chip}, print=chip.usb.print, open=self.files.open
            )
            if not self._run_main(chip, loader):
                self._prompt(chip)
            chip.soft_reset()
            chip.usb.print("MPY: soft reboot")
            chip.sleep(_SOFT_BOOT_MS * 1000)

    def _run_main(self, chip: Chip, loader: Loader) -> bool:
        """Run main.py; true if it wants to be run again."""
        chip.interrupt_key = _CTRL_C
        try:
            loader.run("main.py")
        except Fault as fault:
            self._fault = fault
        except SystemExit:
            return True
        except (Exception, KeyboardInterrupt) as failure:
            chip.interrupt_key = _NO_KEY
            chip.usb.print_exception(failure)
        return False

    def _prompt(self, chip: Chip) -> None:
        """Wait at MicroPython's prompt; this one knows only Ctrl-D. Ctrl-C is an ordinary key
        there (shared/runtime/pyexec.c)."""
        chip.interrupt_key = _NO_KEY
        chip.heed_no_interrupt()
        while _CTRL_D not in chip.received:
            chip.received.clear()
            self.clock.wait(None)
        chip.received.clear()

    def _erase(self) -> None:
        if self.erase_ms and self._chip:
            self._chip.stall(self.erase_ms * 1000)

    def _settled(self) -> bool:
        """Look at the circuit after a moment; true if the host's condition now holds."""
        self._recorder.look()
        if self._awaited and self._outside(self._awaited):
            self._awaited = None
        return self._awaited is None

    def _outside(self, function: Callable[..., object], *args: object) -> object:
        """Call a function of the host. This may happen inside the firmware, which must not see its
        exceptions."""
        try:
            return function(*args)
        except BaseException as failure:
            if getcurrent() is not self._cpu:
                raise
            self._fault = failure
            self._host.switch()
            return None

    # ------------------------------------------------------------------ what the chip asks of us

    def entropy(self, n: int) -> bytes:
        if self._dice is None:
            return os.urandom(n)
        return bytes([self._dice.roll(256) for _ in range(n)])

    def view(self, buffer: Any) -> memoryview:
        return memoryview(buffer).cast("B")

    def traceback(self, failure: BaseException) -> str:
        return "".join(traceback.format_exception(failure))

    weak = staticmethod(weakref.ref)

    # ------------------------------------------------------------------ time

    def run_to(self, us: int) -> None:
        """Run until the clock shows `us` microseconds.

        Raises a Fault if the firmware does something impossible to the hardware, and whatever
        `record` raises.
        """
        self._host = getcurrent()
        while True:
            if self._cpu is not None:
                self.clock.limit = us
                self._cpu.switch()
                if self._fault:
                    fault, self._fault = self._fault, None
                    raise fault
                if not self._then:
                    break
                then, self._then = self._then, None
                then()
            else:
                alarm = self.clock.next_alarm()
                if alarm > us:
                    self.clock.pass_to(us)
                    break
                if not self.clock.pass_to(alarm):
                    break
        self._recorder.look()
        self.judge()

    def _run_on(self, condition: Callable[[], object], end: int) -> object:
        self._awaited = condition
        self.clock.settled = self._settled
        try:
            self.run_to(end)
            return self._awaited is None or condition()
        finally:
            self.clock.settled = self._recorder.look

    def next_moment(self, end: int) -> int:
        """The next time worth looking at, at the latest `end`."""
        return min(end, self.clock.next)

    # ------------------------------------------------------------------ console

    def _plug(self, state: str) -> None:
        if self._chip:
            self._chip.usb.plug(state)
