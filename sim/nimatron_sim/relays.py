"""The firmware with relays in place of its arithmetic: the circuit of 1940 chooses each move."""

from pathlib import Path

import nimatron_relays
from nimatron_sim import firmware

_OPPONENT = "nimatron/opponent.py"
_COMPUTED = "nimatron/_computed.py"


def files() -> dict[str, Path]:
    """Return {name on the flash: file} for a simulated Pico whose moves the relays choose."""
    files = firmware.files()
    folder = Path(nimatron_relays.__file__).parent
    files[_COMPUTED] = files[_OPPONENT]
    files |= {f"{folder.name}/{path.name}": path for path in folder.glob("*.py")}
    files[_OPPONENT] = folder / "opponent.py"
    return files
