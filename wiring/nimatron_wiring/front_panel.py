"""The front panel and the back of the box, with every hole and every word. Lengths are in mm from
the lower left corner, as seen from outside. Both fit a laser with a bed of 600 x 400 mm.

The drawings are full-size SVG files. One group contains the lines to cut, and another group the
words to engrave or print. A check finds out whether the panel can be made and has a place for each
part of the build.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import hypot
from xml.etree import ElementTree

from nimatron import board
from nimatron_play import words
from nimatron_wiring.netlist import Build
from nimatron_wiring.svg import FACE, SVG

WIDTH, HEIGHT, CORNER = 560.0, 390.0, 8.0
DEPTH = 120.0  # of the box, inside
THICKNESS = "3 to 6 mm"

CAPITAL = 0.73  # height of a capital letter in this font, in font sizes
NARROW = 0.68  # average width of a letter, in font sizes. None of our lines has a higher average

EDGE, BETWEEN = 6.0, 3.0  # mm of material to leave at the edge, and between two cuts
# The kinds of parts that need a hole or window with their role, and the largest sheet for a laser
FRONT, BACK = ("lamp", "arcade", "stud"), ("inlet", "switch", "fuse", "pot")
BED = 600.0, 400.0

LAMP = 22.5  # for 22 mm panel lamps such as EAO series 14 (catalogue, “Mounting”)
BUTTON = 28.6  # for arcade buttons of 1 1/8 inch. If a hole is too tight, file it
STUD, SCREW = 4.5, 5.5  # for an M4 stud and M5 screws
SIGN = (112.0, 30.0)  # a window with a lit foil behind it
INLET, SWITCH, FUSE, POT, USB = 8.0, 12.2, 12.7, 7.2, 20.0  # nuts hold these parts
CUP = (80.0, 50.0)  # the opening where the coin comes out
SPEAKER, SOUND_HOLE, SOUND_PITCH = 66.0, 5.0, 9.0  # a grille of holes as wide as the loudspeaker

_LEFT, _PITCH = 60.0, 50.0  # x of the first lamp, and the distance between lamps
_ROWS = (267.0, 217.0, 167.0, 117.0)  # y of the rows of lamps, from top to bottom
_BUTTONS_X = 480.0
_SIGNS_X, _SIGNS_Y = (77.0, 212.0, 347.0, 482.0), 318.0
_FOOT = 59.0  # y of NEW, GO, the loudspeaker and the coin cup


@dataclass(frozen=True)
class Cut:
    """A round hole, or a window with round corners. `x` and `y` are its centre, `what` is its
    purpose, and `role` the role of the part in it, if any."""

    x: float
    y: float
    width: float
    height: float
    what: str
    role: str = ""
    corner: float = 0.0


@dataclass(frozen=True)
class Words:
    """A line of text, centred on a point. `key` is a key in nimatron_play.words."""

    x: float
    y: float
    height: float  # of a capital letter
    key: str
    row: int = 0


@dataclass(frozen=True)
class Panel:
    holes: tuple[Cut, ...]
    windows: tuple[Cut, ...]
    words: tuple[Words, ...]


def panel(build: Build) -> Panel:
    """Return the front panel for a build's buttons and legends."""
    return Panel(tuple(_holes()), tuple(_windows(build)), tuple(_words(build)))


def back() -> Panel:
    """Return the back of the box: supply, switch, fuses, volume, and the USB cable."""
    y, found, lines = 60.0, [], []
    for x, size, what, role, name in (
        (60.0, INLET, "DC inlet J1", "supply", "12 V"),
        (130.0, SWITCH, "power switch S1", "power", "POWER"),
        (200.0, FUSE, "fuse holder F1", "the whole 12V side", "F1 T 2.5 A"),
        (270.0, FUSE, "fuse holder F2", "solenoid", "F2 T 200 mA"),
        (340.0, POT, "volume RV1", "volume", "VOLUME"),
        (410.0, USB, "USB cable, with a grommet", "", "USB"),
    ):
        found.append(_hole(x, y, size, what, role))
        lines.append(Words(x, y - 25, 5, name))
    return Panel((*found, *_screws()), (), tuple(lines))


def _hole(x: float, y: float, diameter: float, what: str, role: str = "") -> Cut:
    return Cut(x, y, diameter, diameter, what, role)


def _screws():
    for x in (12, WIDTH / 2, WIDTH - 12):
        for y in (12, HEIGHT - 12):
            yield _hole(x, y, SCREW, "screws")


def _holes() -> Iterator[Cut]:
    for row, y in enumerate(_ROWS, 1):
        for lamp in range(1, board.LAMPS + 1):
            yield _hole(_LEFT + (lamp - 1) * _PITCH, y, LAMP, "lamps", f"row {row} lamp {lamp}")
        yield _hole(_BUTTONS_X, y, BUTTON, "buttons", f"button {board.ROW_BUTTONS[row - 1]}")
    yield _hole(_BUTTONS_X, _FOOT, BUTTON, "buttons", f"button {board.GO}")
    yield _hole(_LEFT + 6 * _PITCH, _FOOT, BUTTON, "buttons", f"button {board.NEW}")
    yield _hole(24, HEIGHT / 2, STUD, "earth stud", "the metal panel")
    yield from _screws()
    yield from _grille(_LEFT + 0.5 * _PITCH, _FOOT)


def _grille(x, y):
    """Yield the holes of a round grille. Every second row is shifted by half a pitch."""
    rows = int(SPEAKER / 2 / (SOUND_PITCH * 0.866))
    for row in range(-rows, rows + 1):
        down, across = row * SOUND_PITCH * 0.866, SOUND_PITCH * (row % 2) / 2
        for column in range(-rows - 1, rows + 2):
            right = column * SOUND_PITCH + across
            if hypot(right, down) <= (SPEAKER - SOUND_HOLE) / 2:
                yield _hole(round(x + right, 3), round(y + down, 3), SOUND_HOLE, "sound")


def _windows(build):
    names = [signal.name for signal in build.signals if signal.name.startswith("legend ")]
    for x, name in zip(_SIGNS_X, names, strict=True):
        yield Cut(x, _SIGNS_Y, *SIGN, "signs", name, corner=3)
    yield Cut(_LEFT + 3.25 * _PITCH, _FOOT, *CUP, "coin cup", "coin", corner=10)


def _words(build):
    yield Words(WIDTH / 2, 357, 16, "NIMATRON")
    names = [signal.name for signal in build.signals if signal.name.startswith("legend ")]
    for x, name in zip(_SIGNS_X, names, strict=True):
        yield Words(x, _SIGNS_Y, 8.5, f"sign.{name.removeprefix('legend ')}")
    for row, y in enumerate(_ROWS, 1):
        yield Words(_BUTTONS_X - 52, y, 7, "ui.press.row", row)
    yield Words(_BUTTONS_X, _FOOT - 32, 9, "button.go")
    yield Words(_LEFT + 6 * _PITCH, _FOOT - 32, 9, "button.new")
    yield Words(_LEFT + 3.25 * _PITCH, _FOOT - 35, 7, "ui.token")


def svg(panel: Panel, language: str = words.PLAIN, line: float = 0.6) -> bytes:
    """Return the drawing in a language. `line` is the width of the cut lines in mm."""
    page = {"viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}", "role": "img", "font-family": FACE}
    page |= {"width": f"{WIDTH:g}mm", "height": f"{HEIGHT:g}mm"}
    tree = ElementTree.Element(f"{SVG}svg", page)
    side = "front panel" if panel.windows else "back of the box"
    ElementTree.SubElement(tree, f"{SVG}title").text = f"Nimatron: the {side}"
    about = f"{len(panel.holes)} round holes and {len(panel.windows)} windows in a panel of "
    ElementTree.SubElement(tree, f"{SVG}desc").text = f"{about}{WIDTH:g} x {HEIGHT:g} mm."
    look = {"fill": "none", "stroke": "#d00000", "stroke-width": f"{line:g}"}
    cut = ElementTree.SubElement(tree, f"{SVG}g", {"id": "cut"} | look)
    _rectangle(cut, line / 2, line / 2, WIDTH - line, HEIGHT - line, CORNER)
    for hole in panel.holes:
        place = {"cx": f"{hole.x:g}", "cy": f"{HEIGHT - hole.y:g}", "r": f"{hole.width / 2:g}"}
        ElementTree.SubElement(cut, f"{SVG}circle", place)
    for window in panel.windows:
        left, top = window.x - window.width / 2, HEIGHT - window.y - window.height / 2
        _rectangle(cut, left, top, window.width, window.height, window.corner)
    look = {"fill": "#000000", "text-anchor": "middle"}
    engraved = ElementTree.SubElement(tree, f"{SVG}g", {"id": "engrave"} | look)
    table = words.table(language)
    for line_ in panel.words:
        place = {"x": f"{line_.x:g}", "y": f"{HEIGHT - line_.y + line_.height / 2:g}"}
        place["font-size"] = f"{size(line_, panel, table):.3g}"
        ElementTree.SubElement(engraved, f"{SVG}text", place).text = said(line_, table)
    ElementTree.register_namespace("", SVG.strip("{}"))
    ElementTree.indent(tree)
    return ElementTree.tostring(tree, encoding="utf-8", xml_declaration=True) + b"\n"


def _rectangle(group, left, top, width, height, corner):
    place = {"x": left, "y": top, "width": width, "height": height, "rx": corner}
    ElementTree.SubElement(
        group, f"{SVG}rect", {name: f"{value:g}" for name, value in place.items()}
    )


def said(line: Words, table: words.Table) -> str:
    """Return the text of a line on the panel, from the words of a language."""
    gaps = {"row": line.row} if line.row else {}
    return words.say([words.message(line.key, **gaps)], table)


def size(line: Words, panel: Panel, table: words.Table) -> float:
    """Return the font size for a line, which is smaller if the text is too long for its window."""
    whole = line.height / CAPITAL
    there = [w for w in panel.windows if (w.x, w.y) == (line.x, line.y)]
    if not there:
        return whole
    return min(whole, (there[0].width - 6) / (NARROW * len(said(line, table))))


def faults(panel: Panel, build: Build, kinds: tuple[str, ...] = FRONT) -> list[str]:
    """Return the faults of the front panel or of the back, one line each."""
    where = "fix it in wiring/nimatron_wiring/front_panel.py"
    cuts = [*panel.holes, *panel.windows]
    there = Counter(cut.role for cut in cuts if cut.role)
    wanted = Counter(part.role for part in build.parts if part.kind in kinds)
    wanted["coin"] += kinds == FRONT
    found = [
        f"{role} has {there[role]} places on the panel, not {wanted[role]}"
        for role in sorted(there | wanted)
        if there[role] != wanted[role]
    ]
    if BED[0] < WIDTH or BED[1] < HEIGHT:
        found.append(f"{WIDTH:g} x {HEIGHT:g} mm is too large for a laser")
    for cut in cuts:
        left, low, right, high = _box(cut)
        if min(left, low, WIDTH - right, HEIGHT - high) < EDGE:
            found.append(f"{_name(cut)} is less than {EDGE:g} mm from the edge")
    for a, b in combinations(cuts, 2):
        if _apart(a, b) < BETWEEN:
            found.append(f"{_name(a)} and {_name(b)} are less than {BETWEEN:g} mm apart")
    return [f"the panel: {fault}: {where}" for fault in found]


def _box(cut):
    right, up = cut.width / 2, cut.height / 2
    return cut.x - right, cut.y - up, cut.x + right, cut.y + up


def _apart(a, b):
    """Return the width of material between two cuts. Round holes are measured from the circle."""
    if a.width == a.height and b.width == b.height:
        return hypot(a.x - b.x, a.y - b.y) - (a.width + b.width) / 2
    (al, ab, ar, at), (bl, bb, br, bt) = _box(a), _box(b)
    return max(bl - ar, al - br, bb - at, ab - bt)


def _name(cut):
    return f"{cut.role or cut.what} at {cut.x:g}, {cut.y:g}"
