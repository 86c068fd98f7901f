"""The path of npm's rp2040js, and the parts of a Pico that it does not model."""

import json
import shlex
import sys
from pathlib import Path

import needs
from nimatron_sim.errors import TierUnavailable, UserError

VERSION = "1.4.1"
FOLDER = Path(sys.prefix) / "node"  # its node_modules contains the package

INSTALL = (
    f"npm install --prefix {shlex.quote(str(FOLDER))} --no-save --no-package-lock"
    f" rp2040js@{VERSION}"
)

CABLE = "cable"
LEFT_OUT = {  # each in words of the README
    CABLE: "an unplugged USB cable, or a PC program that closes the port or stops reading",
    "chance": "chance: the chip's random bits are constant, so each start draws the same numbers",
    "fall times": "how fast an input falls, so `health` never knows the wires of the lamps",
    "second core": "the second core",
    "radio": "the radio and the LED of a Pico W",
    "flash time": "the time that a flash chip needs to erase and write",
    "flash cache": "the cache for code on flash, whose misses slow down a real Pico",
}


def unmodelled(what: str) -> UserError:
    """Return the error for a needed item from LEFT_OUT."""
    return UserError(f"the Pico on rp2040js leaves out {LEFT_OUT[what]}: use another tier")


def node() -> str:
    """Return the `node` command.

    Raises TierUnavailable unless it and the package exist.
    """
    found = str(needs.program("node", "nodejs"))
    there = _version()
    if there != VERSION:
        why = f"{there} is there" if there else "it is missing"
        raise TierUnavailable(f"rp2040js {VERSION} is needed, but {why}: {INSTALL}")
    return found


def _version() -> str | None:
    try:
        text = (FOLDER / "node_modules" / "rp2040js" / "package.json").read_text()
        return str(json.loads(text)["version"])
    except (OSError, ValueError, KeyError):
        return None


if __name__ == "__main__":
    print(INSTALL)  # for the Makefile
