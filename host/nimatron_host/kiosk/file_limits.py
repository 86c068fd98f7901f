"""Limits for the number of open files in this process."""

import os
from pathlib import Path

try:
    import resource
except ImportError:  # Windows, where sockets are not files
    resource = None  # type: ignore[assignment]

_FEWEST = 8
_OURS = 24  # the number of files that this process opens later: libraries, databases, ports


def connections(most: int, spare: int) -> int:
    """Return the number of connections to allow, at most `most`, so that `spare` files remain
    free."""
    if not resource:
        return most
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return most
    return max(_FEWEST, min(most, soft - _open_now() - _OURS - spare))


def _open_now() -> int:
    folder = Path("/dev/fd")
    return len(os.listdir(folder)) if folder.exists() else 0
