"""SecondPico: the deployable image on rp2040js."""

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

    def _new_chip(self) -> Chip:
        return Chip(self.uf2, self.circuit, self._was_reset, self.board)

    def power_off(self) -> None:
        chip = cast("Chip | None", self._chip)
        super().power_off()
        if chip:
            chip.end()
