"""Where to look on the breadboard when the firmware reports a fault of the matrix's wires."""

from nimatron import board
from nimatron_wiring.breadboard.layout import layout
from nimatron_wiring.circuits import breadboard
from nimatron_wiring.netlist import Build


def parts(build: Build, what: str, where: str) -> list[str]:
    """The refs of the parts that a fault (see nimatron.wires) points at: for a lamp the LED, for a
    row its transistor and resistor, for a column its resistor."""
    rows, _, column = where.partition(".")
    numbers = [rows] if rows.isdecimal() else [str(row) for row in range(1, board.ROWS + 1)]
    names = [f"row {number}" if what == "row" else f"{what} {where}" for number in numbers]
    if what == "chute":
        names = ["coin"]
    if what == "lamp":
        names = [f"row {number} lamp {column}" for number in numbers]
    return [part.ref for name in dict.fromkeys(names) for part in build.by_role(name)]


def holes(build: Build, what: str, where: str) -> str:
    """These parts and the holes of their legs: "D19 in 3-d47 and 3-d48"."""
    there = layout(build)
    found = []
    for ref in parts(build, what, where):
        *first, last = [str(leg.hole) for leg in there.place(ref).legs]
        found.append(f"{ref} in {', '.join(first)} and {last}")
    return "; ".join(found)


def fault_place(fault: str) -> str:
    """The parts and holes of a fault such as lamp:3.5:open, on the breadboard."""
    what, where, _ = fault.split(":")
    return holes(breadboard(), what, where)
