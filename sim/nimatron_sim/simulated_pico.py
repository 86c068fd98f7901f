"""SimulatedPico, which boots the firmware folder on a simulated chip, in virtual time."""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from nimatron.dice import Dice
from nimatron_sim import firmware
from nimatron_sim.base_pico import SETTINGS, Pico
from nimatron_sim.cabinet import Circuit
from nimatron_sim.simulated.core import SimulatedCore
from nimatron_sim.simulated.flash_files import Files
from pico_testbench.models import BOARDS, PICO, UNIQUE_ID


class SimulatedPico(Pico):
    """A Pico with the firmware on its flash, on a simulated chip.

    files: {name: file} on the flash, by default the files in package.json.
    entropy: the seed for its os.urandom, or None for real entropy.
    settings: {name: value} of the saved settings.
    erase_ms: how long a flash erase takes, during which the CPU serves no interrupt: 45 is
        typical, 400 the maximum (W25Q16JV data sheet). In this simulation, each save needs two
        erases. With littlefs on a real flash, a save needs 1.4 to 3.4 erases on average.
    board: one of models.BOARDS, by default `usual_board`.
    takes_us: the time that each CPU action takes, as in SimulatedCore.
    unique_id: the eight bytes that machine.unique_id() returns.

    Nothing happens, not even power-up, until you call `run` or another method that runs the Pico.
    """

    core: SimulatedCore
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
        self.files = Files(files or firmware.files(), self._erase)
        self.erase_ms = erase_ms
        if settings:
            self.files.contents["/" + SETTINGS] = json.dumps(settings)
        dice = Dice(entropy or 0)
        self.core = SimulatedCore(
            self.board,
            self.clock,
            self.circuit,
            self.files.installed,
            self.files,
            os.urandom if entropy is None else lambda n: bytes([dice.roll(256) for _ in range(n)]),
            self._restarted,
            takes_us,
            unique_id,
        )
        self.clock.settled = self._recorder.look
        if record:
            self._record = partial(self.core.guarded, record)
        self._awaited: Callable[[], object] | None = None
        self.power_on()

    def _erase(self) -> None:
        if self.erase_ms and self.circuit.chip:
            self.circuit.chip.stall(self.erase_ms * 1000)

    # ------------------------------------------------------------------ time

    def run_to(self, us: int) -> None:
        """Run until the clock shows `us` microseconds.

        Raises Dark, any exception from `record`, and a Fault if the firmware does something
        impossible to the hardware.
        """
        self.core.run_to(us)
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

    def _settled(self) -> bool:
        """Look at the circuit after a moment. Return True if the host's condition now holds."""
        self._recorder.look()
        if self._awaited and self.core.guarded(self._awaited):
            self._awaited = None
        return self._awaited is None
