"""The flash of an emulated Pico: the firmware as a file system, with its modules compiled, and a
file that keeps the flash. Each write reaches the file immediately, so the data outlives the
emulator as real flash outlives a power cut."""

import contextlib
import functools
from collections.abc import Callable, Mapping
from pathlib import Path

from littlefs import LittleFSError

from nimatron_sim import firmware
from nimatron_sim.errors import UserError
from nimatron_sim.lock_file import hold
from pico_testbench import littlefs_image
from pico_testbench.littlefs_image import SIZE, START, mount

__all__ = ("SIZE", "START", "build", "installed", "mount")

_MAIN = "main.py"  # the file that MicroPython runs from source


def build(files: Mapping[str, Path | bytes], source: bool = False, size: int = SIZE) -> bytes:
    """Return a file system of `size` bytes with these files, {name: path or content}. Modules are
    compiled, unless `source` is true."""
    return littlefs_image.build(installed(files, source), size)


def installed(files: Mapping[str, Path | bytes], source: bool = False) -> dict[str, Path | bytes]:
    """Return the files for the flash. Modules are compiled, unless `source` is true."""
    found: dict[str, Path | bytes] = {}
    for name, file in files.items():
        if isinstance(file, Path) and name.endswith(".py") and name != _MAIN and not source:
            found[name[:-3] + ".mpy"] = firmware.compiled(file, name)
        else:
            found[name] = file
    return found


@functools.cache
def release() -> Mapping[str, bytes]:
    """Return the firmware's files as a deploy writes them."""
    return firmware.release(firmware.files())


class FlashFile:
    """A file that serves as a Pico's flash. fresh() returns the contents of a new flash. `size` is
    the size of the board's file system.

    Raises UserError if the file cannot serve as a flash.
    """

    def __init__(self, path: Path, fresh: Callable[[], bytes], size: int = SIZE) -> None:
        try:
            if not path.exists():
                aside = path.with_name(path.name + ".new")
                aside.write_bytes(fresh())
                aside.replace(path)
            self._file = path.open("r+b", buffering=0)
        except OSError as why:
            raise UserError(f"cannot keep the flash in {path}: {why.strerror}") from None
        cannot = f"cannot keep the flash in {path}"
        with contextlib.ExitStack() as stack:
            stack.callback(self._file.close)
            lock = Path(f"{path.resolve()}.lock")
            self._lock = hold(lock, f"{cannot}: another emulated Pico has it")
            stack.callback(self._lock.release)
            self.content = path.read_bytes()
            try:
                _check(self.content, size)
            except ValueError as why:
                raise UserError(f"{cannot}: {why}") from None
            stack.pop_all()

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
        mount(content)
        return
    raise ValueError("it is not a littlefs file system. Name another file, or delete it")
