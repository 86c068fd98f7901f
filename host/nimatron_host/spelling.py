"""What somebody probably meant who mistyped a name."""

from collections.abc import Iterable
from difflib import get_close_matches

_ALIKE = 0.65  # at least, from 0 to 1: dance is not a slip of the finger for trace


def instead(typed: str, names: Iterable[str], otherwise: str) -> str:
    """What to do about a mistyped name: take the nearest of these names, if one is near enough."""
    near = get_close_matches(typed.lower(), names, 1, _ALIKE)
    return f"did you mean {near[0]}?" if near else otherwise
