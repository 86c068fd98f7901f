"""The list of all files in the kit."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from nimatron_wiring import bom, front_panel, kicad
from nimatron_wiring.circuits import breadboard, builds, exhibit
from nimatron_wiring.front_panel import back, panel
from nimatron_wiring.kit import book, panel_files, paper

Maker = Callable[[], bytes]


def files(drawings: Mapping[str, bytes]) -> dict[str, Maker]:
    """Return {file name: function that makes the file}. `drawings` are the files from `nimatron
    wiring`, by name. A circuit board is missing if it does not match the pin map."""
    front = panel(exhibit())
    shown = {f"kicad/{path.name}": path.read_bytes() for path in kicad.FOLDER.glob("*.png")}
    makers: dict[str, Maker] = {}
    for build in builds():
        for size in paper.SIZES:
            makers[f"{build.name}-{size}.pdf"] = partial(
                book.book, f"{build.name}.md", {**drawings, **shown}, size
            )
    for size in paper.SIZES:
        makers[f"label-{size}.pdf"] = partial(panel_files.label, size)
        makers[f"panel-{size}.pdf"] = partial(panel_files.tiles, front, size)
    for build in (breadboard(), exhibit()):
        for path in sorted(kicad.FOLDER.glob(f"{kicad.stem(build)}*")):
            if path.suffix != ".kicad_prl" and not kicad.faults(build):  # where its windows were
                makers[f"board/{path.name}"] = path.read_bytes
    return {
        **makers,
        **{name: partial(bytes, content) for name, content in bom.files().items()},
        "panel.pdf": partial(panel_files.artwork, front),
        "panel.dxf": partial(panel_files.dxf, front),
        "back.dxf": partial(panel_files.dxf, back()),
        "back.svg": partial(front_panel.svg, back(), line=0.05),
        "panel.svg": partial(front_panel.svg, front, line=0.05),  # lasers need a hairline
    }


def write(target: Path, made: Mapping[str, Maker]) -> list[Path]:
    """Write the files, and return their paths. Raises OSError if a file cannot be written."""
    target.mkdir(parents=True, exist_ok=True)
    for name, make in made.items():
        (target / name).parent.mkdir(exist_ok=True)
        (target / name).write_bytes(make())
    return [target / name for name in made]
