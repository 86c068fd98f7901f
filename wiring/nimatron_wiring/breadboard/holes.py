"""Up to three breadboards with 830 holes, one above the other, each with number 1 at the left.

The name of a hole is its board, line and number. For example, 2-j22 is on board 2, in line j, at
number 22. A metal strip joins the five holes a to e at a number, and another strip joins f to j.
Only the blue rails are used: 2-top25 is in the blue rail above line j, next to number 25. On many
boards, each rail is cut in two, so here each rail has two pieces.

Board 0 is the plug of a chain of pixels. Its columns are the contacts. Line x contains the chain's
own wire, and line y the end of a wire from the board.
"""

import re
from dataclasses import dataclass

BOARDS = 3
NUMBERS = 63
PITCH = 2.54  # mm: the distance from hole to hole
HEIGHT = 55 / PITCH  # the height of a board, in pitches
UPPER, LOWER = "jihgf", "edcba"
RAILS = ("top", "bottom")
PLUG = {"+": 25, "DIN": 26, "-": 27}  # the contacts of the plug
SPLIT = 32  # each rail is cut at this number
_Y = {line: y for y, line in enumerate(UPPER)} | {line: 7 + y for y, line in enumerate(LOWER)}
_Y |= {"top": -3.7, "bottom": 13.7, "x": -11.5, "y": -10.5}


@dataclass(frozen=True, order=True)
class Hole:
    board: int
    line: str  # a line from a to j, or a name in RAILS
    number: int

    def __str__(self):
        if not self.board:
            return "plug " + {25: "+", 26: "data", 27: "-"}[self.number]
        return f"{self.board}-{self.line}{self.number}"

    @property
    def strip(self) -> tuple:
        """The metal strip of a hole. Holes with the same strip are joined."""
        if not self.board:
            return 0, "xy", self.number
        if self.line in RAILS:
            return self.board, self.line, self.number > SPLIT
        return self.board, UPPER if self.line in UPPER else LOWER, self.number

    @property
    def xy(self) -> tuple[float, float]:
        """The position of a hole in pitches from number 0, and down from line j of board 1."""
        return float(self.number), max(0, self.board - 1) * HEIGHT + _Y[self.line]


def hole(name: str) -> Hole:
    """Return the hole called `name`, for example "2-j22". Raises ValueError for other texts."""
    found = re.fullmatch(r"(\d)-([a-j]|top|bottom)(\d+)", name)
    if not found:
        raise ValueError(f"{name!r} is not the name of a hole")
    return Hole(int(found[1]), found[2], int(found[3]))
