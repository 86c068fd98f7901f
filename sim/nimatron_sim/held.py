"""A file that one program holds for as long as it runs."""

from pathlib import Path

from filelock import FileLock, Timeout

from nimatron_sim.errors import UserError


def hold(path: Path, taken: str) -> FileLock:
    """Return the lock in this file, to be released. Raises UserError with the text `taken` if
    another program has it, and OSError if the file cannot be made."""
    lock = FileLock(path)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise UserError(taken) from None
    return lock
