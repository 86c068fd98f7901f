"""A table of MicroPython's documented names, which shows whether the simulated Pico has them.

`python -m nimatron_sim.modelled FOLDER` prints the names for documented.txt, from the
folder docs/library of MicroPython's repository.
"""

import re
import sys
import types
from collections.abc import Iterable, Iterator
from pathlib import Path

from nimatron_sim.simulated_pico import SimulatedPico
from pico_testbench.simulated.documented import MODULES, names
from pico_testbench.simulated.loader import Loader
from pico_testbench.simulated.unreal import NotModelled

# The pages about parts of `machine` that exist only on other chips.
_OTHERS = ("ADCBlock", "ADCWiPy", "CAN", "Counter", "DAC", "Encoder", "SD", "SDCard", "TimerWiPy")
_DIRECTIVE = re.compile(r"\.\. (function|class|method|data|attribute|exception):: *(.+)")
_NAME = re.compile(r"[A-Za-z_][\w.]*")


def has(modules: dict[str, types.ModuleType], name: str) -> bool:
    """Return True if the mirror has this name. modules: the mirror's modules."""
    first, *path = name.split(".")
    thing = modules[first]
    for part in path:
        try:
            thing = getattr(thing, part)
        except (NotModelled, AttributeError):
            return False
    return True


def table(modules: dict[str, types.ModuleType]) -> str:
    """Return the names as a Markdown table, with their number."""
    rows: dict[str, tuple[list[str], list[str]]] = {}
    for name in names():
        owner, _, last = name.rpartition(".")
        known = has(modules, name)
        whole = owner in names() and not has(modules, owner)  # the whole class is refused
        if not whole:
            rows.setdefault(owner, ([], []))[not known].append(last)
    lines = [
        f"| `{owner}` | {_listed(known)} | {_listed(refused)} |"
        for owner, (known, refused) in rows.items()
    ]
    there = sum(has(modules, name) for name in names())
    head = f"The simulated Pico has {there} of {len(names())} names.\n\n"
    head += "| | has | refuses |\n|---|---|---|\n"
    return head + "\n".join(lines) + "\n"


def _listed(found: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in found)


def read(folder: Path) -> list[str]:
    """Return the names on MicroPython's pages, in the order of the pages. Omit the names for other
    chips."""
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
    """Return the modules of a simulated Pico."""
    pico = SimulatedPico()
    loader = Loader({}, {"chip": pico.circuit.chip})
    found = {name: loader.load(name) for name in MODULES}
    pico.power_off()
    return found


if __name__ == "__main__":
    print("\n".join(read(Path(sys.argv[1]))))
