"""Every single fault on the breadboard, from its netlist, and the firmware's report for it.

`python tests/wiring/single_faults.py` writes the table in docs/contributing/wire-faults.md.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nimatron import board
from nimatron_sim.cabinet import Circuit
from nimatron_sim.matrix_voltage import GROUND as LOW
from nimatron_sim.matrix_voltage import SUPPLY, Wires
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_wiring.breadboard.layout import Jumper, Layout, layout
from nimatron_wiring.circuits import breadboard
from nimatron_wiring.current_budget import quantity
from nimatron_wiring.netlist import GROUND, PICO, Build, Node
from nimatron_wiring.pico import NUMBERS

PAGE = Path(__file__).parents[2] / "docs" / "contributing" / "wire-faults.md"
MINUTE_MS = 60_000
_BEGIN, _END = "<!-- single faults -->\n", "<!-- end -->\n"
_UNMEASURED = (
    "not measured: nothing switches this part, and a single measured time does not show the fault"
)
_NOT_DONE = "not checked: only a pulse at the pin would show the fault"
_ROWS = range(1, board.ROWS + 1)
_LAMPS = range(1, board.LAMPS + 1)
_PINS = {"resistor": "12", "led": "AC", "npn": "CBE", "tactile": "12", "piezo": "12"}


@dataclass(frozen=True)
class Fault:
    """A single fault: nodes that are cut off from their net, or a short between two nets."""

    kind: str  # the kind, as in the table
    what: str  # the place: R3 1, D19 A and C, or 2-j22 to 2-j27
    about: str  # the role of the faulty part, or the name of the faulty net
    cut: frozenset[Node] = frozenset()
    joined: tuple[str, str] | None = None  # the names of the shorted nets


def faults(build: Build) -> Iterator[Fault]:
    """Yield every single fault of a build: each contact and each wire open, each part shorted,
    each net shorted to ground or 3.3 V, and each pair of neighbouring matrix pins shorted."""
    for part in build.parts:
        for pin in _PINS.get(part.kind, ""):
            node = part.ref, pin
            yield Fault("contact open", f"{part.ref} {pin}", part.role, frozenset({node}))
        for one, other in itertools.combinations(_PINS.get(part.kind, ""), 2):
            nets = build.net_of((part.ref, one)).name, build.net_of((part.ref, other)).name
            what = f"{part.ref} {one} and {other}"
            yield Fault("part shorted", what, part.role, joined=nets)
    for net in build.nets:
        for node in net.nodes:
            if node[0] == PICO:
                yield Fault("contact open", " ".join(node), net.name, frozenset({node}))
        if net.name != GROUND:
            yield Fault("net at 0 V", net.name, net.name, joined=(net.name, GROUND))
            yield Fault("net at 3.3 V", net.name, net.name, joined=(net.name, SUPPLY))
    there = layout(build)
    for wire in there.wires:
        yield Fault("wire open", f"{wire.start} to {wire.end}", wire.net, _cut(build, there, wire))
    at = {NUMBERS[signal.node[1]]: signal.name for signal in build.signals}
    for number, name in at.items():
        both = name, at.get(number + 1, "")
        if all(map(_is_matrix, both)):
            yield Fault("pins touch", " and ".join(both), name, joined=both)


def _is_matrix(name: str) -> bool:
    return name.startswith(("row ", "column "))


def _cut(build: Build, there: Layout, broken: Jumper) -> frozenset[Node]:
    """Return the nodes that a broken wire separates from the Pico or from the part that drives
    them. Return no nodes if other wires, or the Pico's ground pins, still connect all of them."""
    legs = {leg.hole.strip: set() for place in there.places for leg in place.legs}
    for place in there.places:
        for leg in place.legs:
            legs[leg.hole.strip].add((leg.ref, leg.pin))
    near, todo = set(), [broken.start.strip]
    ends = [(w.start.strip, w.end.strip) for w in there.wires if w != broken]
    while todo:
        strip = todo.pop()
        near.add(strip)
        for one, other in ends + [end[::-1] for end in ends]:
            if one == strip and other not in near:
                todo.append(other)
    if broken.end.strip in near:
        return frozenset()
    net = next(net for net in build.nets if net.name == broken.net)
    on_near = {node for strip in near for node in legs.get(strip, ())} & set(net.nodes)
    sides = on_near, {node for node in net.nodes if node[1] != "rail"} - on_near
    kinds = {part.ref: part.kind for part in build.parts}
    for drives in (lambda ref: ref == PICO, lambda ref: kinds[ref] != "led"):
        driven = [any(drives(ref) for ref, _ in side) for side in sides]
        if all(driven):
            return frozenset() if net.name == GROUND else frozenset(sides[1])
        if any(driven):
            return frozenset(sides[driven.index(False)])
    raise AssertionError(f"{broken} connects nothing")


def wires(build: Build, fault: Fault | None = None, **physics: object) -> Wires:
    """Return the electrical model of a build with a fault. `physics` are arguments for Wires."""

    def net(node: Node) -> str:
        if fault and node in fault.cut:
            return f"cut off from {build.net_of(node).name}"
        name = build.net_of(node).name
        if fault and fault.joined and name in fault.joined:
            name = GROUND if GROUND in fault.joined else fault.joined[1]
        return LOW if name == GROUND else name

    parts: list[tuple[object, ...]] = []
    for part in build.parts:
        ends = [net((part.ref, pin)) for pin in _PINS.get(part.kind, "")]
        if part.kind == "resistor":
            parts.append(("resistor", *ends, quantity(part.value, "Ω")))
        elif part.kind in ("led", "npn"):
            parts.append((part.kind, *ends))
    pads = {signal.gpio: net(signal.node) for signal in build.signals}
    return Wires(parts, pads, **physics)


def reported(build: Build, fault: Fault, ms: int = MINUTE_MS) -> str:
    """Return what `health` shows for a fault after `ms`: its `lamps`, or a stuck button."""
    circuit = Circuit(wires=wires(build, fault))
    for name in _closed(build, fault):
        circuit.set_contact(name, True)
    pico = SimulatedPico(circuit)
    pico.run(ms)
    told = pico.told("health")
    pico.power_off()
    assert not pico.resets, f"{fault} resets the Pico"
    if told["stuck"] != "none":
        return f"stuck:{told['stuck']}"
    return told["lamps"]


def _closed(build: Build, fault: Fault) -> list[str]:
    """Return the buttons that a fault closes."""
    if not fault.joined or GROUND not in fault.joined:
        return []
    return [
        signal.name.removeprefix("button ")
        for signal in build.signals
        if signal.name.startswith("button ") and signal.name in fault.joined
    ]


def cause(build: Build, fault: Fault) -> set[str]:
    """Return the reports that name the place of a fault: its part, its row or column, or exactly
    the lamps that go dark."""
    if fault.kind == "wire open":
        return {_lost(build, fault)}
    if fault.kind == "pins touch":
        places = [name.replace(" ", ":") for name in fault.joined or ()]
        return {",".join(f"{place}:short" for place in places)}
    if fault.about.startswith("button "):
        return {"stuck:" + fault.about.removeprefix("button ")}
    words = fault.about.split()
    if words == ["coin"]:
        place = "chute:coin"
    elif "lamp" in words:
        place = f"lamp:{words[1]}.{words[3]}"
    else:
        place = ":".join(words[:2])
    return {f"{place}:open", f"{place}:short"}


def _lost(build: Build, fault: Fault) -> str:
    """Return the report for the lamps that go dark because of a cut."""
    lost = {lamp for lamp in itertools.product(_ROWS, _LAMPS) if _is_cut(build, fault, lamp)}
    rows = [row for row in _ROWS if {(row, lamp) for lamp in _LAMPS} <= lost]
    columns = [lamp for lamp in _LAMPS if {(row, lamp) for row in _ROWS} <= lost]
    if len(rows) == len(_ROWS):
        return "row:all:open"
    found = [f"row:{row}:open" for row in rows] + [f"column:{lamp}:open" for lamp in columns]
    single = [lamp for lamp in sorted(lost) if lamp[0] not in rows and lamp[1] not in columns]
    return ",".join(sorted(found + [f"lamp:{row}.{lamp}:open" for row, lamp in single]))


def _is_cut(build: Build, fault: Fault, lamp: tuple[int, int]) -> bool:
    """Return True if a fault cuts a contact of any part that `lamp` needs."""
    roles = f"row {lamp[0]} lamp {lamp[1]}", f"row {lamp[0]}", f"column {lamp[1]}"
    needed = {part.ref for role in roles for part in build.by_role(role)}
    cut = {ref for ref, _ in fault.cut}
    return bool(cut & needed) or (PICO in cut and fault.about in roles)


def reason(fault: Fault) -> str:
    """Return the reason why no pad can detect a fault, or "" if a pad can."""
    about, kind = fault.about, fault.kind
    if kind == "pins touch" and about.startswith("row "):
        return "the two pads drive against each other, and 1.65 V may read as either level"
    if about == GROUND and kind == "contact open":
        return "the other ground pin carries the current"
    if kind == "wire open" and not fault.cut:
        return "another path carries the current"
    of_buttons = about == GROUND and all(ref.startswith("S") for ref, _ in fault.cut)
    if about.startswith("button ") or of_buttons:
        rest = kind in ("contact open", "wire open", "net at 3.3 V")
        return "an open contact looks like a button that is not pressed" if rest else ""
    if kind == "part shorted" and about.startswith("column "):
        return "the column has the same charge, and the same lamps get it, only brighter"
    return ""


def is_measured(build: Build, fault: Fault) -> bool:
    """Return False for a fault at a sign, the chute or the buzzer, or in their ground. The
    firmware reads these pins, but does not measure any times there."""
    about, kind = fault.about, fault.kind
    if about == GROUND:
        return bool(_lost(build, fault))
    if about.startswith(("legend ", "coin", "sounder")):
        return kind.startswith("net") and not about.endswith(("anode", "piezo"))
    return True


def groups(build: Build) -> dict[tuple[str, str], list[Fault]]:
    """Return the faults, grouped by faulty part or net and by kind, as named in the table."""
    found: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults(build):
        about = re.sub(r"(button|legend) \S+", r"\1", fault.about)
        about = "ground" if about == GROUND else re.sub(r"\d+", "n", about)
        found.setdefault((about, fault.kind), []).append(fault)
    return found


def table(build: Build) -> str:
    """Return the table for docs/contributing/wire-faults.md, with one row for each group."""
    lines = ["| at | fault | faults | named | reported, for example | why not |", "|" + "---|" * 6]
    total = hidden = unmeasured = seen = 0
    for (about, kind), of_group in groups(build).items():
        found = [(fault, reported(build, fault)) for fault in of_group]
        named = [said for fault, said in found if said in cause(build, fault)]
        missed = [fault for fault, said in found if said not in cause(build, fault)]
        whys = {why_not(build, fault): None for fault in missed}
        example = f"`{named[0]}`" if named else ""
        lines.append(
            f"| {about} | {kind} | {len(found)} | {len(named)} | {example} | {'; '.join(whys)} |"
        )
        total, seen = total + len(found), seen + len(named)
        hidden += sum(bool(reason(fault)) for fault in missed)
        unmeasured += sum(why_not(build, fault) == _UNMEASURED for fault in missed)
    possible = total - hidden - unmeasured
    return (
        f"The breadboard build has {total} single faults. No pad can detect {hidden} of them. "
        f"The firmware does not measure {unmeasured} faults at the signs, the coin chute "
        f"and the buzzer. Of the other {possible}, it names {seen} ("
        f"{100 * seen / possible:.1f} %) within {MINUTE_MS // 1000} seconds.\n\n"
        + "\n".join(lines)
        + "\n"
    )


def why_not(build: Build, fault: Fault) -> str:
    """Return the reason why the firmware does not name a fault."""
    return reason(fault) or (_NOT_DONE if is_measured(build, fault) else _UNMEASURED)


def page(build: Build) -> str:
    """Return the text of docs/contributing/wire-faults.md with a new table."""
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(_BEGIN)
    return head + _BEGIN + table(build) + _END + rest.partition(_END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(breadboard()), encoding="utf-8")
