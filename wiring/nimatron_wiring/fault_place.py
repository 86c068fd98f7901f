"""The places to check on the breadboard when the firmware reports a fault in the matrix wiring."""

from nimatron import board
from nimatron_wiring.breadboard.layout import layout
from nimatron_wiring.circuits import breadboard


def fault_place(fault: str) -> str:
    """Return the parts and holes to check for a fault such as lamp:3.5:open (see nimatron.wires):
    "D19 in 3-d47 and 3-d48". The parts are the LED of a lamp, the transistor and resistor of a
    row, or the resistor of a column."""
    what, where, _ = fault.split(":")
    rows, _, column = where.partition(".")
    numbers = [rows] if rows.isdecimal() else [str(row) for row in range(1, board.ROWS + 1)]
    if what == "chute":
        names = ["coin"]
    elif what == "lamp":
        names = [f"row {number} lamp {column}" for number in numbers]
    elif what == "row":
        names = [f"row {number}" for number in numbers]
    else:
        names = [f"{what} {where}"]
    build = breadboard()
    there = layout(build)
    found = []
    for part in (part for name in names for part in build.by_role(name)):
        *first, last = [str(leg.hole) for leg in there.place(part.ref).legs]
        found.append(f"{part.ref} in {', '.join(first)} and {last}")
    return "; ".join(found)
