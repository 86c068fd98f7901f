"""The schematics of a build. Their sources are KiCad files in wiring/kicad/. The numbers of the
Pico's pins in them, and the pictures for the pages, are generated."""

import re
from collections import Counter

from nimatron_wiring import kicad
from nimatron_wiring.drawing import GREY, INK, LEGIBLE, SMALL, TINY, Drawing
from nimatron_wiring.kicad import each
from nimatron_wiring.netlist import PICO, Build
from nimatron_wiring.pico import NUMBERS

_MM = 5.08  # mm per unit of a drawing
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


def faults(build: Build) -> list[str]:
    """Return the differences between the schematics and the netlist, one line each."""
    joined: list[set] = []
    rails: dict[str, set] = {}
    shown: Counter = Counter()
    for text in sources(build).values():
        sheet = Sheet(text)
        for part in sheet.parts:
            told = fields(part)
            if not told["Reference"][1].startswith("#"):
                shown[told["Reference"][1], told["Value"][1]] += 1
        for island in sheet.islands():
            pins = {pin for pin, point in sheet.pins.items() if point in island}
            names = {sheet.labels[point] for point in island if point in sheet.labels}
            for name in names:
                pins = rails.setdefault(name, set()).union(pins)
                rails[name] = pins
            if not names:
                joined.append(pins)
    joined += rails.values()
    wanted: dict[str, set] = {}
    for pin, net in kicad.joints(build).items():
        wanted.setdefault(net, set()).add(pin)
    lines = [
        f"{build.name}: no wires of the schematics join exactly the net {name}"
        for name, pins in wanted.items()
        if pins not in joined
    ]
    lines += [
        f"{build.name}: the schematics join {sorted(pins)}, which are no net"
        for pins in joined
        if pins not in wanted.values()
    ]
    for part in build.parts:
        number = shown[part.ref, kicad.printed(part)]
        if part.kind != "rail" and number != (len(sources(build)) if part.ref == PICO else 1):
            what = f"{part.ref}, {part.value}"
            lines.append(f"{build.name}: {what} is {number} times in the schematics")
    return lines


def drawings(build: Build) -> dict[str, bytes]:
    """Return the SVG files of a build by file name."""
    sheets = list(sources(build).values())
    found = {f"{build.name}.svg": picture(build, sheets[0])}
    if len(sheets) > 1:
        found[f"{build.name}-controls.svg"] = picture(build, sheets[1])
    return {name: drawn.svg() for name, drawn in found.items()}


def picture(build: Build, text: str) -> Drawing:
    """Return the picture of a schematic, with the wires in the colours of their nets."""
    sheet = Sheet(text)
    (title,) = each(sheet.tree, "title_block")
    here = [s for s in build.signals if (PICO, str(NUMBERS[s.node[1]])) in sheet.pins]
    told = ", ".join(f"{signal.node[1]} {signal.name}" for signal in here)
    about = f"Schematic of the Raspberry Pi Pico and the parts soldered to it: {told}."
    drawing = Drawing(next(each(title, "title"))[1], about)
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
                drawing.line(*map(_units, wire), colour=colour)
        for dot in each(sheet.tree, "junction"):
            if (point := _xy(next(each(dot, "at")))) in island:
                drawing.circle(_units(point), 0.09, colour, colour)
    for part in sheet.parts:
        _symbol(drawing, sheet, part)
    for label in each(sheet.tree, "global_label"):
        _label(drawing, label)
    for line in each(sheet.tree, "text"):
        x, y = _units(_xy(next(each(line, "at"))))
        drawing.text((x, y + 0.12), line[1], "middle", colour=GREY)
    return drawing


def _units(point):
    return point[0] / _MM, point[1] / _MM


def _label(drawing, label):
    """Draw the name of a rail in a frame."""
    _, x, y, turn = next(each(label, "at"))
    (x, y), (a, b), wide = _units((float(x), float(y))), _DIRECTIONS[turn], 0.28 * len(label[1])
    far = wide + 0.35
    drawing.line((x, y), (x + 0.2 * a, y + 0.2 * b))
    side = 0.24
    corner = x + 0.2 * a - side * abs(b), y + 0.2 * b - side * abs(a)
    drawing.box(corner, (x + far * a + side * abs(b), y + far * b + side * abs(a)))
    middle = x + (far + 0.2) / 2 * a, y + (far + 0.2) / 2 * b
    if b:
        drawing.text((middle[0] + 0.12, middle[1]), label[1], "middle", 0.33, upright=True)
    else:
        drawing.text((middle[0], middle[1] + 0.12), label[1], "middle", 0.33)


def _symbol(drawing, sheet, part):
    def at(point):
        return _units(place(point))

    place = placed(part)
    for unit in sheet.units(part):
        for shape in unit[2:]:
            points = [_xy(point) for pts in each(shape, "pts") for point in pts[1:]]
            if shape[0] == "polyline":
                drawing.line(*map(at, points))
            elif shape[0] == "rectangle":
                drawing.box(*(at(_xy(next(each(shape, end)))) for end in ("start", "end")))
            elif shape[0] == "circle":
                middle = at(_xy(next(each(shape, "center"))))
                drawing.circle(middle, float(next(each(shape, "radius"))[1]) / _MM)
            elif shape[0] == "pin":
                hidden = any(
                    "hide" in x
                    for x in each(sheet.kinds[next(each(part, "lib_id"))[1]], "pin_names")
                )
                _pin(drawing, shape, at, hidden)
            else:
                raise ValueError(f"no picture shows the {shape[0]} in {unit[1]}")
    for name in ("Reference", "Value"):
        field = fields(part)[name]
        effects = next(each(field, "effects"))
        if "hide" not in effects:
            x, y = _units(_xy(next(each(field, "at"))))
            drawing.text(
                (x, y + 0.12),
                field[1],
                "middle",
                0.37 if name == "Reference" else SMALL,
                INK if name == "Reference" else GREY,
            )


def _pin(drawing, pin, at, hidden):
    """Draw a pin of a box, with its name in the box and its number on the line."""
    _, x, y, turn = next(each(pin, "at"))
    length = float(next(each(pin, "length"))[1])
    (a, b), (x, y) = _DIRECTIONS[turn], (float(x), float(y))
    start, edge = at((x, y)), at((x + a * length, y - b * length))
    drawing.line(start, edge)
    if hidden:
        return
    name, number = (next(each(pin, what))[1] for what in ("name", "number"))
    if name in (number, "~"):  # a part without pin numbers
        name, number = (number, "") if name != "~" else ("", number)
    low = name.startswith("~{")
    name = name.replace("_", " ").strip("~{}")
    middle = (start[0] + edge[0]) / 2, (start[1] + edge[1]) / 2
    wide = 0.2 * len(name)
    if a:
        drawing.text(
            (edge[0] + 0.12 * a, edge[1] + 0.12), name, "start" if a > 0 else "end", SMALL
        )
        bar = (edge[0] + 0.12 * a, edge[1] - 0.18), (edge[0] + (0.12 + wide) * a, edge[1] - 0.18)
        drawing.text((middle[0], middle[1] - 0.08), number, "middle", TINY, GREY)
    else:
        anchor = "end" if b > 0 else "start"
        drawing.text((edge[0] + 0.12, edge[1] + 0.12 * b), name, anchor, SMALL, upright=True)
        bar = (edge[0] - 0.18, edge[1] + 0.12 * b), (edge[0] - 0.18, edge[1] + (0.12 + wide) * b)
        drawing.text((middle[0] - 0.08, middle[1]), number, "middle", TINY, GREY, upright=True)
    if low:
        drawing.line(*bar)
