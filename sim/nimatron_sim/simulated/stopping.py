"""Ways to stop a simulated Pico from outside: Ctrl-C at this computer, and a limit for firmware
that computes forever."""

import builtins
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from greenlet import getcurrent

from nimatron_sim.simulated.loader import MIRROR
from pico_testbench.unreal import Fault


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
