"""The steps of the breadboard build in words: a hole for each leg and each end of a wire."""

from math import ceil

from nimatron_wiring import pico
from nimatron_wiring.breadboard import paths
from nimatron_wiring.breadboard.footprints import rings
from nimatron_wiring.breadboard.layout import Layout, Place
from nimatron_wiring.netlist import PICO, Build

_PRECUT = 35  # mm: the longest wire that every kit of pre-cut wires has
_SPARE = 1.2  # metres of wire to buy for each metre used, because some cuts go wrong


def needed(made: Layout) -> str:
    """Return the number of wires in each colour, and how much wire to buy."""
    lengths: dict[str, list[int]] = {}
    for wire, path in paths.paths(made).items():
        lengths.setdefault(wire.colour, []).append(paths.millimetres(wire, path))
    told = [
        f"{len(each)} {colour} ({ceil(sum(each) * _SPARE / 100) / 10:g} m)"
        for colour, each in lengths.items()
    ]
    return f"{len(made.wires)} wires, with a fifth to spare: {', '.join(told)}"


def precut(made: Layout) -> str:
    """Return the number of wires that a kit of pre-cut wires has, and their greatest length."""
    lengths = [paths.millimetres(wire, path) for wire, path in paths.paths(made).items()]
    short = sum(length <= _PRECUT for length in lengths)
    return f"{short} of these wires are at most {_PRECUT} mm long"


def five_rings(build: Build) -> str:
    """Return the rings of the 1 % resistors, which are the substitutes."""
    values = dict.fromkeys(part.value for part in build.of_kind("resistor"))
    return ", ".join(f"{value} ({' '.join(rings(value, '1 %'))})" for value in values)


def parts(build: Build, made: Layout, step: str) -> list[list[str]]:
    """Return [part, value or role, holes] for each part that is new in a step."""
    return [
        [place.ref, _what(build, place), _legs(build, place)]
        for place in made.places
        if place.step == step
    ]


def in_short(build: Build, made: Layout, step: str) -> list[str]:
    """Return the parts of a step and their holes, one short line each."""
    lines = []
    for place in made.places:
        part = build.part(place.ref)
        if place.step == step and part.kind != "chain":
            legs = place.legs if part.kind != "pico" else (place.legs[0], place.legs[20])
            named = part.kind in ("pico", "diode")
            pins = [f"pin {pico.NUMBERS[leg.pin]}" if leg.ref == PICO else leg.pin for leg in legs]
            told = [
                f"{p} in {leg.hole}" if named else str(leg.hole)
                for p, leg in zip(pins, legs, strict=True)
            ]
            bands = (
                f", {' '.join(rings(part.value, part.rating))}" if part.kind == "resistor" else ""
            )
            lines.append(f"{place.ref}{bands}: {', '.join(told)}")
    return lines


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
    role = part.role.replace("-", " ").replace("legend ", "sign: ")
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
