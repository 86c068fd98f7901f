"""The emulated Pico: a real MicroPython image on an emulated chip, with a flash that outlives
it."""

import math
from collections.abc import Callable
from typing import Generic, TypeVar

from pico_testbench.clock import Clock
from pico_testbench.models import CAUSE_RESET
from pico_testbench.rp2040 import EmulatedChip
from pico_testbench.usb_cable import CLOSED, NOT_READING, READING

_LOOK_US = 1000  # how often to check a condition

AnyChip = TypeVar("AnyChip", bound=EmulatedChip)


class EmulatedCore(Generic[AnyChip]):
    """An emulated Pico without its parts: a flash, and a chip from power-on to power-off.

    files: the file system on its flash.
    powered_up(files, was_reset): a function that returns a chip that starts with these files.
    look: called when something may have changed and the firmware has responded.
    restarted(cause): called after a reset, and with None when the power is switched.
    """

    def __init__(
        self,
        clock: Clock,
        files: bytes,
        powered_up: Callable[[bytes, Callable[[], None]], AnyChip],
        look: Callable[[], object],
        restarted: Callable[[int | None], None],
    ) -> None:
        self.chip: AnyChip | None = None
        self.powered_at = 0
        self._clock = clock
        self._files = files
        self._cable = READING
        self._powered_up = powered_up
        self._look = look
        self._restarted = restarted
        self._reset = False  # True if the chip was reset since the last look

    def power_on(self) -> None:
        if self.chip is None:
            self.powered_at = self._clock.now
            self.chip = self._powered_up(self._files, self.was_reset)
            # A program that had the port open has lost the port.
            self.chip.plug(CLOSED if self._cable == NOT_READING else self._cable)
            self._restarted(None)

    def power_off(self) -> None:
        """Cut the power, whatever the firmware is doing."""
        self._files, self._cable, self.chip = self.flash, self.cable, None
        self._restarted(None)

    def was_reset(self) -> None:
        """Call `restarted` when the chip stops running."""
        self._reset = True

    @property
    def flash(self) -> bytes:
        """The current file system."""
        return self.chip.flash if self.chip else self._files

    @property
    def cable(self) -> str:
        """The state of the USB cable, one of usb.STATES."""
        return self.chip.cable if self.chip else self._cable

    def plug(self, cable: str) -> None:
        if self.chip:
            self.chip.plug(cable)
        self._cable = cable

    def run_to(self, us: int) -> None:
        """Run until the clock shows `us`."""
        __tracebackhide__ = True
        clock = self._clock
        end = clock.now - 1
        while end < us:
            chip = self.chip
            end = min(us, clock.next_alarm())
            if chip:
                chip.run(end - self.powered_at)
                end = min(end, self.powered_at + math.ceil(chip.us))
            clock.pass_to(end)
            if not self.chip or self.chip.settled:
                self._look()
            if self._reset:
                self._reset = False
                self._restarted(CAUSE_RESET)

    def next_moment(self) -> int:
        """Return the time of the next event."""
        return self._clock.now + _LOOK_US
