"""The cables of the exhibit, pin by pin: each plug on the board, and the parts that it leads to.

The cables follow from the netlist: the kind of a part decides whether the part is outside the
board. Plugs are not in the netlist, because they join only pins that the netlist already joins.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from nimatron_wiring.drawing import GREY, LEGIBLE, LETTERS, SMALL, TINY, Drawing
from nimatron_wiring.netlist import GROUND, Build, Node
from nimatron_wiring.steps import spoken

OUTSIDE = ("lamp", "arcade", "speaker", "solenoid", "pot", "inlet", "switch")

# Series, header on the board, housing, contact, wire. {0} is the number of pins.
THIN = ("JST XH, 2.5 mm", "B{0}B-XH-A", "XHP-{0}", "SXH-001T-P0.6", "0.22 mm² (AWG 24)")
THICK = ("JST VH, 3.96 mm", "B{0}P-VH", "VHR-{0}N", "SVH-21T-P1.1", "0.5 mm² (AWG 20)")
_METRES = {"lamp": 5, "arcade": 10, "speaker": 1, "solenoid": 3, "pot": 1, "inlet": 2, "switch": 2}


@dataclass(frozen=True)
class Lead:
    """A pin of a plug, and the pins that its wires lead to."""

    net: str
    colour: str
    ends: tuple[Node, ...]


@dataclass(frozen=True)
class Cable:
    plug: str  # the name of the plug: X1, X2 …
    label: str  # printed at both ends
    series: tuple[str, ...]
    metres: int  # the longest cable allowed
    leads: tuple[Lead, ...]  # the leads, in the order of the plug's pins


def cables(build: Build) -> list[Cable]:
    """Return all cables: one for each row of lamps, one for the signs, one for each other part."""
    groups: dict[str, list] = {}
    for part in build.parts:
        if part.kind in OUTSIDE:
            words = part.role.split()
            name = " ".join(words[:2]) if part.kind == "lamp" and words[0] == "row" else part.role
            if part.kind == "lamp" and words[0] == "legend":
                name = "signs"
            groups.setdefault(name if part.kind != "inlet" else "supply", []).append(part)
    found = []
    for number, (name, parts) in enumerate(groups.items(), 1):
        kind = parts[0].kind
        thick = kind in ("speaker", "solenoid", "inlet", "switch")
        leads = tuple(_leads(build, parts))
        series = THICK if thick else THIN
        label = f"X{number} {name.upper()}"
        found.append(Cable(f"X{number}", label, series, _METRES[kind], leads))
    return found


def _leads(build: Build, parts) -> Iterator[Lead]:
    """Yield the pins of a plug: the signals first, then the rail that all parts share."""
    nets: dict[str, list[Node]] = {}
    for part in parts:
        for net in build.nets:
            for ref, pin in net.nodes:
                if ref == part.ref:
                    nets.setdefault(net.name, []).append((ref, pin))
    rails = {part.ref for part in build.parts if part.kind == "rail"}
    colours = {net.name: net.colour for net in build.nets}
    for name in sorted(nets, key=lambda name: name in rails):
        yield Lead(name, colours[name], tuple(nets[name]))


def problems(build: Build) -> list[str]:
    """Return the pins outside the board that are in no cable, or in more than one."""
    there = [end for cable in cables(build) for lead in cable.leads for end in lead.ends]
    wanted = [
        (ref, pin)
        for net in build.nets
        for ref, pin in net.nodes
        if build.part(ref).kind in OUTSIDE
    ]
    return [
        f"{build.name}: {spoken(build, end)} is in {there.count(end)} cables, not in one: fix "
        "wiring/nimatron_wiring/harness.py"
        for end in wanted
        if there.count(end) != 1
    ]


# The drawing

_PITCH, _ABOVE = 0.56, 1.2  # the distance between two pins, and the space above the first
_WIDE = 21.0  # the width of a column of cables


def drawing(build: Build) -> Drawing:
    """Draw each cable with its plug at the left and its parts at the right, in two columns."""
    made = cables(build)
    heights = [_ABOVE + _PITCH * len(cable.leads) + 0.4 for cable in made]
    columns: list[list[int]] = [[], []]
    for n in range(len(made)):
        columns[sum(heights[:n]) >= sum(heights) / 2].append(n)
    high = max(sum(heights[n] for n in column) for column in columns)
    what = f"Nimatron {build.title.lower()}: cables and plugs"
    sheet = Drawing(what, "Each cable with its plug, pin by pin, and the parts it leads to.", -1)
    for column, numbers in enumerate(columns):
        y = high + 0.6
        for n in numbers:
            _cable(sheet, build, made[n], 1 + _WIDE * column, y)
            y -= heights[n]
    return sheet


def _cable(sheet, build, cable, x, y):
    """Draw a cable downwards from its upper left corner (x, y)."""
    pins = len(cable.leads)
    series, header, *_, wire = cable.series
    foot = y - _ABOVE - _PITCH * pins + 0.15
    sheet.text((x, y - 0.5), cable.label)
    sheet.text(
        (x + 6.4, y - 0.5),
        f"{series}, {header.format(pins)}, {wire}, {cable.metres} m at most",
        size=SMALL,
        colour=GREY,
    )
    sheet.box((x, foot), (x + 3.6, y - 0.75))
    for n, lead in enumerate(cable.leads):
        level = y - _ABOVE - _PITCH * n
        sheet.text((x + 3.4, level - 0.12), str(n + 1), "end", SMALL)
        start = (x + 3.6, level)
        end = (x + 11.8, level)
        sheet.text((x + 3.8, level + 0.08), LETTERS[lead.colour], "start", TINY, GREY)
        sheet.line(start, end, colour=LEGIBLE[lead.colour], width=0.09)
        sheet.text((x + 12.05, level), _told(build, lead), size=SMALL)


def _told(build, lead):
    ends = [spoken(build, end) for end in lead.ends]
    if len(ends) > 2:
        return f"{ends[0]} to {ends[-1]}, from each to the next"
    role = build.part(lead.ends[0][0]).role
    words = role.split()
    shown = (
        f", lamp {words[3]}" if "lamp" in words else f", {words[1]}" if "legend" in words else ""
    )
    rail = " (0 V)" if lead.net == GROUND else ""
    return f"{' and '.join(ends)}{shown}{rail}"
