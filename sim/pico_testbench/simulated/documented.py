"""The names that MicroPython documents for the RP2040 in `machine`, `rp2`, `time` and `asyncio`.

If the mirror lacks a name, the name is refused. In other modules, every missing name is refused.
"""

import functools
import types
from pathlib import Path

from pico_testbench.simulated.unreal import lacking

MODULES = ("machine", "rp2", "time", "asyncio")
_LIST = Path(__file__).with_name("documented.txt")


@functools.cache
def names() -> tuple[str, ...]:
    """Return the documented names, such as machine.Pin.irq."""
    return tuple(_LIST.read_text(encoding="utf-8").split())


def refuse_the_rest(module: types.ModuleType) -> None:
    """Let a module of the mirror refuse each name that only a real module may have."""
    missing = set()
    for name in names():
        first, *path, last = name.split(".")
        if first != module.__name__:
            continue
        owner = vars(module).get(path[0]) if path else module
        if owner is module and last not in vars(module):
            missing.add(last)
        elif owner is not module and owner is not None and not hasattr(owner, last):
            setattr(owner, last, _Refusal(name))
    before = vars(module).get("__getattr__")

    def refuse(name: str) -> object:
        undocumented = module.__name__ not in MODULES and name[:2] != "__"
        if name in missing or undocumented:
            raise lacking(f"{module.__name__}.{name}")
        if before:
            return before(name)
        raise AttributeError(f"module '{module.__name__}' has no attribute '{name}'")

    vars(module)["__getattr__"] = refuse


class _Refusal:
    """Takes the place of an attribute of a class."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> object:
        raise lacking(self._name)
