"""The examples on a page of the docs, with output from real runs.

`python tests/examples.py docs/explanation/theory.md` runs each command on the page that has output
below it, and writes its current output into the page. A test compares the two.
"""

import io
import re
import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

from nimatron_host import cli

_COMMAND = re.compile(
    r"^((    +)\$ (?:printf '(.+?)' \| )?nimatron (.+?)(?: \| head -(\d+))?\n)"
    r"(\2(?!\$).*\n(?:\2(?!\$).*\n|\n(?=\2(?!\$)))*)",
    re.M,
)


def refreshed(page: str) -> str:
    """Return the page with the current output of its commands."""
    return _COMMAND.sub(lambda found: found[1] + _output(*found.groups()[1:5]), page)


def count(page: str) -> int:
    """Return the number of commands of the page that are run."""
    return len(_COMMAND.findall(page))


def _output(indent: str, typed: str | None, command: str, lines: str | None) -> str:
    printed, keys = io.StringIO(), (typed or "").replace("\\n", "\n").encode()
    with redirect_stdout(printed), mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(keys))):
        status = cli.main(shlex.split(command))
    if status:
        raise ValueError(f"nimatron {command}: exit status {status}")
    shown = printed.getvalue().splitlines()[: int(lines) if lines else None]
    return "".join(f"{indent}{line}".rstrip() + "\n" for line in shown)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")
