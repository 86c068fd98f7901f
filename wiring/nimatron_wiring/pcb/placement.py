"""The place of each part, and the print next to it."""

from dataclasses import dataclass

from nimatron import board
from nimatron_wiring.netlist import PICO, Build, Node, Part
from nimatron_wiring.pcb.lands import LANDS, Land, Point, Stroke

WIDTH, HEIGHT, CORNER = 100.0, 100.0, 3.0
STEP = 1.27
SCREW = 3.2  # for M3
SCREWS = ((4.5, 30.5), (95.5, 4.5), (4.5, 95.5), (95.5, 95.5))
HEAD = 6.4  # the washer below a screw

# In steps:
_PICO = 2, 16  # pin 1. The USB socket is at the left edge
_LAMP_X, _LAMP_Y = range(14, 70, 8), range(40, 76, 9)  # C of each
_RESISTORS = 20  # the upper ends of the upright ones, below the Pico
_LEGENDS_Y = 33
_BUTTON_X = 72  # the middle of the rows' buttons
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
    """Text printed around a point, or with `turned`, text to read from the right. Letters are
    squeezed to fit into `room`, if it is given."""

    text: str
    x: float
    y: float
    height: float = 1.0
    turned: bool = False
    room: float = 0


@dataclass(frozen=True)
class Place:
    part: Part
    x: float  # of its first pin
    y: float
    turned: bool = False  # a quarter, clockwise

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
        """Left, top, right, bottom."""
        (x, y), (wide, high) = self.middle, self.land.size
        if self.turned:
            wide, high = high, wide
        return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def places(build: Build) -> list[Place]:
    """Where the parts of the breadboard build go."""
    legends = [signal.name for signal in build.signals if signal.name.startswith("legend ")]
    return [_place(part, *_where(part, legends)) for part in build.parts if part.kind != "rail"]


def _place(part, x, y, turned=False):
    return Place(part, x * STEP, y * STEP, turned)


def _where(part, legends):
    """The first pin of a part, in steps, and whether it is turned."""
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
    """The first pin of a button whose middle is here."""
    return x - 3.25 / STEP, y - 2.25 / STEP
