"""Output to a terminal or a file: in any encoding, and in aligned columns."""

import sys
from collections.abc import Sequence
from typing import TextIO


def print_in_any_encoding() -> None:
    """If the encoding of standard output lacks a letter, print ? instead."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def draws(stream: TextIO) -> bool:
    """Return True if the encoding of `stream` has the lamps and lines of the panel."""
    try:
        "█●┌".encode(stream.encoding)
    except UnicodeEncodeError:
        return False
    return True


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
