"""The parts of a simulated Pico around its chip: the CPU, which is this Python on a separate
greenlet, and everything that outlives a reset. Ctrl-C at this computer, and a limit for firmware
that computes forever, stop it from outside."""

import builtins
import signal
import traceback
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from greenlet import getcurrent, greenlet

from nimatron_sim.simulated.chip import BOOT_MS, SimulatedChip
from nimatron_sim.simulated.flash_files import Files
from nimatron_sim.simulated.importer import MIRROR, Loader
from pico_testbench.clock import Clock
from pico_testbench.faults import Fault
from pico_testbench.models import CAUSE_POWER_ON, UNIQUE_ID, Model
from pico_testbench.usb_cable import CLOSED, NOT_READING, READING, SUSPENDED

_SOFT_BOOT_MS = 20
_CTRL_D = 4
_CTRL_C = 3
_NO_KEY = -1


class SimulatedCore:
    """The CPU and its memories, and the host of the chip (see chip.SimulatedChip), from one
    power-on to the next.

    circuit: the circuit around the chips.
    installed: {name on the flash: file}, the modules that can be imported.
    files: the flash.
    entropy(n): n bytes for os.urandom.
    restarted(cause): called after a reset, and with None when the power is switched.
    takes_us(action): returns the time in us that the CPU takes for an action: "turn" (of a task),
        "collect" (garbage), "read" (some bytes) or "import NAME". By default, no action takes
        time.
    """

    weak = staticmethod(weakref.ref)

    def __init__(
        self,
        board: Model,
        clock: Clock,
        circuit: Any,
        installed: dict[str, Path],
        files: Files,
        entropy: Callable[[int], bytes],
        restarted: Callable[[int | None], None],
        takes_us: Callable[[str], int] | None = None,
        unique_id: bytes = UNIQUE_ID,
    ) -> None:
        self.board = board
        self.clock = clock
        self.circuit = circuit
        self.installed = installed
        self.files = files
        self.entropy = entropy
        self.takes_us = takes_us
        self.unique_id = unique_id
        self.scratch: dict[int, int] = {}  # the watchdog's registers
        self.memory: list[tuple[Any, ...]] = []  # the buffers in its SRAM: uctypes
        self.cable = READING  # one of usb.STATES
        self._restarted = restarted
        self._chip: SimulatedChip | None = None
        self._cpu: greenlet | None = None
        self._host = getcurrent()
        self._then: Callable[[], None] | None = None
        self._fault: BaseException | None = None
        clock.pause = lambda: self._host.switch()

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
        """Reset the chip, for machine.reset() and the watchdog. The firmware does not continue."""
        self._from_outside(partial(self._boot, cause))

    def _from_outside(self, action: Callable[[], None]) -> None:
        """Run an action outside the CPU. The CPU cannot, for example, reset itself."""
        if getcurrent() is self._cpu:
            self._then = action
            self._host.switch()
        else:
            action()

    def _boot(self, cause: int) -> None:
        self._die()
        self._chip = SimulatedChip(self.clock, self.circuit, cause, self)
        if self.cable in (NOT_READING, SUSPENDED):
            self.cable = CLOSED  # a serial line that starts over is open at neither end
        self._chip.usb.plug(self.cable)
        self._cpu = greenlet(self._execute)
        self.clock.next = self.clock.now
        self._restarted(None if cause == CAUSE_POWER_ON else cause)

    def _die(self) -> None:
        if self._chip:
            self._chip.alive = False
        self._chip = self.circuit.chip = None
        self._restarted(None)
        cpu, self._cpu = self._cpu, None
        if cpu is not None:
            cpu.throw()

    def plug(self, cable: str) -> None:
        """Set the state of the USB cable, one of usb.STATES."""
        self.cable = cable
        if self._chip:
            self._chip.usb.plug(cable)

    # ------------------------------------------------------------------ the CPU

    def _execute(self) -> None:
        """Run the CPU, from the boot ROM until the power ends."""
        chip = self._chip
        assert chip
        chip.interrupt_key = _NO_KEY  # the boot ROM has no such key
        chip.sleep(BOOT_MS * 1000)
        while True:
            loader = Loader(
                self.installed, {"chip": chip}, print=chip.usb.print, open=self.files.open
            )
            ended = [self._run(chip, loader, name) for name in ("boot.py", "main.py")]
            if True not in ended:
                self._prompt(chip)
            chip.soft_reset()
            chip.usb.print("MPY: soft reboot")
            chip.sleep(_SOFT_BOOT_MS * 1000)

    def _run(self, chip: SimulatedChip, loader: Loader, name: str) -> bool:
        """Run a file, if it exists. Return True if the file must run again."""
        chip.interrupt_key = _CTRL_C
        try:
            if name in self.installed:
                loader.run(name)
        except Fault as fault:
            self.fail(fault)
        except SystemExit:
            return True
        except (Exception, KeyboardInterrupt) as failure:
            chip.interrupt_key = _NO_KEY
            chip.usb.print_exception(failure)
        return False

    def _prompt(self, chip: SimulatedChip) -> None:
        """Wait at MicroPython's prompt, which accepts only Ctrl-D in this simulation. Ctrl-C is an
        ordinary key at a prompt (shared/runtime/pyexec.c)."""
        chip.interrupt_key = _NO_KEY
        chip.interrupted = False
        while _CTRL_D not in chip.received:
            chip.received.clear()
            self.clock.wait(None)
        chip.received.clear()

    # ------------------------------------------------------------------ time

    def run_to(self, us: int) -> None:
        """Run until the clock shows `us`, or until the clock's `settled` returns true. Raises a
        Fault if the firmware does something impossible to the hardware, and any exception that
        `guarded` has caught."""
        self._host = getcurrent()
        clock = self.clock
        while True:
            if self._cpu is not None:
                clock.limit = us
                self._cpu.switch()
                if self._fault:
                    fault, self._fault = self._fault, None
                    raise fault
                if not self._then:
                    break
                then, self._then = self._then, None
                then()
            else:
                alarm = clock.next_alarm()
                if alarm > us:
                    clock.pass_to(us)
                    break
                if not clock.pass_to(alarm):
                    break

    def next_moment(self) -> int:
        """Return the time of the next event."""
        return int(self.clock.next)

    def guarded(self, function: Callable[..., object], *args: object) -> object:
        """Call a function of the host, perhaps from inside the firmware. The firmware must not see
        its exceptions, so `run_to` raises them."""
        try:
            return function(*args)
        except BaseException as failure:
            if getcurrent() is not self._cpu:
                raise
            self.fail(failure)
            return None

    def fail(self, failure: BaseException) -> None:
        """Make `run_to` raise this exception."""
        self._fault = failure
        if getcurrent() is self._cpu:
            self._host.switch()

    # ------------------------------------------------------------------ services for the chip

    def view(self, buffer: Any) -> memoryview:
        return memoryview(buffer).cast("B")

    def traceback(self, failure: BaseException) -> str:
        """Return the traceback as MicroPython prints it, with the firmware's frames only."""
        names = {str(path): name for name, path in reversed(self.installed.items())}
        lines = ["Traceback (most recent call last):"]
        for frame, line in traceback.walk_tb(failure.__traceback__):
            if is_firmware(frame):
                path = frame.f_code.co_filename
                lines.append(
                    f'  File "{names.get(path, path)}", line {line}, in {frame.f_code.co_name}'
                )
        return "\n".join([*lines, f"{type(failure).__name__}: {failure}", ""])


class Stuck(Fault):
    """An error for firmware that computes forever. The message shows where."""


@contextmanager
def ctrl_c() -> Iterator[None]:
    """Let Ctrl-C at this computer stop the program that runs the Pico. If the firmware is running,
    it must not see this as a Ctrl-C on its serial line."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    host = getcurrent().parent  # of a CPU's greenlet
    if host:
        host.throw(KeyboardInterrupt)
    raise KeyboardInterrupt


@contextmanager
def stuck_after(seconds: float) -> Iterator[Callable[[], object]]:
    """Provide a function `again`. If it is not called for this many seconds of CPU time, raise
    Stuck in the firmware, where the operating system allows it."""
    if not hasattr(signal, "setitimer"):
        yield lambda: None
        return
    before = signal.signal(signal.SIGVTALRM, _stuck)
    try:
        yield lambda: signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _stuck(number: int, frame: FrameType | None) -> None:
    while frame and not is_firmware(frame):
        frame = frame.f_back
    name = Path(frame.f_code.co_filename).name if frame else "the simulator"
    raise Stuck(f"the firmware computes forever in {name}, line {frame and frame.f_lineno}")


def is_firmware(frame: FrameType) -> bool:
    """Return True for code of the firmware or of the mirror, which have their own built-in
    functions."""
    if frame.f_builtins is vars(builtins):
        return False
    return MIRROR not in Path(frame.f_code.co_filename).parents
