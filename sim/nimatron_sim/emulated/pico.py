"""EmulatedPico: the deployable image, MicroPython and the firmware, on an emulated RP2040."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from nimatron_sim import firmware
from nimatron_sim.circuit import Circuit
from nimatron_sim.emulated import flash as _flash
from nimatron_sim.emulated import image as _image
from nimatron_sim.emulated.rp2040 import EmulatedChip
from nimatron_sim.pico import SETTINGS, Pico
from pico_testbench.boards import BOARDS, PICO
from pico_testbench.simulated.chip import CAUSE_RESET
from pico_testbench.together import moments
from pico_testbench.usb import CLOSED, NOT_READING

_LOOK_US = 1000  # how often to check a condition


class Chip(Protocol):
    """What an EmulatedPico has of its chip."""

    @property
    def us(self) -> float:
        """Microseconds since power-up."""

    @property
    def settled(self) -> bool:
        """True if nothing is changing just now."""

    @property
    def flash(self) -> bytes:
        """The file system, as it is now."""

    @property
    def cable(self) -> str:
        """The state of the cable, one of usb.STATES."""

    def plug(self, state: str) -> None: ...
    def run(self, us: int) -> None: ...


class EmulatedPico(Pico):
    """A Pico with MicroPython and the firmware on its flash, on an emulated chip.

    files: what is installed, name: file, modules compiled; by default the bundle that a deploy
        writes of what package.json lists.
    source: install modules as they are, not compiled.
    flash: a file system as another EmulatedPico left it, instead of a new one with `files`.
    image: the MicroPython image's file; by default the one image.find() finds. It says which
        board this is.
    settings: what has been set on it, name: value; not together with `flash`.

    on_flash(offset, content) is called whenever a piece of the file system has been erased or
    programmed.

    Raises TierUnavailable. Nothing happens until `run` or something that runs is called.
    """

    def __init__(
        self,
        circuit: Circuit | None = None,
        files: dict[str, Path] | None = None,
        record: Callable[[dict[str, Any]], object] | None = None,
        *,
        source: bool = False,
        flash: bytes | None = None,
        image: Path | None = None,
        settings: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(circuit, record)
        found = _image.bootable(image)
        self._image, self.board = found, found.board or BOARDS[PICO]
        installed: dict[str, Path | bytes] = dict(files or firmware.files())
        if not files and not source:
            installed = dict(_flash.release())
        if settings:
            installed[SETTINGS] = json.dumps(settings).encode()
        self._flash = flash or _flash.build(installed, source, self.board.file_system[1])
        self.on_flash: Callable[[int, bytes], None] | None = None
        self._chip: Chip | None = None
        self._powered_at = 0
        self._cut = False  # it was reset, perhaps in the middle of a line
        self.power_on()

    # ------------------------------------------------------------------ power

    def power_on(self) -> None:
        if self._chip is None:
            self._powered_at = self.clock.now
            if self._cable == NOT_READING:
                self._cable = CLOSED  # the program that had it open has lost its port
            self._chip = self.circuit.chip = self._new_chip()
            self._chip.plug(self._cable)
            self._tell_darkness()

    def _new_chip(self) -> Chip:
        return EmulatedChip(
            self._image.flash,
            self._flash,
            self.circuit,
            self._was_reset,
            self._flashed,
            self.board,
        )

    def power_off(self) -> None:
        """Cut the power, whatever the firmware is doing."""
        self._flash = self.flash
        self._chip = self.circuit.chip = None
        self._tell_darkness()

    @property
    def flash(self) -> bytes:
        """The file system on its flash, as it is now; flash.mount looks into it."""
        return self._chip.flash if self._chip else self._flash

    def _was_reset(self) -> None:
        self.resets.append(CAUSE_RESET)
        if self._chip:
            self._cable = self._chip.cable
        self._cut = True

    def _flashed(self, offset: int, content: bytes) -> None:
        if self.on_flash:
            self.on_flash(offset, content)

    # ------------------------------------------------------------------ time

    def run_to(self, us: int) -> None:
        """Run until the clock shows `us` microseconds. Raises Dark, see darkness.py."""
        for _ in moments(self.clock, lambda: (self._chip, self._powered_at), us):
            if not self._chip or self._chip.settled:
                self._recorder.look()
            if self._cut:
                self._cut = False
                self._recorder.cut()
        self.judge()

    def next_moment(self, end: int) -> int:
        """The next time worth looking at, at the latest `end`."""
        return min(end, self.clock.now + _LOOK_US)

    # ------------------------------------------------------------------ console

    def _plug(self, state: str) -> None:
        if self._chip:
            self._chip.plug(state)
