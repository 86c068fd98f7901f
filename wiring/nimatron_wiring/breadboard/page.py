"""The steps of the breadboard build in words: a hole for each leg and each end of a wire."""

from math import ceil

from nimatron_wiring import pico
from nimatron_wiring.breadboard import paths
from nimatron_wiring.breadboard.holes import BOARDS
from nimatron_wiring.breadboard.layout import Layout, Place
from nimatron_wiring.breadboard.rings import rings
from nimatron_wiring.netlist import PICO, Build

INTRO = f"""\
Put the {BOARDS} breadboards one above the other, each with number 1 at the left and line j at the top.
Board 1 is the furthest from you, then board 2, then board 3. Connect only the parts that the steps name.

- **2-j22** is the hole on board 2, in line j, at number 22. On each board, a metal strip joins the five holes a to e at
  one number. Another strip joins the five holes f to j. The gap between e and f separates the two strips.
- **2-top25** is a hole of the *blue* rail above line j of board 2, next to number 25. **2-bottom25** is a hole of the
  blue rail below line a. On some boards, blue and red are swapped: go by the colour.
- If your board has no hole at that number, use the nearest free hole in the same rail. For numbers up to 31, stay to
  the left of the middle. From 33 on, stay to the right of the middle. On many boards each rail is cut in the middle.
  Step 1 bridges each cut. The blue rails are 0 V. The red rails stay empty.
- The steps name the two holes for each wire. The length of a wire includes 7 mm of bare wire at either end and a little slack,
  enough for swapped rails. You can choose the path of a wire, but keep wires off the lamps.
- Bend the legs of a resistor so that they are 10 mm apart, and cut all legs to about 8 mm. Cut the legs of an LED
  last: once they are cut, you can identify them only by the flat side of the LED's rim.
- `nimatron check` asks about each part: answer `y` or `n`. If it shows FAILED, see [If something is
  wrong](#if-something-is-wrong).
- In the pictures, new parts are in full colour and earlier ones are pale. Printed at 100 %, the pictures are
  life-size.
"""


_SPARE = 1.2  # how much wire to buy for each metre used, because some cuts go wrong


def needed(made: Layout) -> str:
    """Return a sentence with the number of wires in each colour, and how much wire to buy."""
    lengths: dict[str, list[int]] = {}
    for wire, path in paths.paths(made).items():
        lengths.setdefault(wire.colour, []).append(paths.millimetres(wire, path))
    told = [
        f"{len(each)} {colour} ({ceil(sum(each) * _SPARE / 100) / 10:g} m)"
        for colour, each in lengths.items()
    ]
    return (
        f"- Cut {len(made.wires)} wires from solid hook-up wire: {', '.join(told)}. These lengths "
        "include a fifth to spare.\n"
    )


def with_five_rings(build: Build) -> str:
    """Return a sentence with the rings of the 1 % resistors, which are the substitutes."""
    values = dict.fromkeys(part.value for part in build.parts if part.kind == "resistor")
    told = ", ".join(f"{value} ({' '.join(rings(value, '1 %'))})" for value in values)
    return (
        "- Measure each resistor before you place it. The steps name the four rings of a 5 % resistor. A "
        f"1 % resistor has five:\n  {told}.\n"
    )


def parts(build: Build, made: Layout, step: str) -> list[list[str]]:
    """Return [part, value or role, holes] for each part that is new in a step."""
    return [
        [place.ref, _what(build, place), _legs(build, place)]
        for place in made.places
        if place.step == step
    ]


def wires(made: Layout, step: str) -> list[list[str]]:
    """Return [from, to, colour, length] for each wire that is new in a step."""
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


_NAMES = {"C": "C (shorter leg, flat side)", "A": "A (longer leg)"}  # names of the legs of an LED


def _legs(build, place: Place):
    kind = build.part(place.ref).kind
    if place.ref == PICO:
        numbers = {pico.NUMBERS[leg.pin]: leg.hole for leg in place.legs}
        told = ", ".join(f"pin {number} in {numbers[number]}" for number in (1, 20, 21, 40))
        return f"{told}, with the USB socket at the left edge"
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
    return told + (", with the flat side towards you" if kind == "npn" else "")
