"""The schematics of a build, as SVG files, and a check that they match its netlist."""

from collections import Counter
from collections.abc import Iterable

from nimatron_wiring import blocks, harness, legible, sheet_controls, sheet_lamps
from nimatron_wiring.netlist import PICO, Build, Node
from nimatron_wiring.sheet import Sheet


def sheets(build: Build) -> dict[str, Sheet]:
    """Return the two sheets by file name: the lamps, and everything else."""
    lamps = sheet_lamps.LAYOUTS[build.display](build)
    rest = sheet_controls.LAYOUTS[build.display](build, lamps)
    return {f"{build.name}.svg": lamps, f"{build.name}-controls.svg": rest}


def overviews(build: Build) -> dict[str, Sheet]:
    """Return the other sheets: the block diagram, and the cables if the build has plugs."""
    found = {f"{build.name}-blocks.svg": blocks.diagram(build)}
    if build.display == "shift":
        found[f"{build.name}-cables.svg"] = harness.drawing(build)
    return found


def drawings(build: Build) -> dict[str, bytes]:
    """Return the SVG files by file name. Sheets are numbered as on the page: the block diagram
    first, the cables last."""
    drawn = {**sheets(build), **overviews(build)}
    blocks_first = sorted(drawn, key=lambda name: not name.endswith("-blocks.svg"))
    for number, sheet in enumerate(map(drawn.get, blocks_first), 1):
        sheet.number = f"{number} of {len(drawn)}"
    return {name: sheet.svg() for name, sheet in drawn.items()}


def faults(build: Build) -> list[str]:
    """Return the faults in the drawings of a build: illegible words, parts that are missing or
    drawn twice, and wires that do not match the netlist."""
    drawn = sheets(build)
    pictures = {name: sheet.svg() for name, sheet in drawn.items()}
    others = overviews(build)
    readable = pictures | {name: sheet.svg() for name, sheet in others.items()}
    unreadable = [
        f"{name}: {why}" for name, svg in readable.items() for why in legible.faults(svg)
    ]
    unreadable += [
        f"{name}: {why}" for name, sheet in {**drawn, **others}.items() for why in sheet.faults()
    ]
    return unreadable + unnamed(build, pictures.values()) + miswired(build, drawn.values())


def unnamed(build: Build, pictures: Iterable[bytes]) -> list[str]:
    """Return the parts and Pico pins whose name is not exactly once in the drawings, and the
    values that are in no drawing. The name of the Pico itself must be once in each drawing."""
    pictures = list(pictures)
    words = Counter(word for svg in pictures for word in legible.words(svg))
    pins = [pin for net in build.nets for ref, pin in net.nodes if ref == PICO and "." not in pin]
    once = [part.ref for part in build.parts if part.kind not in ("rail", "pico")] + pins
    wanted = dict.fromkeys(once, 1) | {PICO: len(pictures)}
    found = [
        f"{build.name}: {name} is {words[name]} times in the drawings, not {times}"
        for name, times in wanted.items()
        if words[name] != times
    ]
    text = "\n".join(words)
    return found + [
        f"{build.name}: the value {part.value} of {part.ref} is in no drawing"
        for part in build.parts
        if part.value not in text
    ]


def miswired(build: Build, drawn: Iterable[Sheet]) -> list[str]:
    """Return the differences between the netlist and the drawn connections. All labels of a rail
    are connected, on both sheets."""
    drawn = list(drawn)
    rails = {(part.ref, "rail") for part in build.parts if part.kind == "rail"}
    loose = [island for sheet in drawn for island in sheet.islands()]
    joined = [island for island in loose if not island & rails]
    for rail in rails:
        joined.append(set().union(*(island for island in loose if rail in island)))
    found = [f"{build.name}: a wire leads to no pin" for island in joined if not island]
    for net in build.nets:
        wanted = set(net.nodes)
        if wanted not in joined:
            touched = [island for island in joined if island & wanted]
            found.append(
                f"{build.name}: the net {net.name} joins {_names(wanted)}, "
                "but the drawings join "
                f"{', and separately '.join(map(_names, touched)) or 'nothing of it'}"
            )
    drawn_pins = set().union(*joined)
    stray = drawn_pins - {node for net in build.nets for node in net.nodes}
    return found + [
        f"{build.name}: {_names({node})} is drawn, but is in no net" for node in sorted(stray)
    ]


def _names(nodes: Iterable[Node]) -> str:
    return " ".join(sorted(f"{ref}.{pin}" for ref, pin in nodes)) or "no pin"
