"""The tiers by name: a Pico of each kind, and the trace of a script on it.

What a kind needs is imported when somebody asks for it: the emulator is an extra.
"""

from collections.abc import Callable
from pathlib import Path

from nimatron_sim.circuit import Circuit
from nimatron_sim.emulated import image
from nimatron_sim.pico import Pico
from nimatron_sim.simulated.pico import SimulatedPico
from nimatron_sim.vm import vm

SIM, EMULATOR, VM = "sim", "emulator", "vm"

Record = Callable[[dict], None]


class NotHere(Exception):
    """This computer cannot run that tier; the text, one line, says why and what to do."""


def check(tier: str, image_file: Path | None = None) -> None:
    """Raises NotHere unless `pico` would work. image_file: an image other than the usual one."""
    if tier != EMULATOR:
        return
    try:
        import nimatron_sim.emulated.pico  # noqa: F401
    except ImportError as why:
        raise NotHere(f"the emulated Pico needs {why.name}: {image.EXTRA}") from None
    try:
        image.load(image_file)
    except image.NoImage as why:
        raise NotHere(str(why)) from None


def pico(tier: str, record: Record, entropy: int | None = 0, display: str = "matrix") -> Pico:
    """A Pico to play on. entropy: as SimulatedPico has it; the emulated one's is constant.
    display: which one is wired, and set."""
    check(tier)
    circuit, settings = Circuit(display=display), {"display": display}
    if tier == SIM:
        return SimulatedPico(circuit, record=record, entropy=entropy, settings=settings)
    from nimatron_sim.emulated.pico import EmulatedPico

    return EmulatedPico(circuit, record=record, settings=settings)


def trace(tier: str, text: str, record: Record, display: str = "matrix") -> None:
    """Run a script (see script.py) and hand each trace record to `record`. display: as above.

    Raises ValueError if it is no script.
    """
    if tier != VM:
        pico(tier, record, display=display).play(text)
        return
    try:
        for change in vm.trace(text, display=display):
            record(change)
    except vm.VmMissing as why:
        raise NotHere(str(why)) from None
    except vm.VmFailed as why:
        first, *_, last = str(why).strip().splitlines()
        raise NotHere(f"{first}: {last.strip()}") from None
