"""Programs that tests use and a computer may lack. If one is missing, TierUnavailable names the
package to install, and conftest.py skips the test.
"""

import shutil
import sys
from pathlib import Path

from long_run import LONG

from nimatron_sim.errors import TierUnavailable

PUPPETEER = Path(sys.prefix) / "firefox"  # its node_modules contains npm's puppeteer-core


def program(name, package=None):
    """Return the path of a program. `package` is its Debian package, if the name differs."""
    found = shutil.which(name)
    if not found:
        install = f"on Debian: apt-get install {package or name}"
        raise TierUnavailable(f"{name} is not on the PATH; {install}")
    return Path(found)


def browser(whole=None):
    """Return the path of a Chromium. If `whole` is true, it has windows, as in a long run. A
    Chromium without windows needs half the CPU time."""
    names = ["chromium", "chromium-browser", "google-chrome"]
    if not (LONG if whole is None else whole):
        names.insert(0, "chromium-headless-shell")
    found = [Path(path) for name in names if (path := shutil.which(name))]
    return found[0] if found else program("chromium")


def firefox():
    """Return the path of a Firefox that node can drive."""
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    if not (found and shutil.which("node") and (PUPPETEER / "node_modules").exists()):
        install = "on Debian: apt-get install firefox-esr nodejs npm; make .venv/firefox"
        raise TierUnavailable(f"Firefox, node and puppeteer-core are not all there; {install}")
    return Path(found)
