"""The whole circuit board, and its faults."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from nimatron import board
from nimatron_play import words
from nimatron_wiring.netlist import PICO, Build
from nimatron_wiring.pcb.lands import Stroke
from nimatron_wiring.pcb.placement import HEIGHT, WIDTH, Pad, Place, Words, places
from nimatron_wiring.pcb.routes import Routes, routes

_BIG, _TITLE = 1.5, 3.0  # heights of capital letters, in mm
_WHERE = "wiring/nimatron_wiring/pcb/placement.py"


@dataclass(frozen=True)
class Design:
    build: Build
    places: tuple[Place, ...]
    routes: Routes
    words: tuple[Words, ...]

    @property
    def pads(self) -> list[Pad]:
        return [pad for place in self.places for pad in place.pads]

    @property
    def outlines(self) -> list[Stroke]:
        return [stroke for place in self.places for stroke in place.outline]


@cache
def design(build: Build) -> Design:
    """Return the circuit board for the breadboard build."""
    there = tuple(places(build))
    pads = [pad for place in there for pad in place.pads]
    names = [line for place in there for line in _beside(place)]
    title = [
        Words("NIMATRON", 28, 94.2, _TITLE),
        Words(f"REVISION {build.revision.upper()}", 28, 97.6),
    ]
    return Design(build, there, routes(build.nets, pads), (*names, *title))


def _beside(place: Place) -> Iterator[Words]:
    part, (x, y) = place.part, place.middle
    if part.kind == "resistor":
        yield Words(f"{part.ref} {_coded(part.value)}", x, y, turned=place.turned, room=5.3)
    elif part.kind == "npn":
        yield Words(part.ref, x, y - 3.3)
    elif part.kind == "piezo":
        yield Words(part.ref, x, y)
    elif part.kind == "tactile":
        name = part.role.removeprefix("button ")
        row = board.ROW_BUTTONS.index(name) + 1 if name in board.ROW_BUTTONS else 0
        yield Words(part.ref, x - 6.1, y)
        if row:
            yield Words(f"ROW {row}", x, y - 4.6, _BIG)
        else:
            yield Words(name.upper(), x + 6.8, y, _BIG)
    elif part.kind == "led" and " lamp " in part.role:
        yield Words(part.ref, x, y + 4)
    elif part.kind == "led":
        what, _, name = part.role.partition(" ")
        text = words.table(words.PLAIN)[f"sign.{name}"] if name else what
        yield Words(part.ref, x - 4.8, y)
        yield Words(text.upper(), x, y + 4.2, 1.2)
    elif part.ref == PICO:
        yield Words("RASPBERRY PI PICO", x, y, _BIG)
        yield Words("USB", place.x + 1.4, y)
        yield Words("1", place.x, place.y - 1.8)


def _coded(value):
    """Return a resistance as it is printed on the board: 470, 1K, 2K2."""
    number, unit = value.split(" ")
    return number.replace(".", "K") if "." in number else number + {"Ω": "", "kΩ": "K"}[unit]


def faults(made: Design) -> list[str]:
    """Return the faults of the board, one line each."""
    return [
        f"{made.build.name}, circuit board: {fault}: fix it in {_WHERE}"
        for fault in (*_bodies(made), *_ways(made))
    ]


def _ways(made):
    for net in made.routes.missing:
        yield f"no track can join the net “{net}”"


def _bodies(made):
    for place in made.places:
        left, top, right, bottom = place.body
        if left < 0 or top < 0 or right > WIDTH or bottom > HEIGHT:
            yield f"{place.part.ref} extends over the edge"
    for one, other in combinations(made.places, 2):
        a, b = one.body, other.body
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
            yield f"{one.part.ref} and {other.part.ref} overlap"
