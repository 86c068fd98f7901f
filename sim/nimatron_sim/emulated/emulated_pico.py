"""EmulatedPico: the deployable image, MicroPython and the firmware, on an emulated RP2040."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nimatron_sim import firmware
from nimatron_sim.base_pico import SETTINGS, Pico
from nimatron_sim.cabinet import Circuit
from nimatron_sim.emulated import bootable_image as _image
from nimatron_sim.emulated import pico_flash as _flash
from nimatron_sim.emulated.soldered_chip import SolderedChip
from pico_testbench import rp2040
from pico_testbench.emulated_core import EmulatedCore
from pico_testbench.models import BOARDS, PICO


class EmulatedPico(Pico):
    """A Pico with MicroPython and the firmware on its flash, on an emulated chip.

    files: {name: file} to install, with modules compiled, by default the bundle of a deploy.
    source: True to install modules as source, not compiled.
    flash: the file system from another EmulatedPico, instead of a new one with `files`.
    image: the MicroPython image, which decides the board, by default bootable_image.find().
    settings: {name: value} of the saved settings. It cannot be combined with `flash`.

    on_flash(offset, content) is called whenever a part of the file system has been erased or
    programmed.

    Raises TierUnavailable. Nothing happens until you call `run` or another method that runs the
    Pico.
    """

    core: EmulatedCore[rp2040.EmulatedChip]

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
        files_now = flash or _flash.build(installed, source, self.board.file_system[1])
        self.on_flash: Callable[[int, bytes], None] | None = None
        self.core = EmulatedCore(
            self.clock, files_now, self._powered_up, self._recorder.look, self._restarted
        )
        self.power_on()

    def _powered_up(self, files: bytes, was_reset: Callable[[], None]) -> rp2040.EmulatedChip:
        chip = SolderedChip(
            self._image.flash, files, self.circuit, was_reset, self._flashed, self.board
        )
        self.circuit.chip = chip
        return chip

    def power_off(self) -> None:
        self.circuit.chip = None
        super().power_off()

    @property
    def flash(self) -> bytes:
        """The current file system on the Pico's flash. Read it with pico_flash.mount."""
        return self.core.flash

    def _flashed(self, offset: int, content: bytes) -> None:
        if self.on_flash:
            self.on_flash(offset, content)
