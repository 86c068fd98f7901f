"""Follow a page to the letter by writing its files and running its commands.

Libraries that test a page's examples run each example in this Python. Here, most examples are
files for another Python, and the page shows the report from pytest.
"""

import re
import subprocess
import sys
from pathlib import Path

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
_NAMED = re.compile(r"# (\S+\.py)\n")
_PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "pico_testbench.plugin"]


def steps(page: str) -> list[list[tuple[str, str]]]:
    """Return the page as sections, each a list of (kind, text) for its blocks."""
    return [_BLOCK.findall(section) for section in re.split(r"^## ", page, flags=re.M)]


def follow(blocks: list[tuple[str, str]], folder: Path) -> int:
    """Carry out the blocks of a section. Return the number of commands."""
    commands = 0
    for kind, text in blocks:
        if kind == "python":
            name = _NAMED.match(text)[1]
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        elif kind == "console":
            command, *shown = text.splitlines()
            _check(command.removeprefix("$ ").split(), shown, folder)
            commands += 1
    return commands


def _check(command, shown, folder):
    assert command[0] == "pytest", command
    (folder / "pytest.ini").write_text("[pytest]\n")
    done = subprocess.run(
        [*_PYTEST, *command[1:]], cwd=folder, capture_output=True, text=True, timeout=600
    )
    said = done.stdout.splitlines()
    where = 0
    for line in shown:  # each in its own line, in this order
        found = [n for n in range(where, len(said)) if line.strip() in said[n]]
        assert found, f"{line!r} is not in\n{done.stdout}{done.stderr}"
        where = found[0]
    assert done.returncode == ("failed" in shown[-1])
