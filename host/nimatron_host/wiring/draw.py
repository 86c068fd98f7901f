"""The schematics of a build: two SVG sheets that are its netlist and nothing else."""

from nimatron_host.wiring import controls, displays, legible
from nimatron_host.wiring.netlist import PICO, Build
from nimatron_host.wiring.sheet import Sheet


def sheets(build: Build) -> dict[str, Sheet]:
    """File name: sheet."""
    lamps = displays.LAYOUTS[build.display](build)
    rest = controls.controls(build, lamps)
    return {f"{build.name}.svg": lamps, f"{build.name}-controls.svg": rest}


def drawings(build: Build) -> dict[str, bytes]:
    """File name: the SVG file."""
    return {name: sheet.svg() for name, sheet in sheets(build).items()}
