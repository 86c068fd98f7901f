"""The cables of the exhibit, pin by pin: each plug on the board, and the parts that it leads to.

The cables follow from the netlist: the kind of a part decides whether the part is outside the
board. Plugs are not in the netlist, because they join only pins that the netlist already joins.

Two plugs mate with the same headers if they have the same series and number of pins. The rule of
the harness is that exchanging any two such plugs harms nothing. ngspice simulates each exchange
(see simulations.py). The supply and the power switch have screw terminals and no plug. The plugs
for the loudspeaker, the solenoid and the volume mate with no other header.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from nimatron_wiring.netlist import GROUND, Build, Node
from nimatron_wiring.steps import spoken

OUTSIDE = ("lamp", "arcade", "speaker", "solenoid", "pot", "inlet", "switch")


@dataclass(frozen=True)
class Series:
    """A series of connectors. {0} is the number of pins."""

    name: str
    maker: str
    header: str  # the part on the board
    housing: str  # the plug, or "" for terminals with screws
    contact: str  # for each wire, or ""
    wire: str


_THICK = "0.5 mm² (AWG 20)"
XH = Series(
    *("JST XH, 2.5 mm", "JST", "B{0}B-XH-A", "XHP-{0}", "SXH-001T-P0.6", "0.22 mm² (AWG 24)")
)
PLUGGED = Series(
    *("Phoenix Contact MSTB, 5.08 mm", "Phoenix Contact", "1757242", "1757019", "", _THICK)
)
SCREWED = Series(*("Phoenix Contact MKDS, 5.08 mm", "Phoenix Contact", "1715721", "", "", _THICK))
_SERIES = {"inlet": SCREWED, "switch": SCREWED, "solenoid": PLUGGED}
_GAPS = {"speaker": 4}  # empty pins between the two wires, so that the plug has its own size
_ROW = 4  # a row of lamps has two plugs, the first for one lamp fewer than this

_METRES = {"lamp": 5, "arcade": 10, "speaker": 1, "solenoid": 3, "pot": 1, "inlet": 2, "switch": 2}


@dataclass(frozen=True)
class Lead:
    """A pin of a plug, and the pins that its wires lead to. An empty pin has no net."""

    net: str
    colour: str
    ends: tuple[Node, ...]


@dataclass(frozen=True)
class Cable:
    plug: str  # the name of the plug: X1, X2 …
    label: str  # printed at both ends
    series: Series
    metres: int  # the longest cable allowed
    leads: tuple[Lead, ...]  # the leads, in the order of the plug's pins

    @property
    def header(self) -> str:
        return self.series.header.format(len(self.leads))

    @property
    def housing(self) -> str:
        return self.series.housing.format(len(self.leads))

    def mates(self, other: "Cable") -> bool:
        """Return True if the plug of one cable fits the header of the other cable."""
        return bool(self.housing) and self.housing == other.housing


def cables(build: Build) -> list[Cable]:
    """Return all cables: two for each row of lamps, one for the signs, one for each other part."""
    groups: dict[str, list] = {}
    for part in build.parts:
        if part.kind in OUTSIDE:
            words = part.role.split()
            name = part.role
            if part.kind == "lamp" and words[0] == "row":
                name = f"row {words[1]}{'A' if int(words[3]) < _ROW else 'B'}"
            if part.kind == "speaker":
                name = "loudspeaker"
            if part.kind == "lamp" and words[0] == "legend":
                name = "signs"
            groups.setdefault(name if part.kind != "inlet" else "supply", []).append(part)
    found = []
    for number, (name, parts) in enumerate(groups.items(), 1):
        kind = parts[0].kind
        leads = list(_leads(build, parts))
        leads[1:1] = [Lead("", "", ())] * _GAPS.get(kind, 0)
        series = _SERIES.get(kind, XH)
        label = f"X{number} {name.upper()}"
        found.append(Cable(f"X{number}", label, series, _METRES[kind], tuple(leads)))
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


def pins(build: Build) -> dict[Node, str]:
    """Map each pin outside the board to its place on a plug, such as "X3 pin 1"."""
    return {
        end: f"{cable.plug} pin {n}"
        for cable in cables(build)
        for n, lead in enumerate(cable.leads, 1)
        for end in lead.ends
    }


def exchanges(build: Build) -> dict[str, Build]:
    """Return {"X7 X8": the build with these two plugs exchanged}, for all plugs that mate."""
    made = cables(build)
    pairs = [(a, b) for a, b in combinations(made, 2) if a.mates(b)]
    return {f"{a.plug} {b.plug}": exchanged(build, a, b) for a, b in pairs}


def exchanged(build: Build, one: Cable, other: Cable) -> Build:
    """Return the build with the plugs of two cables exchanged, or plugged in as far as they go."""
    to = {}
    for cable, header in ((one, other), (other, one)):
        for n, lead in enumerate(cable.leads):
            there = header.leads[n].net if n < len(header.leads) else ""
            to |= dict.fromkeys(lead.ends, there or f"{header.plug} pin {n + 1}")
    nets = [
        replace(net, nodes=tuple(node for node in net.nodes if to.get(node, net.name) == net.name))
        for net in build.nets
    ]
    names = {net.name: n for n, net in enumerate(nets)}
    for node, name in to.items():
        if name not in names:
            names[name] = len(nets)
            nets.append(replace(nets[0], name=name, nodes=()))
        net = nets[names[name]]
        if node not in net.nodes:
            nets[names[name]] = replace(net, nodes=(*net.nodes, node))
    return replace(build, nets=tuple(nets))


def told(build: Build, lead: Lead) -> str:
    """Return the places that the wires of a lead lead to, in words."""
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
