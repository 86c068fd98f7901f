"""Output to a terminal or a file in any encoding: `è` becomes `e` if the encoding has no `è`."""

import codecs
import sys
import unicodedata
from typing import TextIO

_HANDLER = "nimatron_host.printable"
_INSTEAD = {
    "×": "x",
    "·": "*",
    "⊕": "^",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "–": "-",
    "—": "-",
    "−": "-",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "±": "+-",
    "Ω": "ohm",
    "µ": "u",
    "ß": "ss",
    "°": " deg",
}


def print_in_any_encoding() -> None:
    """If the encoding of standard output lacks a letter, print a plainer letter or ? instead."""
    codecs.register_error(_HANDLER, _plainer)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_HANDLER)


def draws(stream: TextIO) -> bool:
    """Return True if the encoding of `stream` has the lamps and lines of the panel."""
    try:
        "█●┌".encode(stream.encoding)
    except UnicodeEncodeError:
        return False
    return True


def _plainer(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(map(_letter, text)), error.end


def _letter(letter: str) -> str:
    if letter in _INSTEAD:
        return _INSTEAD[letter]
    without = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return without or "?"
