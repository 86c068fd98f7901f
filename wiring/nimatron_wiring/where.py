"""Where to look on the breadboard when the firmware reports a fault in the matrix wiring."""

from nimatron import board
from nimatron_wiring.breadboard.layout import layout
from nimatron_wiring.circuits import breadboard
from nimatron_wiring.netlist import Build


def parts(build: Build, what: str, where: str) -> list[str]:
    """Return the refs of the parts to check for a fault (see nimatron.wires): for a lamp the LED,
    for a row its transistor and resistor, for a column its resistor."""
    rows, _, column = where.partition(".")
    numbers = [rows] if rows.isdecimal() else [str(row) for row in range(1, board.ROWS + 1)]
    names = [f"row {number}" if what == "row" else f"{what} {where}" for number in numbers]
    if what == "chute":
        names = ["coin"]
    if what == "lamp":
        names = [f"row {number} lamp {column}" for number in numbers]
    return [part.ref for name in dict.fromkeys(names) for part in build.by_role(name)]


def holes(build: Build, what: str, where: str) -> str:
    """Return the parts to check for a fault, with their holes: "D19 in 3-d47 and 3-d48"."""
    there = layout(build)
    found = []
    for ref in parts(build, what, where):
        *first, last = [str(leg.hole) for leg in there.place(ref).legs]
        found.append(f"{ref} in {', '.join(first)} and {last}")
    return "; ".join(found)


def fault_place(fault: str) -> str:
    """Return the parts and holes to check for a fault such as lamp:3.5:open."""
    what, where, _ = fault.split(":")
    return holes(breadboard(), what, where)
