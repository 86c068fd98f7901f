"""The names of ports, with or without a device."""

import re
from pathlib import Path


def is_port(word: str) -> bool:
    """Return True if `word` looks like the name of a port."""
    return "/" in word or word.upper().startswith("COM")


def is_device(name: str) -> bool:
    """Return True if `name` is the name of a port and not of a file, whether or not it exists."""
    if "://" in name or re.fullmatch(r"(\\\\\.\\)?COM\d+", name, re.I):
        return True
    return Path(name).is_char_device() or name.startswith("/dev/")
