"""The files for a board house: Gerber files, drill files, and the place of each part.

The files have the usual names. gtl, gts and gto are the copper, the solder mask and the print on
top. gbl and gbs are the copper and the solder mask on the bottom. gko is the edge. Lengths are in
mm, from the lower left corner.
"""

import csv
import io
from collections.abc import Iterable
from functools import cache

from gerber_writer import Circle, DataLayer, Path, set_generation_software
from HersheyFonts import HersheyFonts

from nimatron import VERSION
from nimatron_wiring.netlist import PICO
from nimatron_wiring.pcb.design import Design
from nimatron_wiring.pcb.lands import Point, Stroke
from nimatron_wiring.pcb.placement import CORNER, HEIGHT, SCREW, SCREWS, WIDTH, Words
from nimatron_wiring.pcb.routes import BOTTOM, TOP
from nimatron_wiring.pcb.rules import MASK, PEN, TRACK, VIA, VIA_HOLE

_CAPITAL, _BELOW = (
    0.75,
    0.25,
)  # the height of a capital letter, and the space below it, in this font
_HAIR = 0.1


def files(made: Design) -> dict[str, bytes]:
    """Return every file for a board, by name."""
    set_generation_software("Nimatron", "nimatron wiring --kit", VERSION)
    plated = [(pad.hole, pad.x, pad.y) for pad in made.pads]
    plated += [(VIA_HOLE, via.x, via.y) for via in made.routes.vias]
    screws = [(SCREW, x, y) for x, y in SCREWS]
    return {
        "board.gtl": _copper(made, TOP),
        "board.gbl": _copper(made, BOTTOM),
        "board.gts": _mask(made, "Top"),
        "board.gbs": _mask(made, "Bot"),
        "board.gto": _print(made),
        "board.gko": _edge(),
        "board-plated.drl": _drill("Plated,1,2,PTH", plated),
        "board-not-plated.drl": _drill("NonPlated,1,2,NPTH", screws),
        "placement.csv": _placement(made),
    }


def _up(point: Point) -> Point:
    """Convert a point measured down from the upper left corner to one up from the lower left."""
    return round(point[0], 4), round(HEIGHT - point[1], 4)


def _gerber(layer):
    """Return a Gerber file without its creation date, so that equal boards give equal files."""
    lines = layer.dumps_gerber().splitlines(keepends=True)
    return "".join(line for line in lines if "TF.CreationDate" not in line).encode()


def _copper(made, layer):
    sheet = DataLayer("Copper,L1,Top,Signal" if layer == TOP else "Copper,L2,Bot,Signal")
    for pad in made.pads:
        sheet.add_pad(Circle(pad.size, "ComponentPad"), _up((pad.x, pad.y)))
    for via in made.routes.vias:
        sheet.add_pad(Circle(VIA, "ViaPad"), _up((via.x, via.y)))
    for track in made.routes.tracks:
        if track.layer == layer:
            sheet.add_trace_line(_up(track.start), _up(track.end), TRACK, "Conductor")
    return _gerber(sheet)


def _mask(made, side):
    """Return the solder mask of a side, with openings at the pads. Vias stay covered."""
    sheet = DataLayer(f"Soldermask,{side}", negative=True)
    for pad in made.pads:
        sheet.add_pad(Circle(pad.size + 2 * MASK, ""), _up((pad.x, pad.y)))
    for x, y in SCREWS:
        sheet.add_pad(Circle(SCREW + 2 * MASK, ""), _up((x, y)))
    return _gerber(sheet)


def _print(made):
    sheet = DataLayer("Legend,Top")
    for stroke in (*made.outlines, *(s for line in made.words for s in strokes(line))):
        path = Path()
        path.moveto(_up(stroke[0]))
        for point in stroke[1:]:
            path.lineto(_up(point))
        sheet.add_traces_path(path, PEN, "")
    return _gerber(sheet)


@cache
def _font():
    font = HersheyFonts()
    font.load_default_font("futural")
    font.normalize_rendering(1)
    return font


def strokes(line: Words) -> list[Stroke]:
    """Return the letters in a line of text as strokes of the pen."""
    scale = line.height / _CAPITAL
    drawn = [list(stroke) for stroke in _font().strokes_for_text(line.text)]
    xs = [x for stroke in drawn for x, _ in stroke]
    middle = (min(xs) + max(xs)) / 2, _BELOW + _CAPITAL / 2
    wide = (max(xs) - min(xs)) * scale
    squeeze = scale * min(1, line.room / wide) if line.room else scale
    found = []
    for stroke in drawn:
        moved = [((x - middle[0]) * squeeze, (middle[1] - y) * scale) for x, y in stroke]
        if line.turned:
            moved = [(y, -x) for x, y in moved]
        found.append(tuple((line.x + x, line.y + y) for x, y in moved))
    return found


def _edge():
    sheet = DataLayer("Profile,NP")
    path, far_x, far_y = Path(), WIDTH - CORNER, HEIGHT - CORNER
    path.moveto((CORNER, 0))
    path.lineto((far_x, 0))
    path.arcto((WIDTH, CORNER), (far_x, CORNER), "+")
    path.lineto((WIDTH, far_y))
    path.arcto((far_x, HEIGHT), (far_x, far_y), "+")
    path.lineto((CORNER, HEIGHT))
    path.arcto((0, far_y), (CORNER, far_y), "+")
    path.lineto((0, CORNER))
    path.arcto((CORNER, 0), (CORNER, CORNER), "+")
    sheet.add_traces_path(path, _HAIR, "Profile")
    return _gerber(sheet)


def _drill(function: str, holes: Iterable[tuple[float, float, float]]) -> bytes:
    """Return a drill file in the Excellon format. `holes` has (diameter, x, y) for each hole."""
    tools: dict[float, list[Point]] = {}
    for diameter, x, y in holes:
        tools.setdefault(diameter, []).append(_up((x, y)))
    lines = ["M48", f"; #@! TF.FileFunction,{function}", "FMAT,2", "METRIC,TZ"]
    lines += [f"T{number}C{size:.3f}" for number, size in enumerate(sorted(tools), 1)]
    lines.append("%")
    for number, size in enumerate(sorted(tools), 1):
        lines += [f"T{number}", *(f"X{x:.4f}Y{y:.4f}" for x, y in sorted(tools[size]))]
    return "\n".join([*lines, "M30", ""]).encode()


def _placement(made):
    """Return a CSV file with the centre of each part, and its rotation anticlockwise."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(["Designator", "Value", "Package", "Mid X", "Mid Y", "Rotation", "Layer"])
    for place in made.places:
        (x, y), part = _up(place.middle), place.part
        value = part.value if part.ref != PICO else "sockets for the Pico"
        turn = 270 if place.turned else 0
        table.writerow([part.ref, value, place.land.package, f"{x:.3f}", f"{y:.3f}", turn, "Top"])
    return text.getvalue().encode()
