"""The list of everything that the kit has."""

from collections.abc import Mapping
from pathlib import Path

from nimatron_sim.errors import UserError
from nimatron_wiring import bom
from nimatron_wiring.breadboard.layout import layout
from nimatron_wiring.circuits import builds, exhibit
from nimatron_wiring.panel import drawing
from nimatron_wiring.panel.dimensions import panel


def files(drawings: Mapping[str, bytes]) -> dict[str, bytes]:
    """Every file by name. drawings: the files that `nimatron wiring` writes. Raises UserError if a
    library is missing."""
    try:
        from nimatron_wiring.kit import artwork, book, cutting, paper
    except ImportError as missing:
        raise UserError(
            f"the kit needs {missing.name}; in the clone of the project: pip install -e '.[kit]'"
        ) from None
    books = {
        f"{build.name}-{size}.pdf": book.book(
            build, drawings, size, layout(build) if build.display == "matrix" else None
        )
        for build in builds()
        for size in paper.SIZES
    }
    front = panel(exhibit())
    return {
        **books,
        **bom.files(),
        **{f"label-{size}.pdf": artwork.label(size) for size in paper.SIZES},
        "panel.pdf": artwork.artwork(front),
        "panel.dxf": cutting.dxf(front),
        "panel.svg": drawing.svg(front, line=0.05),  # a hairline, as lasers want it
    }


def write(target: Path, made: Mapping[str, bytes]) -> list[Path]:
    """Write the files; returns their paths. Raises OSError."""
    target.mkdir(parents=True, exist_ok=True)
    for name, content in made.items():
        (target / name).write_bytes(content)
    return [target / name for name in made]
