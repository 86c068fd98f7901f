"""The schematics of a build. Their sources are KiCad files in wiring/kicad/. The numbers of the
Pico's pins in them, and the pictures for the pages, are generated."""

import re

from nimatron_wiring import kicad
from nimatron_wiring.breadboard.holes import PITCH
from nimatron_wiring.kicad import each
from nimatron_wiring.netlist import PICO, Build
from nimatron_wiring.pico import NUMBERS
from nimatron_wiring.svg import INK, Canvas

_GREY, _LINE, _EDGE = "#5a5a5a", 0.25, 3  # the width of a line in mm, and the edge in pitches
_LARGE, _MIDDLE, _SMALL, _TINY = 1.9, 1.7, 1.6, 1.5  # mm: the sizes of text
# The colours of wires on paper. They are dark enough to print, and different enough for people who
# are colour-blind.
LEGIBLE = {
    "black": "#000000",
    "brown": "#5c1d00",
    "red": "#b32808",
    "orange": "#c3881d",
    "yellow": "#a68e44",
    "green": "#267c49",
    "blue": "#415ece",
    "violet": "#4b165d",
    "grey": "#5e5e5e",
    "white": "#959595",
}
_PIN = re.compile(r'\(name "GP\d+[ _]([^"]+)"([^"]*)\(number "\d+"')
_DIRECTIONS = {"0": (1, 0), "90": (0, -1), "180": (-1, 0), "270": (0, 1)}  # on paper


def sources(build: Build) -> dict[str, str]:
    """Return {file name: text} for the KiCad files of a build, with the pins of its pin map, first
    for the lamps and then for everything else."""
    stem = kicad.stem(build)

    def pin(found):
        name = build.signal(found[1].replace("_", " ")).node[1]
        return f'(name "{name} {found[1]}"{found[2]}(number "{NUMBERS[name]}"'

    texts = {}
    names = f"{stem}.kicad_sch", f"{stem}-controls.kicad_sch"
    for name in names[: 1 if build.display == "pixels" else 2]:
        text = _PIN.sub(pin, (kicad.FOLDER / name).read_text("utf-8"))
        texts[name] = re.sub(r'\(rev "\w*"\)', f'(rev "{build.revision}")', text, count=1)
    return texts


class Sheet:
    """A KiCad schematic. Points are in mm, with y downwards."""

    def __init__(self, text: str):
        self.tree = kicad.read(text)
        (library,) = each(self.tree, "lib_symbols")
        self.kinds = {symbol[1]: symbol for symbol in each(library, "symbol")}
        self.parts = list(each(self.tree, "symbol"))
        self.wires = [tuple(map(_xy, next(each(w, "pts"))[1:])) for w in each(self.tree, "wire")]
        self.pins = {}  # {(part, pin number): point}
        self.labels = {}  # {point: name of the rail}
        for label in each(self.tree, "global_label"):
            self.labels[_xy(next(each(label, "at")))] = label[1]
        for part in self.parts:
            ref, place = fields(part)["Reference"][1], placed(part)
            for unit in self.units(part):
                for pin in each(unit, "pin"):
                    point = place(_xy(next(each(pin, "at"))))
                    if ref.startswith("#"):  # a symbol for ground
                        self.labels[point] = fields(part)["Value"][1]
                    else:
                        self.pins[ref, next(each(pin, "number"))[1]] = point

    def units(self, part):
        """Return the drawn parts of a symbol, for its own unit and for all units."""
        unit = next(each(part, "unit"))[1]
        kind = self.kinds[next(each(part, "lib_id"))[1]]
        return [s for s in each(kind, "symbol") if s[1].split("_")[-2] in ("0", unit)]

    def islands(self) -> list[set]:
        """Return the sets of points that wires connect. KiCad joins wires where they end."""
        points = {*self.pins.values(), *self.labels, *(p for wire in self.wires for p in wire)}
        island = {point: {point} for point in points}
        for start, end in self.wires:
            joined = island[start] | island[end]
            island.update(dict.fromkeys(joined, joined))
        return list({id(joined): joined for joined in island.values()}.values())


def _xy(node):
    return tuple(round(float(number), 3) for number in node[1:3])


def fields(part: list) -> dict[str, list]:
    """Return the properties of a part by name."""
    return {field[1]: field[1:] for field in each(part, "property")}


def placed(part: list):
    """Return the function from a point in a symbol, with y upwards, to its point on the sheet."""
    _, x, y, turn = next(each(part, "at"))
    if any(each(part, "mirror")):
        raise ValueError(f"{fields(part)['Reference'][1]} is mirrored: no picture shows this")
    (a, b), (x, y) = _DIRECTIONS[turn], (float(x), float(y))
    return lambda p: (round(x + p[0] * a + p[1] * b, 3), round(y + p[0] * b - p[1] * a, 3))


def drawings(build: Build) -> dict[str, bytes]:
    """Return the SVG files of a build by file name."""
    sheets = list(sources(build).values())
    found = {f"{build.name}.svg": picture(build, sheets[0])}
    if len(sheets) > 1:
        found[f"{build.name}-controls.svg"] = picture(build, sheets[1])
    return {name: drawn.svg() for name, drawn in found.items()}


def picture(build: Build, text: str) -> Canvas:
    """Return the picture of a schematic, with the wires in the colours of their nets."""
    sheet = Sheet(text)
    (title,) = each(sheet.tree, "title_block")
    here = [s for s in build.signals if (PICO, str(NUMBERS[s.node[1]])) in sheet.pins]
    told = ", ".join(f"{signal.node[1]} {signal.name}" for signal in here)
    about = f"Schematic of the Raspberry Pi Pico and the parts soldered to it: {told}."
    canvas = Canvas(next(each(title, "title"))[1], about)
    colours = {n: LEGIBLE[net.colour] for net in build.nets for n in net.nodes}
    at = {}
    for (ref, number), point in sheet.pins.items():
        names = [p for r, p in colours if r == ref and kicad.number(build.part(ref), p) == number]
        at[point] = colours[ref, names[0]]
    rails = {net.name: LEGIBLE[net.colour] for net in build.nets}
    at |= {point: rails[name] for point, name in sheet.labels.items()}
    for island in sheet.islands():
        colour = next((at[point] for point in sorted(island) if point in at), INK)
        for wire in sheet.wires:
            if wire[0] in island:
                canvas.line(map(_pitches, wire), colour, _LINE)
        for dot in each(sheet.tree, "junction"):
            if (point := _xy(next(each(dot, "at")))) in island:
                canvas.circle(*_pitches(point), 0.18, colour)
    for part in sheet.parts:
        _symbol(canvas, sheet, part)
    for label in each(sheet.tree, "global_label"):
        _label(canvas, label)
    for line in each(sheet.tree, "text"):
        x, y = _pitches(_xy(next(each(line, "at"))))
        canvas.text(x, y, line[1], colour=_GREY, size=_LARGE)
    canvas.fit(_EDGE)
    return canvas


def _pitches(point):
    return point[0] / PITCH, point[1] / PITCH


def _box(canvas, corner, opposite):
    (x1, y1), (x2, y2) = corner, opposite
    canvas.line([(x1, y1), (x2, y1), (x2, y2), (x1, y2), (x1, y1)], INK, _LINE)


def _label(canvas, label):
    """Draw the name of a rail in a frame."""
    _, x, y, turn = next(each(label, "at"))
    (x, y), (a, b) = _pitches((float(x), float(y))), _DIRECTIONS[turn]
    near, far, side = 0.4, 0.7 + 0.56 * len(label[1]), 0.48
    corner = x + near * a - side * abs(b), y + near * b - side * abs(a)
    canvas.line([(x, y), (x + near * a, y + near * b)], INK, _LINE)
    _box(canvas, corner, (x + far * a + side * abs(b), y + far * b + side * abs(a)))
    middle = (near + far) / 2
    canvas.text(x + middle * a, y + middle * b, label[1], size=_MIDDLE, upright=not b)


def _symbol(canvas, sheet, part):
    def at(point):
        return _pitches(place(point))

    place = placed(part)
    for unit in sheet.units(part):
        for shape in unit[2:]:
            points = [_xy(point) for pts in each(shape, "pts") for point in pts[1:]]
            if shape[0] == "polyline":
                canvas.line(map(at, points), INK, _LINE)
            elif shape[0] == "rectangle":
                _box(canvas, *(at(_xy(next(each(shape, end)))) for end in ("start", "end")))
            elif shape[0] == "circle":
                radius = float(next(each(shape, "radius"))[1]) / PITCH
                middle = at(_xy(next(each(shape, "center"))))
                canvas.circle(*middle, radius, "none", INK, _LINE)
            elif shape[0] == "pin":
                kind = sheet.kinds[next(each(part, "lib_id"))[1]]
                _pin(canvas, shape, at, any("hide" in names for names in each(kind, "pin_names")))
            else:
                raise ValueError(f"no picture shows the {shape[0]} in {unit[1]}")
    for name, size, colour in (("Reference", _LARGE, INK), ("Value", _SMALL, _GREY)):
        field = fields(part)[name]
        if "hide" not in next(each(field, "effects")):
            x, y = _pitches(_xy(next(each(field, "at"))))
            canvas.text(x, y, field[1], colour=colour, size=size)


def _pin(canvas, pin, at, hidden):
    """Draw a pin of a box, with its name in the box and its number on the line."""
    _, x, y, turn = next(each(pin, "at"))
    length = float(next(each(pin, "length"))[1])
    (a, b), (x, y) = _DIRECTIONS[turn], (float(x), float(y))
    start, edge = at((x, y)), at((x + a * length, y - b * length))
    canvas.line([start, edge], INK, _LINE)
    if hidden:
        return
    name, number = (next(each(pin, what))[1] for what in ("name", "number"))
    if name in (number, "~"):  # a part without pin numbers
        name, number = (number, "") if name != "~" else ("", number)
    low = name.startswith("~{")
    name = name.replace("_", " ").strip("~{}")
    level, anchor = not b, "start" if a > b else "end"
    inside = edge[0] + 0.24 * a, edge[1] + 0.24 * b
    canvas.text(*inside, name, anchor, INK, level, _SMALL)
    if number:
        middle = (start[0] + edge[0]) / 2, (start[1] + edge[1]) / 2
        canvas.text(*_above(*middle, level), number, "middle", _GREY, level, _TINY)
    if low:
        end = inside[0] + 0.4 * len(name) * a, inside[1] + 0.4 * len(name) * b
        canvas.line([_above(*inside, level), _above(*end, level)], INK, _LINE)


def _above(x, y, level):
    """Return the point above a level line of text, or to the left of an upright one."""
    return (x, y - 0.36) if level else (x - 0.36, y)
