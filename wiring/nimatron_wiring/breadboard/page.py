"""The steps of the breadboard build in words: a hole for each leg and for each end of a wire."""

from math import ceil

from nimatron_wiring import pico
from nimatron_wiring.breadboard import paths
from nimatron_wiring.breadboard.holes import BOARDS
from nimatron_wiring.breadboard.layout import Layout, Place
from nimatron_wiring.breadboard.rings import rings
from nimatron_wiring.netlist import PICO, Build

INTRO = f"""\
Put the {BOARDS} breadboards one above the other, each with number 1 at the left and line j at the top:
board 1 at the top, then board 2, then board 3 next to you. Connect nothing but what the steps say.

- **2-j22** is a hole: on board 2, in line j, at number 22. On each board, the five holes a to e at one number
  are one strip of metal, and so are the five holes f to j. The gap between e and f separates them.
- **2-top25** is a hole of the *blue* rail above line j of board 2, beside number 25, and **2-bottom25** one of the
  blue rail below line a. On some boards, blue and red have changed places: go by the colour. If your board has no
  hole just there, take the nearest free one of the same rail, to the left of the middle for numbers up to 31 and to
  the right of it from 33 on. On many boards a rail is cut in
  the middle; step 1 bridges each cut. The blue rails are 0 V. The red rails stay empty.
- Each wire is given by its two holes. Its length includes 7 mm of bare end on either side and a little slack,
  enough for rails that have changed places; where it runs does not matter, but keep it off the lamps.
- Bend the legs of a resistor so that they are 10 mm apart, and cut all legs to about 8 mm. Cut those of an LED last:
  after that, only the flat side of its rim tells which is which.
- `nimatron check` asks about each part: answer `y` or `n`. If it says FAILED, see [If something is
  wrong](#if-something-is-wrong).
- In the pictures, what is new is in full colour, and what is there already is pale. Printed at 100 %, they are
  life-size.
"""


_SPARE = 1.2  # of the wire that is used, because some cuts go wrong


def needed(made: Layout) -> str:
    """How many wires there are of each colour, and how much of it to buy."""
    lengths: dict[str, list[int]] = {}
    for wire, path in paths.paths(made).items():
        lengths.setdefault(wire.colour, []).append(paths.millimetres(wire, path))
    told = [
        f"{len(each)} {colour} ({ceil(sum(each) * _SPARE / 100) / 10:g} m)"
        for colour, each in lengths.items()
    ]
    return (
        f"- There are {len(made.wires)} wires, to be cut from solid hook-up wire: {', '.join(told)}, with "
        "a fifth to spare.\n"
    )


def with_five_rings(build: Build) -> str:
    """The rings of resistors of 1 %, which are the substitutes."""
    values = dict.fromkeys(part.value for part in build.parts if part.kind == "resistor")
    told = "; ".join(f"{value} {', '.join(rings(value, '1 %'))}" for value in values)
    return (
        "- Measure each resistor before you place it. The steps name the four rings of one of 5 %; one of "
        f"1 % has five:\n  {told}.\n"
    )


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
        [
            str(wire.start),
            str(wire.end),
            wire.colour,
            f"{paths.millimetres(wire, routes[wire])} mm",
        ]
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
