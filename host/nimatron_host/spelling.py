"""Suggestions for mistyped names."""

from collections.abc import Iterable
from difflib import get_close_matches

_ALIKE = 0.65  # at least, from 0 to 1: dance is not a slip of the finger for trace
_BEGINNING = 4  # letters that are enough of a name


def nearest(typed: str, names: list[str]) -> list[str]:
    """The nearest name to the typed one, if one is near enough, or an empty list."""
    return get_close_matches(typed.lower(), names, 1, _ALIKE)


def instead(typed: str, names: Iterable[str], otherwise: str) -> str:
    """The remedy for a mistyped name: the nearest of these names, if one is near enough."""
    names = [*names]
    near = nearest(typed, names)
    if not near and len(typed) >= _BEGINNING:
        near = [name for name in names if name.startswith(typed.lower())]
    return f"Did you mean {' or '.join(near)}?" if near else otherwise
