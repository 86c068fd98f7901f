"""npm's rp2040js: where it is, and what it does not model."""

import json
import shutil
import sys
from pathlib import Path

from nimatron_sim.errors import TierUnavailable

VERSION = "1.4.1"
FOLDER = Path(sys.prefix) / "node"  # its node_modules has the package

_INSTALL = f"npm install --prefix {FOLDER} --no-save --no-package-lock rp2040js@{VERSION}"


def node() -> str:
    """The command `node`.

    Raises TierUnavailable unless it is there, and the package for it.
    """
    found = shutil.which("node")
    if not found:
        raise TierUnavailable(
            "the Pico on rp2040js needs node, which is not on the PATH: install Node.js 18 or"
            f" newer, then: {_INSTALL}"
        )
    there = _version()
    if there != VERSION:
        why = f"is version {there}" if there else "is missing"
        raise TierUnavailable(f"rp2040js {VERSION} is needed, but it {why}: {_INSTALL}")
    return found


def _version():
    try:
        text = (FOLDER / "node_modules" / "rp2040js" / "package.json").read_text()
        return json.loads(text)["version"]
    except (OSError, ValueError, KeyError):
        return None
