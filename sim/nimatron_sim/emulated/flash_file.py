"""A file that serves as a Pico's flash: whatever is written to the flash is in the file at once,
so it outlives the emulator as real flash outlives a power cut."""

import contextlib
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout
from littlefs import LittleFSError

from nimatron_sim.emulated import flash
from nimatron_sim.errors import UserError


class FlashFile:
    """The file. fresh() makes the contents of the flash if there is no such file yet; `size` is
    that of the board's file system.

    Raises UserError if the file cannot serve as a flash.
    """

    def __init__(self, path: Path, fresh: Callable[[], bytes], size: int = flash.SIZE) -> None:
        try:
            if not path.exists():
                aside = path.with_name(path.name + ".new")
                aside.write_bytes(fresh())
                aside.replace(path)
            self._file = path.open("r+b", buffering=0)
        except OSError as why:
            raise UserError(f"cannot keep the flash in {path}: {why.strerror}") from None
        self._lock = FileLock(f"{path.resolve()}.lock")
        try:
            self._lock.acquire(blocking=False)
            self.content = path.read_bytes()
            _check(self.content, size)
        except Timeout:
            wrong = "another emulated Pico has it"
        except ValueError as why:
            wrong = str(why)
        else:
            return
        self.close()
        raise UserError(f"cannot keep the flash in {path}: {wrong}")

    def write(self, offset: int, content: bytes) -> None:
        self._file.seek(offset)
        self._file.write(content)

    def close(self) -> None:
        self._file.close()
        self._lock.release()


def _check(content: bytes, size: int) -> None:
    if len(content) != size:
        raise ValueError(f"it has {len(content)} bytes, but the Pico's file system has {size}")
    with contextlib.suppress(LittleFSError):
        flash.mount(content)
        return
    raise ValueError("it is not a littlefs file system; name another file, or delete it")
