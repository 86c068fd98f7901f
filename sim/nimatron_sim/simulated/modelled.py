"""The page docs/simulated.md: what the simulated Pico has of what MicroPython documents.

`python -m nimatron_sim.simulated.modelled` prints it. With the folder docs/library of
MicroPython's repository it prints the names instead, for documented.txt.
"""

import re
import sys
import types
from collections.abc import Iterable, Iterator
from pathlib import Path

from nimatron_sim.simulated.pico import SimulatedPico
from pico_testbench.simulated.documented import MODULES, names
from pico_testbench.simulated.loader import Loader
from pico_testbench.simulated.unreal import NotModelled

RELEASE = "1.26.1"  # whose documentation it is
# The pages of machine that are about no RP2040.
_OTHERS = ("ADCBlock", "ADCWiPy", "CAN", "Counter", "DAC", "Encoder", "SD", "SDCard", "TimerWiPy")
_DIRECTIVE = re.compile(r"\.\. (function|class|method|data|attribute|exception):: *(.+)")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
_PAGE = """# What the simulated Pico has of MicroPython

Each name that MicroPython {release} documents for the RP2040 in {modules}. The
simulated Pico has what our firmware uses, {known} of {all}, and refuses everything else by name
with `NotModelled`, which no firmware can catch. A class that it refuses is one name here, without
its methods. A call of something that it has may still be refused, for an argument that our
firmware does not use. The emulated Pico runs the real MicroPython, which has all of it.
This page is generated: `python -m nimatron_sim.simulated.modelled > docs/simulated.md`

| | has | refuses |
|---|---|---|
"""


def has(modules: dict[str, types.ModuleType], name: str) -> bool:
    """Whether the mirror, which has these modules, has a name."""
    first, *path = name.split(".")
    thing = modules[first]
    for part in path:
        try:
            thing = getattr(thing, part)
        except (NotModelled, AttributeError):
            return False
    return True


def page(modules: dict[str, types.ModuleType]) -> str:
    rows: dict[str, tuple[list[str], list[str]]] = {}
    for name in names():
        owner, _, last = name.rpartition(".")
        known = has(modules, name)
        whole = owner in names() and not has(modules, owner)  # its class is refused
        if not whole:
            rows.setdefault(owner, ([], []))[not known].append(last)
    lines = [
        f"| `{owner}` | {_listed(known)} | {_listed(refused)} |"
        for owner, (known, refused) in rows.items()
    ]
    modules_named = ", ".join(f"`{name}`" for name in MODULES)
    there = sum(has(modules, name) for name in names())
    head = _PAGE.format(release=RELEASE, modules=modules_named, known=there, all=len(names()))
    return head + "\n".join(lines) + "\n"


def _listed(found: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in found)


def read(folder: Path) -> list[str]:
    """The names on MicroPython's pages, in their order, without those for other chips."""
    found: dict[str, None] = {}
    for module in MODULES:
        for file in [folder / f"{module}.rst", *sorted(folder.glob(f"{module}.[A-Z]*.rst"))]:
            if file.stem.removeprefix("machine.") not in _OTHERS:
                found |= dict.fromkeys(_on_page(file.read_text(encoding="utf-8"), module))
    return list(found)


def _on_page(text: str, module: str) -> Iterator[str]:
    entries = re.split(r"^(?=\.\. \w+::)", text, flags=re.M)
    for entry in entries:
        directive = _DIRECTIVE.match(entry)
        available = re.search(r"Availability: (.*(?:\n +.*)*)", entry)
        if not directive or (available and not re.search("rp2|Not every", available[1])):
            continue
        lines = entry.splitlines()
        signatures = [directive[2]]
        for line in lines[1:]:
            if not re.match(r" {8,}\S", line):
                break
            signatures.append(line.strip())
        for signature in signatures:
            if name := _NAME.match(signature):
                yield f"{module}.{name[0].removeprefix(f'{module}.')}"


def mirrored() -> dict[str, types.ModuleType]:
    """The modules of a simulated Pico."""
    pico = SimulatedPico()
    loader = Loader({}, {"chip": pico.circuit.chip})
    found = {name: loader.load(name) for name in MODULES}
    pico.power_off()
    return found


if __name__ == "__main__":
    print("\n".join(read(Path(sys.argv[1]))) if sys.argv[1:] else page(mirrored()), end="")
