"""The examples of a page of the docs: their output comes from real runs.

`python tests/examples.py docs/explanation/theory.md` runs each command of the page
that has output below it, and writes its present output into the page. A test compares.
"""

import io
import re
import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path

from nimatron_host import cli

_COMMAND = re.compile(
    r"^(    \$ nimatron (.+?)(?: \| head -(\d+))?\n)"
    r"(    (?!\$).*\n(?:    (?!\$).*\n|\n(?=    (?!\$)))*)",
    re.M,
)


def refreshed(page: str) -> str:
    """The page with what its commands print now."""
    return _COMMAND.sub(lambda found: found[1] + _indented(found[2], found[3]), page)


def count(page: str) -> int:
    """How many commands of the page are run."""
    return len(_COMMAND.findall(page))


def _indented(command: str, lines: str | None) -> str:
    printed = io.StringIO()
    with redirect_stdout(printed):
        status = cli.main(shlex.split(command))
    if status:
        raise ValueError(f"nimatron {command}: exit status {status}")
    shown = printed.getvalue().splitlines()[: int(lines) if lines else None]
    return "".join(f"    {line}".rstrip() + "\n" for line in shown)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")
