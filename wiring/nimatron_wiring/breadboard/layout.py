"""The place of each part and each wire: a hole for every leg, in the order of the steps.

The plan below lists the wires, and gives each part a place according to its kind and role. It
follows the pin map. If a part is not in the plan, the layout is refused. The tests find a missing
wire.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from nimatron import board
from nimatron_sim.errors import UserError
from nimatron_wiring.breadboard.footprints import FOOTPRINTS, Box, Footprint
from nimatron_wiring.breadboard.holes import (
    BOARDS,
    LOWER,
    PLUG,
    RAILS,
    SPLIT,
    UPPER,
    Hole,
    hole,
)
from nimatron_wiring.netlist import GROUND, PICO, Build

_HERE = "wiring/nimatron_wiring/breadboard/layout.py"


@dataclass(frozen=True)
class Leg:
    ref: str
    pin: str
    hole: Hole


@dataclass(frozen=True)
class Place:
    """A part, its footprint, and the holes of its legs."""

    ref: str
    shape: str  # a key of FOOTPRINTS
    legs: tuple[Leg, ...]
    step: str

    @property
    def footprint(self) -> Footprint:
        return FOOTPRINTS[self.shape]

    def box(self, of: Box) -> Box:
        """Return the position on the boards for a box of the footprint."""
        x, y = self.legs[0].hole.xy
        _, dx, dy = self.footprint.legs[0]
        left, top, right, bottom = of
        return x - dx + left, y - dy + top, x - dx + right, y - dy + bottom


@dataclass(frozen=True)
class Jumper:
    """A wire from hole to hole."""

    start: Hole
    end: Hole
    net: str
    colour: str
    step: str


@dataclass(frozen=True)
class Layout:
    places: tuple[Place, ...]
    wires: tuple[Jumper, ...]
    boards: int
    rails: tuple[str, ...]  # the rails in use on each board, which are 0 V

    def place(self, ref: str) -> Place:
        return next(place for place in self.places if place.ref == ref)


# The plan

FIRST, LAMP_PITCH = 27, 5  # the number of each row's first lamp, and the distance between lamps
# Each row takes half a board: {row: (board, True for the upper half)}.
_HALVES = {1: (2, True), 2: (2, False), 3: (3, True), 4: (3, False)}
# The lines of the upper half (True) and of the lower half, from the outermost line inwards.
_LINES = {True: "jihgf", False: "abcde"}
_SIGNS, _SIGN_PITCH = 24, 5  # chosen so that each LED has a hole of the rail next to it
_SOUNDER = 50  # leaves room for a 22 mm buzzer
_BUTTONS = 60


Plan = dict[tuple[str, str], tuple[str, Hole]]  # {(kind, role): (footprint, hole of first leg)}


def _one_board(build) -> tuple[Plan, list[tuple[str, str, str]]]:
    """Return the plan of the one-hour build, and its wires as (step, hole, hole)."""
    plan = {("pico", build.part(PICO).role): ("pico", hole("1-c1"))}
    plan["diode", "5 V to 4.3 V"] = "diode", hole("1-h21")
    plan["resistor", "pixels"] = "resistor across", hole("1-g26")
    plan["chain", "lamps"] = "chain", Hole(0, "x", PLUG["+"])
    plan["resistor", "sounder"] = "resistor across", hole("1-g32")
    plan["piezo", "sounder"] = "piezo", hole("1-a28")
    wires = [("Pico", "1-j3", "1-top3"), ("Pico", f"1-top{SPLIT - 1}", f"1-top{SPLIT + 1}")]
    wires += [("lamps", "1-j1", "1-j21"), ("lamps", "1-j25", "plug +")]
    wires += [("lamps", _pin(build, "pixels"), "1-a26"), ("lamps", "1-j26", "plug DIN")]
    wires += [("lamps", "1-top27", "plug -")]
    for n, name in enumerate((*board.ROW_BUTTONS, board.GO, board.NEW)):
        first = 36 + 5 * n
        plan["tactile", f"button {name}"] = "tactile 12 mm", Hole(1, "g", first)
        pin, near = _pin(build, f"button {name}"), first if (first - 2) % 6 else first - 1
        wires += [("buttons", pin, f"1-{pin[2]}{first + 2}")]
        wires += [("buttons", f"1-top{near}", f"1-j{first}")]
    wires += [("buzzer", _pin(build, "sounder"), "1-j32"), ("buzzer", "1-top28", "1-e28")]
    return plan, wires


def _planned(build) -> Plan:
    plan: Plan = {("pico", build.part(PICO).role): ("pico", hole("1-c1"))}
    for row, (which, upper) in _HALVES.items():
        lamps, base, _, _, transistor = _LINES[upper]
        plan["resistor", f"row {row}"] = "resistor", Hole(which, base, FIRST - 5)
        plan["npn", f"row {row}"] = "npn", Hole(which, transistor, FIRST - 2)
        button = Hole(which, "i" if upper else "e", _BUTTONS)
        plan["tactile", f"button {board.ROW_BUTTONS[row - 1]}"] = "tactile", button
        for lamp in range(1, board.LAMPS + 1):
            role = f"row {row} lamp {lamp}"
            plan["led", role] = "led", Hole(which, lamps, _number(lamp))
    for column in range(1, board.LAMPS + 1):
        there = Hole(2, "h", _number(column) - 3)
        plan["resistor", f"column {column}"] = "resistor", there
    for sign, role in enumerate(_signs(build)):
        number = _SIGNS + sign * _SIGN_PITCH
        plan["resistor", role] = "resistor across", Hole(1, "g", number)
        plan["led", role] = "led turned", Hole(1, "c", number)
    plan["resistor", "sounder"] = "resistor across", Hole(1, "g", _SOUNDER)
    plan["piezo", "sounder"] = "piezo", Hole(1, "a", _SOUNDER)
    plan["tactile", f"button {board.NEW}"] = "tactile", hole("1-i60")
    plan["tactile", f"button {board.GO}"] = "tactile", hole("1-e60")
    return plan


def _number(lamp):
    """Return the number of the hole for the first leg of a lamp."""
    return FIRST + (lamp - 1) * LAMP_PITCH


def _signs(build):
    """Return the roles of the LEDs on board 1: the legends, and the coin chute."""
    return [signal.name for signal in build.signals if signal.name.startswith("legend ")] + [
        "coin"
    ]


def _wires(build) -> Iterator[tuple[str, str, str]]:
    """Yield the planned wires as (step, hole, hole), each from an earlier part to a new part."""
    yield "Pico", "1-a3", "1-bottom3"
    yield "Pico", "1-j3", "1-top3"
    for which in range(1, BOARDS + 1):
        for rail in RAILS:
            yield "Pico", f"{which}-{rail}{SPLIT - 1}", f"{which}-{rail}{SPLIT + 1}"
        across = 22 if which == 1 else 3  # next to the Pico, or to the left of all parts
        yield "Pico", f"{which}-top{across}", f"{which}-bottom{across}"
        if which < BOARDS:
            yield "Pico", f"{which}-bottom21", f"{which + 1}-top21"
    for column in range(1, board.LAMPS + 1):
        yield "columns", _pin(build, f"column {column}"), f"2-j{_number(column) - 3}"
    for row, (which, upper) in _HALVES.items():
        yield from _of_row(build, row, which, upper)
    for name in (*board.ROW_BUTTONS, board.GO, board.NEW):
        which, upper = {board.GO: (1, False), board.NEW: (1, True)}.get(name) or _HALVES[
            board.ROW_BUTTONS.index(name) + 1
        ]
        line, rail = ("j", "top") if upper else ("a", "bottom")
        yield "buttons", _pin(build, f"button {name}"), f"{which}-{line}{_BUTTONS}"
        yield "buttons", f"{which}-{rail}61", f"{which}-{line}{_BUTTONS + 2}"
    for sign, role in enumerate(_signs(build)):
        number = _SIGNS + sign * _SIGN_PITCH
        step = "signs" if role.startswith("legend ") else role
        yield step, _pin(build, role), f"1-j{number}"
        yield step, f"1-bottom{number + 1}", f"1-a{number + 1}"
    yield "buzzer", _pin(build, "sounder"), f"1-j{_SOUNDER}"
    yield "buzzer", f"1-top{_SOUNDER + 4}", f"1-e{_SOUNDER + 4}"


def _of_row(build, row, which, upper):
    step = f"row {row}"
    outer, _, middle, odd, even = _LINES[upper]
    rail = "top" if upper else "bottom"
    yield step, _pin(build, step), f"{which}-{outer}{FIRST - 5}"
    yield step, f"{which}-{rail}{FIRST - 2}", f"{which}-{outer}{FIRST - 2}"
    for lamp in range(1, board.LAMPS):
        # neighbouring wires use different lines, because a hole takes only one wire
        line = odd if lamp % 2 else even
        yield step, f"{which}-{line}{_number(lamp)}", f"{which}-{line}{_number(lamp + 1)}"
    if row == 1:
        return
    before, above = _HALVES[row - 1]
    for lamp in range(1, board.LAMPS + 1):
        number = _number(lamp) + 1
        if before == which:  # across the gap, in lines that no row wire covers
            ends = (_LINES[half][4 if lamp % 2 else 3] for half in (above, upper))
        else:
            ends = (_LINES[above][2], middle)
        start, end = ends
        yield step, f"{before}-{start}{number}", f"{which}-{end}{number}"


def _pin(build, signal):
    """Return the outermost hole of the strip with a Pico pin."""
    place = _seat(FOOTPRINTS["pico"], hole("1-c1"))
    (where,) = (there for pin, there in place if pin == build.signal(signal).node[1])
    return str(Hole(1, "a" if where.line in LOWER else "j", where.number))


# The placed parts


def layout(build: Build) -> Layout:
    """Return the layout of a build on breadboards. Raises UserError if a part has no place."""
    if build.display == "pixels":
        boards, rails, (plan, planned) = 1, RAILS[:1], _one_board(build)
    else:
        boards, rails, plan, planned = BOARDS, RAILS, _planned(build), list(_wires(build))
    nets = {node: net for net in build.nets for node in net.nodes}
    owners: dict[tuple, object] = {Hole(1, rails[-1], 3).strip: nets[GROUND, "rail"]}
    places: list[Place] = []
    wires: list[Jumper] = []
    for step in dict.fromkeys(part.step for part in build.parts):
        for part in build.parts:
            if part.step == step and part.ref != GROUND:
                places.append(_placed(part, plan, nets, owners))
        wanted = [(_end(a), _end(b)) for at, a, b in planned if at == step]
        while done := [ends for ends in wanted if _is_joined(*ends, owners)]:
            for start, end in done:
                net = owners[start.strip]
                wires.append(Jumper(start, end, net.name, net.colour, step))
            wanted = [ends for ends in wanted if ends not in done]
    return Layout(tuple(places), tuple(wires), boards, rails)


def _placed(part, plan: Plan, nets, owners) -> Place:
    """Return the place of a part, turned if this puts its first pin in a strip of its own net.
    Record the net of each strip in `owners`."""
    if (part.kind, part.role) not in plan:
        what = f"{part.ref}, {part.value}, has no place on the breadboard"
        raise UserError(f"{what}: plan one in {_HERE}")
    shape, start = plan[part.kind, part.role]
    seats = _seat(FOOTPRINTS[shape], start)
    legs = [Leg(part.ref, pin, there) for pin, there in seats]
    if FOOTPRINTS[shape].turns:
        turned = [Leg(part.ref, {"1": "2", "2": "1"}[pin], there) for pin, there in seats]
        legs = min(legs, turned, key=lambda legs: _strangers(legs, nets, owners))
    for leg in legs:
        owners[leg.hole.strip] = nets.get((part.ref, leg.pin), leg)
    return Place(part.ref, shape, tuple(legs), part.step)


def _strangers(legs, nets, owners):
    """Return the number of legs in a strip that belongs to another net."""
    wanted = [(leg.hole.strip, nets.get((leg.ref, leg.pin), leg)) for leg in legs]
    return sum(owners.get(strip, net) != net for strip, net in wanted)


def _is_joined(start, end, owners):
    """Return True if both ends of a planned wire are on one net. A rail may not have a net yet."""
    net = owners.get(start.strip)
    if net and end.line in RAILS:
        owners.setdefault(end.strip, net)
    return net is not None and owners.get(end.strip) == net


def _end(name):
    return Hole(0, "y", PLUG[name[5:]]) if name.startswith("plug ") else hole(name)


def _seat(footprint, start) -> list[tuple[str, Hole]]:
    """Return [(pin, hole)] with the first leg in `start`. The line "?" marks a missing hole."""
    if not start.board:
        return [(pin, Hole(0, start.line, PLUG[pin])) for pin, _, _ in footprint.legs]
    lines = UPPER + "  " + LOWER
    row = lines.index(start.line)
    _, x0, y0 = footprint.legs[0]
    found = []
    for pin, x, y in footprint.legs:
        at = row + int(y - y0)
        line = lines[at] if 0 <= at < len(lines) and lines[at] != " " else "?"
        found.append((pin, Hole(start.board, line, start.number + int(x - x0))))
    return found
