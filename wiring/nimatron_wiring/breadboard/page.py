"""The steps of the breadboard build in words: a hole for each leg and for each end of a wire."""

from nimatron_wiring import pico
from nimatron_wiring.breadboard import paths
from nimatron_wiring.breadboard.holes import BOARDS
from nimatron_wiring.breadboard.layout import Layout, Place
from nimatron_wiring.breadboard.rings import rings
from nimatron_wiring.netlist import PICO, Build

INTRO = f"""\
Put the {BOARDS} breadboards one above the other, each with number 1 at the left and line j at the top:
board 1 at the top, then board 2, then board 3 next to you. Do not cut or bridge anything but what the
steps say.

- **2-j22** is a hole: on board 2, in line j, at number 22. On each board, the five holes a to e at one number
  are one strip of metal, and so are the five holes f to j. The gap between e and f separates them.
- **2-top25** is a hole of the *blue* rail above line j of board 2, beside number 25, and **2-bottom25** one of the
  blue rail below line a. If your board has no hole just there, take the nearest free one of the same rail, to
  the left of the middle for numbers up to 31 and to the right of it from 33 on. On many boards a rail is cut in
  the middle; step 1 bridges each cut. The blue rails are 0 V. The red rails stay empty.
- Each wire is given by its two holes. Its length includes 7 mm of bare end on either side and a little slack;
  where it runs does not matter, but keep it off the lamps.
- In the pictures, what is new is in full colour, and what is there already is pale. Printed at 100 %, they are
  life-size.
"""


def parts(build: Build, made: Layout, step: str) -> list[list[str]]:
    """[part, what it is, its holes] for each part that is new in a step."""
    return [
        [place.ref, _what(build, place), _legs(build, place)]
        for place in made.places
        if place.step == step
    ]


def wires(made: Layout, step: str) -> list[list[str]]:
    """[from, to, colour, length] for each wire that is new in a step."""
    routes = paths.paths(made)
    return [
        [str(wire.start), str(wire.end), wire.colour, f"{paths.millimetres(routes[wire])} mm"]
        for wire in made.wires
        if wire.step == step
    ]


def _what(build, place):
    part = build.part(place.ref)
    role = part.role.replace("-", " ")
    if part.kind == "resistor":
        return f"{part.value}: {', '.join(rings(part.value, part.rating))}"
    if part.kind in ("led", "tactile"):
        return role
    return part.value


_NAMES = {"C": "C (shorter leg, flat side)", "A": "A (longer leg)"}  # of an LED


def _legs(build, place: Place):
    kind = build.part(place.ref).kind
    if place.ref == PICO:
        numbers = {pico.NUMBERS[leg.pin]: leg.hole for leg in place.legs}
        told = ", ".join(f"pin {number} in {numbers[number]}" for number in (1, 20, 21, 40))
        return f"{told}; the USB socket at the left edge"
    holes: dict[str, list[str]] = {}
    for leg in place.legs:
        holes.setdefault(leg.pin, []).append(str(leg.hole))
    if kind == "tactile":
        one, other = (" and ".join(pair) for pair in holes.values())
        return f"one pair of legs in {one}, the other in {other}"
    if place.footprint.turns:
        return " and ".join(there for (there,) in holes.values())
    told = ", ".join(
        f"{_NAMES.get(pin, pin) if kind == 'led' else pin} in {there}"
        for pin, (there,) in holes.items()
    )
    return told + ("; the flat side towards you" if kind == "npn" else "")
