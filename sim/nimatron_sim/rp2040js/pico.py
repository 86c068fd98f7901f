"""SecondPico: the deployable image on rp2040js."""

from collections.abc import Callable
from typing import cast

from nimatron_sim.emulated import image
from nimatron_sim.emulated.pico import EmulatedPico
from nimatron_sim.rp2040js.chip import Chip


class SecondPico(EmulatedPico):
    """As EmulatedPico, on another emulator, which does not model everything (see package.py)."""

    @property
    def uf2(self) -> bytes:
        """MicroPython and the file system, as for a Pico's boot drive."""
        return image.pack(image.with_files(self._image, self.flash))

    def _powered_up(self, files: bytes, was_reset: Callable[[], None]) -> Chip:
        uf2 = image.pack(image.with_files(self._image, files))
        chip = self.circuit.chip = Chip(uf2, self.circuit, was_reset, self.board)
        return chip

    def power_off(self) -> None:
        chip = cast("Chip | None", self.core.chip)
        super().power_off()
        if chip:
            chip.end()
