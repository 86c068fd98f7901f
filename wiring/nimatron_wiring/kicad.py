"""The KiCad projects in wiring/kicad/, the sources of the circuit boards. A check compares their
joints with the netlists of the breadboard build and of the exhibit."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from nimatron_wiring import harness
from nimatron_wiring.kinds import KINDS
from nimatron_wiring.netlist import PICO, Build, Node, Part

_HERE = Path(__file__).parent
FOLDER = next(path for path in (_HERE / "_kicad", _HERE.parent / "kicad") if path.is_dir())
_TOKEN = re.compile(r'\(|\)|"((?:[^"\\]|\\.)*)"|[^\s()"]+')


def read(text: str) -> list:
    """Return an S-expression, the format of KiCad's files, as nested lists of strings."""
    stack: list[list] = [[]]
    for token in _TOKEN.finditer(text):
        if token[0] == "(":
            stack.append([])
        elif token[0] == ")":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(token[0] if token[1] is None else token[1])
    return stack[0][0]


def each(node: list, name: str) -> Iterator[list]:
    """Return the lists in `node` that begin with `name`."""
    return (child for child in node if isinstance(child, list) and child[0] == name)


def number(part: Part, pin: str) -> str:
    """Return the number of a pin in KiCad. A part without pin numbers has names instead."""
    return str(KINDS[part.kind].numbers.get(pin, pin))


def printed(part: Part) -> str:
    """Return the value of a part as printed on the board, such as 470, 1K or 2K2."""
    if part.kind != "resistor":
        return part.value
    value, unit = part.value.split(" ")
    return value.replace(".", "K") if "." in value else value + {"Ω": "", "kΩ": "K"}[unit]


def stem(build: Build) -> str:
    """Return the name of the KiCad project of a build."""
    return "nimatron" if build.display == "matrix" else build.name


def on_board(build: Build) -> dict[Node, str]:
    """Return the joints of a circuit board: the pins of plugs replace the parts outside it."""
    plugs = {}
    for end, told in harness.pins(build).items():
        plug, _, pin = told.split()
        plugs[end] = plug, pin
    return joints(build, plugs)


def joints(build: Build, plugs: Mapping[Node, Node] | None = None) -> dict[Node, str]:
    """Return {(part, pin number): net} for every pin. `plugs` has other names for pins."""
    return {
        (plugs or {}).get((ref, pin), (ref, number(build.part(ref), pin))): net.name
        for net in build.nets
        for ref, pin in net.nodes
        if build.part(ref).kind != "rail"
    }


def faults(build: Build, text: str = "") -> list[str]:
    """Return the differences between the board's file `text` and the netlist, one line each."""
    board = read(text or (FOLDER / f"{stem(build)}.kicad_pcb").read_text("utf-8"))
    values, found = {}, {}
    for part in each(board, "footprint"):
        named = {kind: name for _, kind, name, *_ in each(part, "fp_text")}
        values[named["reference"]] = named["value"]
        for pad in each(part, "pad"):
            net = next(each(pad, "net"), ["net", "", ""])
            found[named["reference"], pad[1]] = net[2]
    wanted = on_board(build)
    there = {ref for ref, _ in wanted}
    parts = {part.ref: printed(part) for part in build.parts if part.ref in there}
    parts |= dict(cable.label.split(" ", 1) for cable in harness.cables(build))
    lines = [
        f"{ref} is {values.get(ref, 'missing')}, not {value}"
        for ref, value in parts.items()
        if values.get(ref) != value
    ]
    names = {}  # on the board, where KiCad may have renamed the nets
    for net in wanted.values():
        pins = [pin for pin in wanted if wanted[pin] == net and pin[0] != PICO]
        names[net] = Counter(found.get(pin, "") for pin in pins).most_common(1)[0][0]
    twice = [name for name, number in Counter(names.values()).items() if number > 1]
    lines += [f"{', '.join(n for n in names if names[n] == name)}: one net" for name in twice]
    for pin in sorted({*wanted, *found}):
        should = wanted.get(pin, "")
        if pin[0] in parts and found.get(pin, "") != names.get(should, ""):
            is_on = found.get(pin) or "no net"
            lines.append(f"pin {pin[1]} of {pin[0]} is on {is_on}, not on {should or 'no net'}")
    return lines
