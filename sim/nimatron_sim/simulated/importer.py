"""Imports for one simulated Pico. Its modules come from its flash and from the mirror, and the
rest of the process never sees them."""

import builtins
import functools
import importlib
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from pico_testbench.faults import NotModelled

MIRROR = Path(__file__).parent / "mirror"

# Modules that work the same in MicroPython, shared with the rest of the process.
_SAME = {"array", "binascii", "collections", "errno", "hashlib", "heapq"}
_SAME |= {"io", "json", "math", "struct"}
_ABSENT = ("open", "input", "breakpoint", "help", "exit", "quit")


class Loader:
    """The loader. `files` maps names on the flash to files on this computer. `given` contains
    existing modules, such as `chip`, and `built_in` the Pico's own built-in functions."""

    def __init__(
        self, files: dict[str, Path], given: dict[str, Any], **built_in: Callable[..., object]
    ) -> None:
        self._files = files
        self._modules: dict[str, types.ModuleType] = dict(given)
        self._builtins = dict(vars(builtins), __import__=self._import)
        for name in _ABSENT:
            del self._builtins[name]
        self._builtins.update(built_in)

    def run(self, file: str) -> None:
        """Execute a file from the flash as the main program."""
        main = self._modules["__main__"] = types.ModuleType("__main__")
        self._execute(main, self._files[file])

    def _import(
        self,
        name: str,
        globals: object = None,
        locals: object = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> types.ModuleType:
        if level:
            raise NotModelled("a relative import")
        self._modules["chip"].work("import " + name)
        parts = name.split(".")
        for i in range(len(parts)):
            module = self._load(".".join(parts[: i + 1]))
        for attribute in fromlist or ():
            if not hasattr(module, attribute) and hasattr(module, "__path__"):
                self._load(name + "." + attribute)
        return module if fromlist else self._modules[parts[0]]

    def _load(self, name: str) -> types.ModuleType:
        if name not in self._modules:
            module = self._find(name)
            parent, _, child = name.rpartition(".")
            if parent:
                setattr(self._modules[parent], child, module)
        return self._modules[name]

    def _find(self, name: str) -> types.ModuleType:
        path = name.replace(".", "/")
        mirrored = MIRROR / (path + ".py")
        module = types.ModuleType(name)
        if path + "/__init__.py" in self._files:
            module.__path__ = [path]
            file = self._files[path + "/__init__.py"]
        elif path + ".py" in self._files:
            file = self._files[path + ".py"]
        elif mirrored.exists():
            file = mirrored
        elif name in _SAME or name.startswith(("nimatron_sim", "pico_testbench")):
            self._modules[name] = importlib.import_module(name)
            return self._modules[name]
        else:
            raise ImportError(f"no module named '{name}'")
        self._modules[name] = module
        try:
            self._execute(module, file)
        except BaseException:
            del self._modules[name]
            raise
        if file is mirrored:
            vars(module)["__getattr__"] = functools.partial(_refuse, name)
        return module

    def _execute(self, module: types.ModuleType, file: Path) -> None:
        module.__file__ = str(file)
        vars(module)["__builtins__"] = self._builtins
        exec(_compile(file, file.stat().st_mtime_ns), vars(module))


def _refuse(module: str, name: str) -> NoReturn:
    """Refuse a name that a mirrored module lacks, because MicroPython's module may have it."""
    if name[:2] == "__":
        raise AttributeError(name)
    raise NotModelled(f"the simulated Pico has no {module}.{name}: the emulated one may have it")


@functools.lru_cache(maxsize=256)
def _compile(file: Path, version: int) -> types.CodeType:
    return compile(file.read_text(encoding="utf-8"), str(file), "exec")
