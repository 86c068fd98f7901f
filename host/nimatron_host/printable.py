"""Output to a terminal or a file in any encoding."""

import sys
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
