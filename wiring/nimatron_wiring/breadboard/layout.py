"""Where each part and each wire goes: a hole for every leg, in the order of the steps.

If the plan below has the kind and role of a part, the part goes to its planned place. Any other
part goes to a free place at the left of boards 2 and 3. After the planned wires, which look tidy,
more wires join the pins that are still apart. So a changed netlist gives a correct layout, which
may not be tidy, or an error that names the part that does not fit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

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
    holes_of,
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

    @property
    def covered(self) -> Box:
        """The area where no wire can be plugged in."""
        return self.box(self.footprint.covers or self.footprint.body)

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
    """Return the layout of a build on breadboards. Raise UserError if a part does not fit."""
    return _Placer(build).done()


class _Placer:
    """Places the parts and wires step by step, and records which net each strip belongs to."""

    def __init__(self, build):
        self.build = build
        self.nets = {node: net for net in build.nets for node in net.nodes}
        self.one = build.display == "pixels"
        self.rails = RAILS[:1] if self.one else RAILS
        if self.one:
            self.plan, self.wanted = _one_board(build)
        else:
            self.plan, self.wanted = _planned(build), list(_wires(build))
        self.places: list[Place] = []
        self.wires: list[Jumper] = []
        self.used: set[Hole] = set()
        self.owner: dict[tuple, str] = {}  # {strip: the net that it belongs to}

    def done(self):
        for step in dict.fromkeys(part.step for part in self.build.parts):
            parts = [part for part in self.build.parts if part.step == step]
            unplanned = [part for part in parts if not self._place_as_planned(part)]
            wanted = [(_end(a), _end(b)) for at, a, b in self.wanted if at == step]
            while done := [ends for ends in wanted if self._wire_as_planned(*ends, step)]:
                wanted = [ends for ends in wanted if ends not in done]
            for part in unplanned:
                self._place_anywhere(part)
            self._join(step)
        boards = 1 if self.one else BOARDS
        return Layout(tuple(self.places), tuple(self.wires), boards, self.rails)

    # Parts

    def _place_as_planned(self, part):
        if part.kind == "rail":
            if part.ref != GROUND:
                raise UserError(
                    f"the breadboard has no rail for {part.value}: add a rail in {_HERE}"
                )
            self.owner[Hole(1, self.rails[-1], 3).strip] = self.nets[GROUND, "rail"].name
            return True
        shape, start = self.plan.pop((part.kind, part.role), (None, None))
        return bool(shape) and self._put(part, shape, start)

    def _place_anywhere(self, part):
        """Place a part in the first free place at the left of boards 2 and 3."""
        shapes = [shape for shape in FOOTPRINTS if shape.split(" ")[0] == part.kind]
        if not shapes:
            raise UserError(
                f"{part.ref} is a {part.kind}, which has no footprint for a breadboard: "
                "add its legs in wiring/nimatron_wiring/breadboard/footprints.py"
            )
        for which in range(2, 2 if self.one else BOARDS + 1):
            for line in UPPER + LOWER:
                for number in range(5, FIRST - 6):
                    if self._put(part, shapes[0], Hole(which, line, number)):
                        return
        raise UserError(
            f"{part.ref} has no free place on the breadboards: plan a place in {_HERE}"
        )

    def _put(self, part, shape, start):
        """Place a part if its legs and its body fit. Return True if they fit."""
        seats = _seat(FOOTPRINTS[shape], start)
        for turned in (False, True) if FOOTPRINTS[shape].turns else (False,):
            legs = [Leg(part.ref, _other(pin) if turned else pin, there) for pin, there in seats]
            place = Place(part.ref, shape, tuple(legs), part.step)
            if self._fits(place):
                self.places.append(place)
                for leg in legs:
                    self.used.add(leg.hole)
                    self._own(leg.hole, self._net(leg))
                return True
        return False

    def _fits(self, place):
        body = place.box(place.footprint.body)
        owners: dict = {}
        for leg in place.legs:
            net = self._net(leg)
            there = self.owner.get(leg.hole.strip, owners.get(leg.hole.strip, net))
            if not leg.hole.exists or not self._free(leg.hole) or there != net:
                return False
            owners[leg.hole.strip] = net
        if any(_inside(used.xy, place.covered) for used in self.used):
            return False
        return not any(_overlap(body, other.box(other.footprint.body)) for other in self.places)

    def _net(self, leg):
        net = self.nets.get((leg.ref, leg.pin))
        return net.name if net else f"{leg.ref} {leg.pin}, which is free"

    def _own(self, there, net):
        self.owner[there.strip] = net

    def _free(self, there):
        if there in self.used:
            return False
        return not any(_inside(there.xy, place.covered) for place in self.places)

    # Wires

    def _wire_as_planned(self, start, end, step):
        """Add a wire if both of its ends are on one net. Return True if they are. A rail may
        not have a net yet."""
        owners = [self.owner.get(there.strip) for there in (start, end)]
        if end.line in RAILS and owners[1] is None:
            owners[1] = owners[0]
        if owners[0] is None or owners[0] != owners[1]:
            return False
        if not (self._free(start) and self._free(end)):
            return False
        self._wire(start, end, owners[0], step)
        return True

    def _wire(self, start, end, net, step):
        colour = next(other.colour for other in self.build.nets if other.name == net)
        self.wires.append(Jumper(start, end, net, colour, step))
        self.used |= {start, end}
        self._own(start, net)
        self._own(end, net)

    def _join(self, step):
        """Add the wires that are still missing in each net."""
        for net in self.build.nets:
            pieces = self._pieces(net.name)
            while len(pieces) > 1:
                start, end = self._shortest(net.name, pieces)
                self._wire(start, end, net.name, step)
                pieces = self._pieces(net.name)

    def _pieces(self, net):
        """Return the strips of a net as sets of strips that wires and parts have joined."""
        pieces = {strip: {strip} for strip, owner in self.owner.items() if owner == net}
        joints = [(wire.start, wire.end) for wire in self.wires if wire.net == net]
        for place in self.places:
            legs = [leg for leg in place.legs if leg.hole.strip in pieces]
            joints += [(a.hole, b.hole) for a, b in pairwise(legs) if a.pin == b.pin]
        for start, end in joints:
            both = pieces[start.strip] | pieces[end.strip]
            pieces.update(dict.fromkeys(both, both))
        return list({id(piece): piece for piece in pieces.values()}.values())

    def _shortest(self, net, pieces):
        first, *others = pieces
        far = set().union(*others)
        best = None
        for start in self._open(first):
            for end in self._open(far):
                (ax, ay), (bx, by) = start.xy, end.xy
                far_apart = abs(ax - bx) + abs(ay - by)
                if best is None or far_apart < best[0]:
                    best = far_apart, start, end
        if best is None:
            raise UserError(f"the net {net} has no free hole for a wire: plan the wire in {_HERE}")
        return best[1:]

    def _open(self, strips):
        """Yield the free holes in a set of strips."""
        for strip in sorted(strips):
            for there in holes_of(strip):
                if self._free(there):
                    yield there


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


def _other(pin):
    return {"1": "2", "2": "1"}[pin]


def _inside(point, box):
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def _overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
