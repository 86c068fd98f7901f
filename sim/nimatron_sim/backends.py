"""The backends by name. Each makes a Pico of its kind, and the trace of a script on that Pico.

The modules of a backend are imported only when it is used, because the emulator is an extra.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nimatron_relays
from nimatron_sim import extras, firmware, vm
from nimatron_sim.base_pico import Pico
from nimatron_sim.cabinet import Circuit
from nimatron_sim.emulated import bootable_image
from nimatron_sim.errors import stopped
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.web import web
from pico_testbench.faults import Fault
from pico_testbench.models import PICO

SIM, EMULATOR, VM, WEB, RELAYS = "sim", "emulator", "vm", "web", "relays"

_OPPONENT = "nimatron/opponent.py"
_COMPUTED = "nimatron/_computed.py"

Record = Callable[[dict[str, Any]], object]


def check(tier: str, image_file: Path | None = None) -> None:
    """Raise TierUnavailable if pico() cannot work with this backend. The image in `image_file`
    replaces the usual image."""
    if tier == EMULATOR:
        check_extra()
        bootable_image.bootable(image_file)


def check_extra() -> None:
    """Raise TierUnavailable if the packages of the `emulator` extra are not installed."""
    try:
        import nimatron_sim.emulated.emulated_pico  # noqa: F401
    except ImportError as why:
        raise extras.missing(why.name or "", EMULATOR, "the emulated Pico") from None


def pico(
    tier: str,
    record: Record,
    entropy: int | None = 0,
    display: str = "matrix",
    board: str = PICO,
    image_file: Path | None = None,
    settings: dict[str, str] | None = None,
) -> Pico:
    """Return a Pico to play on. On the RELAYS tier, a simulated Pico asks the circuit of 1940.

    entropy: see SimulatedPico. On the emulated Pico, this seed is constant.
    display: the display to wire and to set in the settings.
    board: the board of the simulated Pico. On the emulated Pico, the image decides the board.
    image_file: the image, by default the usual image.
    settings: {name: value} of the saved settings."""
    check(tier, image_file)
    circuit, settings = Circuit(display=display), (settings or {}) | {"display": display}
    if tier in (SIM, RELAYS):
        files = with_relays() if tier == RELAYS else None
        return SimulatedPico(circuit, files, entropy, record, settings, board=board)
    from nimatron_sim.emulated.emulated_pico import EmulatedPico

    return EmulatedPico(circuit, record=record, settings=settings, image=image_file)


def with_relays() -> dict[str, Path]:
    """Return {name on the flash: file} for a simulated Pico whose moves the relays choose."""
    files = firmware.files()
    folder = Path(nimatron_relays.__file__).parent
    files[_COMPUTED] = files[_OPPONENT]
    files |= {f"{folder.name}/{path.name}": path for path in folder.glob("*.py")}
    files[_OPPONENT] = folder / "relay_opponent.py"
    return files


def trace(
    tier: str,
    text: str,
    record: Record,
    display: str = "matrix",
    board: str = PICO,
    image_file: Path | None = None,
) -> None:
    """Run a script (see script.py) and pass each trace record to `record`. For the other
    arguments, see pico().

    Raises UserError if the text is not a valid script, or if the Pico ends before the script does.
    """
    if tier in (VM, WEB):
        whole = (vm if tier == VM else web).trace(text, display=display, on=board)
        for change in whole:
            record(change)
        return
    try:
        pico(tier, record, 0, display, board, image_file).play(text)
    except Fault as fault:
        raise stopped(fault) from None
