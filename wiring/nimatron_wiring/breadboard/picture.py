"""A picture for each step: the boards, life-size if printed at 100 %. New parts are in full
colour, and earlier parts are pale."""

from collections.abc import Iterable
from itertools import pairwise

from nimatron_wiring import pico
from nimatron_wiring.breadboard import paths
from nimatron_wiring.breadboard.footprints import rings
from nimatron_wiring.breadboard.holes import (
    HEIGHT,
    LOWER,
    NUMBERS,
    PITCH,
    RAILS,
    SPLIT,
    UPPER,
    Hole,
)
from nimatron_wiring.breadboard.layout import Layout
from nimatron_wiring.netlist import PICO, Build
from nimatron_wiring.svg import FONT, INK, Canvas, in_mm

WIRES = {
    "black": "#202020",
    "yellow": "#f2c200",
    "blue": "#1f5fd0",
    "green": "#14863c",
    "white": "#ffffff",
    "grey": "#8c8c8c",
    "violet": "#8a3fd0",
    "red": "#d01f1f",
    "orange": "#e06c00",
    "brown": "#8a4b1f",
}
RINGS = WIRES | {
    "black": "#000000",
    "brown": "#7a3d10",
    "gold": "#c9a227",
    "silver": "#b8b8b8",
    "violet": "#7a2bbf",
}
_PAD = 1.3  # pitches: the length of a Pico pad, with room for two digits
_ON_PICO = 2.58  # mm. Names of opposite pins fit side by side, at 7 points on Letter paper


def pictures(build: Build, made: Layout) -> dict[str, bytes]:
    """Return a picture of each step and of the finished boards, by file name."""
    names = list(dict.fromkeys(part.step for part in build.parts))
    routes = paths.paths(made)
    found = {}
    for number, name in enumerate(names, 1):
        title = f"Nimatron {build.title.lower()}, step {number}: {name}"
        new = [place.ref for place in made.places if place.step == name]
        wires = [f"{wire.start} to {wire.end}" for wire in made.wires if wire.step == name]
        about = f"New parts: {', '.join(new)}. New wires: {', '.join(wires)}."
        canvas = _drawn(title, about, build, made, routes, set(names[: number - 1]), {name})
        used = [there.xy for there in visible(made, names[:number])]
        for place in made.places:
            if place.step == name:
                _named(canvas, build, place, used)
        found[file_name(build, number)] = canvas.svg()
    title = f"Nimatron {build.title.lower()}, finished"
    about = f"{len(made.places)} parts and {len(made.wires)} wires on breadboards: {made.boards}."
    finished = _drawn(title, about, build, made, routes, set(), set(names))
    for place in made.places:
        _named(finished, build, place, [there.xy for there in visible(made, names)])
    return {**found, finished_name(build): finished.svg()}


def visible(made: Layout, steps: Iterable[str]) -> list[Hole]:
    """Return the holes in use after these steps, except the holes that a body covers."""
    steps = set(steps)
    legs = [
        leg.hole
        for place in made.places
        if place.step in steps
        for leg in place.legs
        if not _in(leg.hole.xy, _around(place.box(place.footprint.body)))
    ]
    ends = [end for wire in made.wires if wire.step in steps for end in (wire.start, wire.end)]
    return legs + ends


def _around(box, by=0.1):
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def file_name(build: Build, number: int) -> str:
    return f"{build.name}-step{number:02}.svg"


def finished_name(build: Build) -> str:
    return f"{build.name}-finished.svg"


def _drawn(title, about, build, made, routes, old, new):
    """Draw the boards, with parts from steps in `old` pale and from `new` in full colour."""
    seen = [path for wire, path in routes.items() if wire.step in old | new]
    if any(place.shape == "chain" and place.step in old | new for place in made.places):
        seen.append([(_CABLE - 1, _ROWS[0] - 3), (_CABLE, _ROWS[0])])
    canvas = Canvas(title, about, paths.extent(made, seen))
    socket = _socket(made.place(PICO))
    for which in range(1, made.boards + 1):
        _board(canvas, which, socket)
    for steps in (old, new):
        for place in made.places:
            canvas.pale = steps is old
            if place.step in steps:
                _DRAWN[build.part(place.ref).kind](canvas, build, place)
        canvas.pale = steps is old
        for wire in made.wires:
            if wire.step in steps:
                _wire(canvas, wire, routes[wire])
    canvas.pale = False
    return canvas


# The boards


def _board(canvas, which, socket):
    """Draw a board, except the words that the Pico's USB socket covers."""
    top = (which - 1) * HEIGHT
    canvas.box(-0.9, top - 5.2, NUMBERS + 1.6, top + 16.2, "#faf8f2", "#b9b4a5", 0.25, 1)
    canvas.box(0.6, top + 5.1, NUMBERS + 0.1, top + 5.9, "#e4dfd0")
    for rail in RAILS:
        _, blue = Hole(which, rail, 3).xy
        for y, colour, edge in (
            (blue, "#1f5fd0", blue - 0.55),
            (blue + 1, "#d01f1f", blue + 1.55),
        ):
            for start, end in ((1.5, SPLIT - 0.7), (SPLIT + 0.7, NUMBERS - 0.5)):
                canvas.line([(start, edge), (end, edge)], colour, 0.25)
            _holes(canvas, y, 3, NUMBERS - 2, gaps=True)
    for line in UPPER + LOWER:
        _, y = Hole(which, line, 1).xy
        _holes(canvas, y, 1, NUMBERS)
        aside = 0.35 * (-1) ** "jihgfedcba".index(line)  # so that i and j do not touch
        for x in (-0.3 - aside, NUMBERS + 1):
            if not _in((x, y), socket):
                canvas.text(x, y, line, colour="#6b665a")
    for number in (1, *range(5, NUMBERS, 5)):
        for y in (top - 1.0, top + 12.0):
            canvas.text(number, y, str(number), colour="#6b665a")
    for x in (-0.2, NUMBERS + 0.9):
        if not _in((x, top + 5.5), socket):
            canvas.text(x, top + 5.5, str(which), size=3.6, bold=True)


def _in(point, box):
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _holes(canvas, y, first, last, gaps=False):
    """Draw the holes in a line as one dashed line, without every sixth hole if `gaps` is true."""
    dash = [0.36, 0.64] * 4 + [0.36, 1.64] if gaps else [0.36, 0.64]
    pattern = " ".join(map(in_mm, dash))
    points = [(first - 0.18, y), (last + 0.18, y)]
    canvas.line(points, "#8d8878", 0.36 * PITCH, stroke_dasharray=pattern)


def _wire(canvas, wire, path):
    casing = "#3a3a3a" if wire.colour != "black" else "#bdbdbd"
    for colour, width in ((casing, 0.92), (WIRES[wire.colour], 0.62)):
        canvas.line(path, colour, width)
    for x, y in (path[0], path[-1]):
        canvas.circle(x, y, 0.3, WIRES[wire.colour], casing, 0.25)


# The parts


def printed(pin: str) -> str:
    """Return a name for a Pico pin that is short enough to print on the Pico."""
    return {"ADC_VREF": "VREF", "3V3_EN": "EN"}.get(pin, pin.split(".")[0])


def _socket(place):
    left, top, _, bottom = place.box(place.footprint.body)
    middle = (top + bottom) / 2
    return left - 1.3, middle - 1.5, left + 0.1, middle + 1.5


def _pico(canvas, build, place):
    canvas.pale = False  # the names of the pins in use help in every step
    left, top, right, bottom = place.box(place.footprint.body)
    used = {pin for net in build.nets for ref, pin in net.nodes if ref == PICO}
    canvas.box(left, top, right, bottom, "#2f7d4f", "#1d5233", 0.25, 0.6)
    canvas.box(*_socket(place), "#c9ccd0", "#777777", 0.2, 0.3)
    middle = (top + bottom) / 2
    canvas.text(left - 0.6, middle, "USB", upright=False)
    for leg in place.legs:
        x, y = leg.hole.xy
        low = y > middle
        edge, inner = (bottom, bottom - _PAD) if low else (top, top + _PAD)
        ends = min(edge, inner), max(edge, inner)
        canvas.box(x - 0.42, ends[0], x + 0.42, ends[1], "#e8c65a", "#7a6520", 0.15, 0.3)
        canvas.text(
            x, (edge + inner) / 2, str(pico.NUMBERS[leg.pin]), upright=False, size=_ON_PICO
        )
        anchor, at = ("start", inner - 0.03) if low else ("end", inner + 0.03)
        name = printed(leg.pin)
        if leg.pin in used:
            canvas.text(x, at, name, anchor, "#ffffff", upright=False, size=_ON_PICO)


def _resistor(canvas, build, place):
    part = build.part(place.ref)
    (ax, ay), (bx, by) = (leg.hole.xy for leg in place.legs)
    canvas.line([(ax, ay), (bx, by)], "#9a9a9a", 0.6)
    left, top, right, bottom = place.box(place.footprint.body)
    canvas.box(left, top, right, bottom, "#e2c69a", "#8d6f3f", 0.2, 0.7)
    bands = rings(part.value, part.rating)
    for n, colour in enumerate(bands):
        share = (0.16, 0.34, 0.52, 0.84) if len(bands) == 4 else (0.12, 0.27, 0.42, 0.57, 0.86)
        if right - left > bottom - top:
            at = left + share[n] * (right - left)
            canvas.box(at - 0.13, top, at + 0.13, bottom, RINGS[colour])
        else:
            at = top + share[n] * (bottom - top)
            canvas.box(left, at - 0.13, right, at + 0.13, RINGS[colour])
    _feet(canvas, place)


def _led(canvas, build, place):
    left, top, right, bottom = place.box(place.footprint.body)
    x, y, r = (left + right) / 2, (top + bottom) / 2, (right - left) / 2
    cathode = next(leg.hole.xy for leg in place.legs if leg.pin == "C")
    way = -1 if cathode[0] < x else 1
    flat, half = 0.86 * r, 0.51 * r
    shape = (
        f"M{in_mm(x + way * flat)} {in_mm(y - half)}A{in_mm(r)} {in_mm(r)} 0 1 {int(way < 0)} "
        f"{in_mm(x + way * flat)} {in_mm(y + half)}Z"
    )
    canvas.add("path", "#ff9a8c", "#a8281c", 0.25, d=shape)
    canvas.line([(x + way * flat, y - half), (x + way * flat, y + half)], "#a8281c", 0.6)
    if canvas.pale:  # otherwise, the name of the LED is here
        _feet(canvas, place)


def _npn(canvas, build, place):
    left, _, right, bottom = _around(place.box(place.footprint.body))
    bottom -= 0.1
    rise = in_mm((right - left) / 2)
    shape = (
        f"M{in_mm(left)} {in_mm(bottom)}L{in_mm(left)} {in_mm(bottom - 0.55)}A{rise} {rise} 0 0 1 "
        f"{in_mm(right)} {in_mm(bottom - 0.55)}L{in_mm(right)} {in_mm(bottom)}Z"
    )
    canvas.add("path", "#4a4a4a", "#000000", 0.25, d=shape)
    for leg in place.legs:
        x, y = leg.hole.xy
        canvas.text(
            x + 0.28 * ((left + right) / 2 - x), y, leg.pin, colour="#ffffff", size=_ON_PICO
        )


def _tactile(canvas, build, place):
    left, top, right, bottom = place.box(place.footprint.body)
    for one, other in zip(place.legs[::2], place.legs[1::2], strict=True):
        canvas.line([one.hole.xy, other.hole.xy], "#9a9a9a", 0.9)
    canvas.box(left, top, right, bottom, "#55585c", "#222222", 0.25, 0.4)
    for one, other in zip(place.legs[::2], place.legs[1::2], strict=True):
        (x, y), (_, y2) = one.hole.xy, other.hole.xy
        x += (
            0.05 if x < (left + right) / 2 else -0.05
        )  # the dashed line between two legs that are joined inside
        canvas.line([(x, y), (x, y2)], "#f2f2f2", 0.35, stroke_dasharray="0.8 0.4")
    radius = 0.8 if right - left < 3 else 1.5
    canvas.circle((left + right) / 2, (top + bottom) / 2, radius, "#dfe3e6", "#222222", 0.2)
    _feet(canvas, place)


def _piezo(canvas, build, place):
    left, top, right, bottom = place.box(place.footprint.body)
    x, y = (left + right) / 2, (top + bottom) / 2
    canvas.circle(x, y, (right - left) / 2, "#6a6d72", "#222222", 0.25)
    canvas.circle(x, y, 0.35, "#222222")
    for leg in place.legs:
        canvas.circle(*leg.hole.xy, 0.24, "#e4e4e4", "#222222", 0.2)


def _diode(canvas, build, place):
    (ax, ay), (bx, by) = (leg.hole.xy for leg in place.legs)
    canvas.line([(ax, ay), (bx, by)], "#9a9a9a", 0.6)
    left, top, right, bottom = place.box(place.footprint.body)
    canvas.box(left, top, right, bottom, "#2b2b2b", "#000000", 0.2, 0.2)
    canvas.box(right - 0.6, top, right - 0.2, bottom, "#e4e4e4")  # the ring is at K
    _feet(canvas, place)


# The lamps of a chain, above the board: y of each row, x of each column, and x of the cable
_ROWS, _COLUMNS = (-34.0, -28.5, -23.0, -17.5), [4.0 + 9 * n for n in range(7)]
_CABLE = -0.4


def _chain(canvas, build, place):
    """Draw the chain from its plug to and fro through its lamps. It is not to scale."""
    left, top, right, bottom = place.box(place.footprint.body)
    (start, y), ends = place.legs[1].hole.xy, (_COLUMNS[0], _COLUMNS[-1])
    way = [(start, y), (start, -14.5), (_CABLE, -14.5), (_CABLE, _ROWS[0])]
    for n, row in enumerate(_ROWS):
        first, last = ends[:: 1 if n % 2 == 0 else -1]
        way += [(first, row), (last, row)]
    for colour, wide in (("#3a3a3a", 1.6), ("#e8e2d2", 1.2)):
        canvas.line(way, colour, wide)
    for (ax, ay), (bx, by) in pairwise(way[3:]):
        if ay == by:
            side = 0.9 if bx > ax else -0.9
            tip = ax + 5.6 * side if ax != _CABLE else bx - 2 * side
            canvas.line([(tip - side, ay - 0.7), (tip, ay), (tip - side, ay + 0.7)], INK, 0.5)
    for n, row in enumerate(_ROWS):
        for lamp, x in enumerate(_COLUMNS):
            canvas.circle(x, row, 1.6, "#ffd98a", "#8a6a1f", 0.3)
            number = 7 * n + (lamp if n % 2 == 0 else 6 - lamp) + 1
            canvas.text(x, row, str(number))
    canvas.box(left, top, right, bottom, "#55585c", "#222222", 0.25, 0.4)
    for leg, name in zip(place.legs, ("+", "data", "-"), strict=True):
        x, y = leg.hole.xy
        canvas.circle(x, y, 0.3, "#e8c65a")
        at = {"+": (left - 0.4, "end"), "data": (x, "middle"), "-": (right + 0.4, "start")}
        canvas.text(at[name][0], y if name != "data" else y - 1.2, name, at[name][1], bold=True)


def _feet(canvas, place):
    for leg in place.legs:
        canvas.circle(*leg.hole.xy, 0.22, "#6f6f6f")


_DRAWN = {
    "pico": _pico,
    "resistor": _resistor,
    "led": _led,
    "npn": _npn,
    "tactile": _tactile,
    "piezo": _piezo,
    "diode": _diode,
    "chain": _chain,
}


# The names, on top of everything else


def _named(canvas, build, place, used):
    """Write the names of a part and of its legs. Names must not cover the holes in `used`."""
    part = build.part(place.ref)
    left, top, right, bottom = place.box(place.footprint.body)
    x, y = (left + right) / 2, (top + bottom) / 2
    if part.kind in ("pico", "chain"):
        return
    if place.shape == "tactile 12 mm":
        canvas.text(x, y, place.ref, bold=True)
        canvas.text(x, bottom + 1.1, part.role.removeprefix("button ").upper(), bold=True)
    elif part.kind == "tactile":
        canvas.text(x, y, place.ref)
        name = part.role.removeprefix("button ").upper()
        canvas.text(right + 0.8, y, name, upright=False, bold=True)
    elif part.kind == "led":
        canvas.text(x, y, place.ref, bold=True)
        sign = part.role.startswith("legend ") or part.role == "coin"
        outside = -1 if y % HEIGHT < 5 else 1
        for leg in place.legs:
            lx, _ = leg.hole.xy
            way = 1 if lx > x else -1
            beside = (x + way * 1.6, y) if sign else (lx + way * 0.35, y + outside * 1.62)
            canvas.text(*beside, leg.pin)
        if sign:
            _sign(canvas, part.role, place.legs[0].hole.xy[0])
    elif part.kind == "piezo":
        canvas.text(x, y - 1, place.ref, colour="#ffffff", bold=True)
    elif part.kind == "npn":
        _label(canvas, place.ref, [(left - 0.4, y, "end")], used)
    else:
        above, below = (x, top - 0.6, "middle"), (x, bottom + 0.6, "middle")
        beside = (right + 0.2, y, "start"), (left - 1, y, "end")
        if place.shape == "resistor across":
            beside = (left - 0.2, y, "end"), beside[0]
        _label(canvas, place.ref, [above, below, *beside] if right - left > 2 else beside, used)


def _sign(canvas, role, x):
    words = role.removeprefix("legend ").upper().split("-")
    for n, word in enumerate(words):
        canvas.text(x, 0.95 + n, word)


def _label(canvas, words, places, used):
    """Write a name at the first place in `places` where it covers no hole in `used`."""
    wide = 0.68 * FONT * len(words) / PITCH
    for x, y, anchor in places:
        left = x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        box = left - 0.08, y - 0.5, left + wide + 0.08, y + 0.5
        if not any(_in(point, box) for point in used):
            break
    canvas.box(*box, "#ffffff", "none", 0, 0.3)
    canvas.text(left + wide / 2, y, words, bold=True)
