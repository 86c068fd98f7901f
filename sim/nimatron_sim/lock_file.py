"""A lock file that one program holds for as long as it runs."""

from pathlib import Path

from filelock import FileLock, Timeout

from nimatron_sim.errors import UserError


def hold(path: Path, taken: str) -> FileLock:
    """Lock this file, and return the lock, which the caller must release. Raises UserError with
    the text `taken` if another program holds the lock, and OSError if creating the file fails."""
    lock = FileLock(path)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise UserError(taken) from None
    return lock
