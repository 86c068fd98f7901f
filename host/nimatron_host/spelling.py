"""Suggestions for mistyped names."""

from collections.abc import Iterable
from difflib import get_close_matches

_ALIKE = 0.65  # the least similarity, from 0 to 1: dance is not a typing error for trace
_BEGINNING = 4  # the number of letters that are enough to recognize a name


def nearest(typed: str, names: list[str]) -> list[str]:
    """Return a list with the name nearest to `typed`, or an empty list if none is near enough."""
    return get_close_matches(typed.lower(), names, 1, _ALIKE)


def instead(typed: str, names: Iterable[str], otherwise: str) -> str:
    """Return the remedy for a mistyped name: the nearest of `names`, or else `otherwise`."""
    names = [*names]
    near = nearest(typed, names)
    if not near and len(typed) >= _BEGINNING:
        near = [name for name in names if name.startswith(typed.lower())]
    return f"Did you mean {' or '.join(near)}?" if near else otherwise
