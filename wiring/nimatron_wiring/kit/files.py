"""The list of all files in the kit."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from nimatron_wiring import bom, kicad
from nimatron_wiring.circuits import breadboard, builds, exhibit
from nimatron_wiring.kit import artwork, book, cutting, paper
from nimatron_wiring.panel import drawing
from nimatron_wiring.panel.dimensions import back, panel

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
        makers[f"label-{size}.pdf"] = partial(artwork.label, size)
        makers[f"panel-{size}.pdf"] = partial(artwork.tiles, front, size)
    for build in (breadboard(), exhibit()):
        for path in sorted(kicad.FOLDER.glob(f"{kicad.stem(build)}*")):
            if path.suffix != ".kicad_prl" and not kicad.faults(build):  # where its windows were
                makers[f"board/{path.name}"] = path.read_bytes
    return {
        **makers,
        **{name: partial(bytes, content) for name, content in bom.files().items()},
        "panel.pdf": partial(artwork.artwork, front),
        "panel.dxf": partial(cutting.dxf, front),
        "back.dxf": partial(cutting.dxf, back()),
        "back.svg": partial(drawing.svg, back(), line=0.05),
        "panel.svg": partial(drawing.svg, front, line=0.05),  # lasers need a hairline
    }


def write(target: Path, made: Mapping[str, Maker]) -> list[Path]:
    """Write the files, and return their paths. Raises OSError if a file cannot be written."""
    target.mkdir(parents=True, exist_ok=True)
    for name, make in made.items():
        (target / name).parent.mkdir(exist_ok=True)
        (target / name).write_bytes(make())
    return [target / name for name in made]
