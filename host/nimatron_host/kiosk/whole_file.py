"""Small files of the kiosk's, which a power cut cannot spoil."""

import os
from pathlib import Path


def write(path: Path, text: str) -> None:
    """Write all of it or nothing, for nobody else to read; raises OSError."""
    new = path.with_suffix(".new")
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new.unlink(missing_ok=True)
    door = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(door, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
