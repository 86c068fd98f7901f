"""Generate all files in wiring/ from the pin map."""

from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from nimatron.devices import pins
from nimatron_sim import firmware
from nimatron_sim.errors import UserError
from nimatron_wiring import checks, front_panel, markdown_pages, schematics, simulations
from nimatron_wiring.breadboard import legs, picture
from nimatron_wiring.breadboard.layout import layout
from nimatron_wiring.circuits import builds
from nimatron_wiring.front_panel import back, panel

COMMAND = "nimatron wiring"


def folder() -> Path:
    """Return the folder wiring/ of this clone. Raises UserError if this is not a clone."""
    there = firmware.folder()
    if there.name != "firmware":
        raise UserError("this is not a clone of the project. To write to a folder: --to DIR")
    return there.parent / "wiring"


def generate(pin_map: ModuleType = pins) -> dict[str, bytes]:
    """Return {name in wiring/: content} for every file. Raises UserError if a check fails."""
    _refuse(checks.of_pin_map(pin_map))
    made = builds(pin_map)
    _refuse(problem for build in made for problem in checks.of_build(build))
    _refuse(problem for build in made for problem in simulations.problems(build))
    drawings = {name: svg for build in made for name, svg in schematics.drawings(build).items()}
    layouts = {build.name: layout(build) for build in made if build.display != "shift"}
    for build in made:
        if build.name in layouts:
            drawings |= picture.pictures(build, layouts[build.name])
        if build.display != "pixels":
            drawings[legs.file_name(build)] = legs.legs(build)
    for build in made:
        if build.display == "shift":
            front = panel(build)
            _refuse(front_panel.faults(front, build))
            _refuse(front_panel.faults(back(), build, front_panel.BACK))
            drawings[f"{build.name}-panel.svg"] = front_panel.svg(front)
            drawings[f"{build.name}-back.svg"] = front_panel.svg(back())
    sources = {f"kicad/{n}": t.encode() for b in made for n, t in schematics.sources(b).items()}
    return {**markdown_pages.files(made, layouts), **drawings, **sources}


def _refuse(problems: Iterable[str]) -> None:
    found = list(problems)
    if found:
        raise UserError("; ".join(found))


def simulate() -> Path:
    """Simulate all builds with ngspice, and return the path of the results. Raises UserError,
    TierUnavailable or OSError."""
    made = builds()
    _refuse(problem for build in made for problem in checks.of_build(build))
    simulations.keep(made)
    return simulations.FILE


def write(target: Path) -> list[Path]:
    """Write the files that have changed, and return their paths. Raises UserError or OSError."""
    wanted = generate()
    names = differing(target, wanted)
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(wanted[name])
    return [target / name for name in names]


def differing(target: Path, wanted: dict[str, bytes]) -> list[str]:
    """Return the names of files that are missing in `target` or differ."""
    return [
        name
        for name, content in sorted(wanted.items())
        if not (target / name).is_file() or (target / name).read_bytes() != content
    ]
