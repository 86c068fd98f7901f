"""The schematics of a build, as SVG files, and the proof that they are its netlist."""

from collections import Counter
from xml.etree import ElementTree

from nimatron_host.wiring import controls, displays, legible
from nimatron_host.wiring.netlist import PICO, Build, Node
from nimatron_host.wiring.sheet import SVG, Sheet


def sheets(build: Build) -> dict[str, Sheet]:
    """By file name: the lamps, and everything else."""
    lamps = displays.LAYOUTS[build.display](build)
    rest = controls.LAYOUTS[build.display](build, lamps)
    return {f"{build.name}.svg": lamps, f"{build.name}-controls.svg": rest}


def drawings(build: Build) -> dict[str, bytes]:
    """By file name: the SVG files."""
    return {name: sheet.svg() for name, sheet in sheets(build).items()}


def faults(build: Build) -> list[str]:
    """What is wrong with the drawings of a build: words that cannot be read, parts that are missing
    or drawn twice, wires that are not the netlist's."""
    drawn = sheets(build)
    pictures = {name: sheet.svg() for name, sheet in drawn.items()}
    return [
        *(f"{name}: {why}" for name, svg in pictures.items() for why in legible.faults(svg)),
        *unnamed(build, pictures.values()),
        *miswired(build, drawn.values()),
    ]


def unnamed(build, pictures):
    """Parts whose name does not stand exactly once in the drawings, or whose value in none; pins of
    the Pico whose number does not stand exactly once."""
    words = Counter(
        text.text for svg in pictures for text in ElementTree.fromstring(svg).iter(f"{{{SVG}}}text")
    )
    ...


def miswired(build: Build, drawn) -> list[str]:
    """Where the wires and labels of the sheets together do not join what the netlist joins."""
    found = []
    pins = Counter(node for sheet in drawn for node in sheet.pins)
    ...
