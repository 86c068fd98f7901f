"""Run the tests that may need programs other than Python, as on a fresh machine with an empty home
directory and no MicroPython image, browser, node, ngspice or broker. Arguments go to pytest.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Programs that a fresh machine lacks, by the beginnings of their names.
LACKS = ("chrom", "google-chrome", "firefox", "node", "npm", "npx", "ngspice", "mosquitto", "prom")
# Tests of the pure core and of the simulated Pico need no tools, as tests/test_house.py checks.
PURE = ("games", "firmware", "sim", "play")
_HERE = Path(__file__).parent


def rooms():
    """Return the folders and files with all other tests."""
    found = [path for path in sorted(_HERE.iterdir()) if path.name not in PURE]
    return [path for path in found if path.is_dir() or path.name.startswith("test_")]


def fill(folder):
    """Link the programs of this computer that a fresh machine also has."""
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).glob("*"):
            link = folder / program.name
            if not program.name.startswith(LACKS) and not link.is_symlink():
                link.symlink_to(program)


def main(words):
    with tempfile.TemporaryDirectory() as name:
        home, programs = Path(name, "home"), Path(name, "programs")
        home.mkdir()
        programs.mkdir()
        fill(programs)
        kept = ("LANG", "LC_ALL", "TMPDIR", "SSL_CERT_FILE")
        env = {key: os.environ[key] for key in kept if key in os.environ}
        env |= {"HOME": str(home), "PATH": str(programs), "PYTHONPATH": str(_HERE)}
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
        return subprocess.run([*command, *map(str, rooms())], env=env, cwd=_HERE.parent).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
