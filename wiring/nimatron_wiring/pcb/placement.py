"""The place of each part, and the print next to it."""

from dataclasses import dataclass

from nimatron import board
from nimatron_wiring.netlist import PICO, Build, Node, Part
from nimatron_wiring.pcb.lands import LANDS, Land, Point, Stroke

WIDTH, HEIGHT, CORNER = 100.0, 100.0, 3.0
STEP = 1.27
SCREW = 3.2  # the hole for an M3 screw
SCREWS = ((4.5, 30.5), (95.5, 4.5), (4.5, 95.5), (95.5, 95.5))
HEAD = 6.4  # the width of the washer below a screw

# In grid steps:
_PICO = 2, 16  # pin 1 of the Pico, whose USB socket is at the left edge
_LAMP_X, _LAMP_Y = range(14, 70, 8), range(40, 76, 9)  # C of each lamp
_RESISTORS = 20  # the upper ends of the upright resistors, below the Pico
_LEGENDS_Y = 33
_BUTTON_X = 72  # the centre of the row buttons
_GO, _NEW = (63, 75), (46, 75)


@dataclass(frozen=True)
class Pad:
    node: Node
    x: float
    y: float
    hole: float
    size: float


@dataclass(frozen=True)
class Words:
    """Text printed around a point. `turned` text reads from the right. If `room` is given, letters
    are squeezed to fit."""

    text: str
    x: float
    y: float
    height: float = 1.0
    turned: bool = False
    room: float = 0


@dataclass(frozen=True)
class Place:
    part: Part
    x: float  # the position of the first pin
    y: float
    turned: bool = False  # True if it is turned clockwise by 90 degrees

    @property
    def land(self) -> Land:
        return LANDS[self.part.kind]

    def at(self, point: Point) -> Point:
        x, y = point
        return (self.x - y, self.y + x) if self.turned else (self.x + x, self.y + y)

    @property
    def pads(self) -> list[Pad]:
        return [
            Pad((self.part.ref, pin), *self.at((x, y)), self.land.hole, self.land.pad)
            for pin, x, y in self.land.pins
        ]

    @property
    def middle(self) -> Point:
        return self.at(self.land.middle)

    @property
    def outline(self) -> list[Stroke]:
        return [tuple(map(self.at, stroke)) for stroke in self.land.outline]

    @property
    def body(self) -> tuple[float, float, float, float]:
        """The left, top, right and bottom of the body."""
        (x, y), (wide, high) = self.middle, self.land.size
        if self.turned:
            wide, high = high, wide
        return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def places(build: Build) -> list[Place]:
    """Return the places for the parts of the breadboard build."""
    legends = [signal.name for signal in build.signals if signal.name.startswith("legend ")]
    return [_place(part, *_where(part, legends)) for part in build.parts if part.kind != "rail"]


def _place(part, x, y, turned=False):
    return Place(part, x * STEP, y * STEP, turned)


def _where(part, legends):
    """Return the position of a part's first pin, in steps, and True if the part is turned."""
    what, _, rest = part.role.partition(" ")
    if part.ref == PICO:
        return _PICO
    if part.kind == "tactile":
        name = part.role.removeprefix("button ")
        if name in board.ROW_BUTTONS:
            return _button(_BUTTON_X, _LAMP_Y[board.ROW_BUTTONS.index(name)])
        return _button(*(_GO if name == board.GO else _NEW))
    if part.kind == "piezo":
        return 46.063, 8
    if what == "row":
        row, _, lamp = rest.partition(" lamp ")
        y = _LAMP_Y[int(row) - 1]
        if part.kind == "led":
            return _LAMP_X[int(lamp) - 1], y
        return (4, y) if part.kind == "npn" else (2, y + 4)
    x = {
        "column": lambda: _LAMP_X[int(rest) - 1] + 2,
        "legend": lambda: 12 + 16 * legends.index(part.role),
        "sounder": lambda: 52,
        "coin": lambda: 68,
    }[what]()
    if part.kind == "resistor":
        return x, _RESISTORS, True
    return (x - 2, _LEGENDS_Y) if what == "legend" else (x - 6, 8)


def _button(x, y):
    """Return the position of the first pin for a button with its centre at (x, y)."""
    return x - 3.25 / STEP, y - 2.25 / STEP
