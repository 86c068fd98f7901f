"""The build book: what to buy, the drawings, and one step on each page."""

import re
from collections.abc import Mapping
from math import ceil

from nimatron_wiring import prose
from nimatron_wiring.breadboard import legs, picture
from nimatron_wiring.breadboard import page as holes
from nimatron_wiring.breadboard.layout import Layout
from nimatron_wiring.kinds import KINDS
from nimatron_wiring.kit.paper import (
    GAP,
    MARGIN,
    POINT,
    SIZES,
    TICK,
    Paper,
    proportions,
    smallest_words,
)
from nimatron_wiring.netlist import Build
from nimatron_wiring.steps import in_short, spoken, steps

_LINE = 9 * POINT * 1.3  # mm: the height of a line in a paragraph
_LEGIBLE = 7  # points: the smallest text on paper


def book(
    build: Build, drawings: Mapping[str, bytes], size: str, layout: Layout | None = None
) -> bytes:
    """Return the build book as a PDF. `drawings` has the SVG files in wiring/ by name. `size` is
    a key of paper.SIZES."""
    paper = Paper(f"Nimatron {build.title.lower()}: build book", SIZES[size])
    _cover(paper, build)
    if layout:
        _legs(paper, build, layout, drawings)
    for name in sorted(drawings):
        if re.fullmatch(rf"{build.name}(-(?!step|legs)\w+)?\.svg", name):
            _drawing(paper, drawings[name])
    for step in steps(build):
        do, test = prose.step(build.name, step.name, step.number)
        paper.add_page()
        paper.head(f"Step {step.number}: {step.name}")
        paper.say(do)
        if layout:
            _holes(paper, build, layout, drawings, step, test)
        else:
            parts = [_told(build, part) for part in step.parts if part.kind != "rail"]
            wires = [
                f"{spoken(build, w.start)} to {spoken(build, w.end)}, {w.colour}"
                for w in step.wires
            ]
            paper.say("Place:", 9, 0.5)
            paper.ticks(parts, 2)
            paper.say("Wires:", 9, 0.5)
            paper.ticks(wires, 2)
            paper.say(f"Test. {test}")
    paper.add_page()
    paper.head("If something is wrong")
    for seen, look in prose.trouble(build.name):
        paper.say(f"{seen[0].upper()}{seen[1:]}: {look}.")
    return bytes(paper.output())


def _cover(paper, build):
    paper.add_page()
    paper.head(f"Nimatron: {build.title.lower()}", 20)
    paper.say(" ".join(prose.section(build.name, "About").split()), 10)
    paper.head("Safety")
    for line in prose.items(build.name, "Safety"):
        paper.say(f"•  {line}", 9, 0.8)
    paper.ln(3)
    paper.head("What to buy")
    groups: dict = {}
    for part in build.parts:
        if part.kind != "rail":
            groups.setdefault((part.kind, part.value, part.rating), []).append(part.ref)
    items = []
    for (kind, value, rating), refs in groups.items():
        what = ", ".join(filter(None, (KINDS[kind].about.split(",")[0], value, rating)))
        items.append(f"{len(refs)} x {what}: {in_short(refs)}")
    paper.ticks(
        items + [item[0].upper() + item[1:] for item in prose.items(build.name, "Also")], 1
    )


def _legs(paper, build, layout, drawings):
    paper.add_page()
    paper.head("How to read the steps")
    told = holes.INTRO + holes.with_five_rings(build) + holes.needed(layout)
    for line in told.replace("\n  ", " ").split("\n\n"):
        for item in line.replace("\n- ", "\n• ").removeprefix("- ").split("\n• "):
            paper.say(item.replace("\n", " "), 9, 0.8)
    drawing = drawings[legs.file_name(build)]
    wide, _ = proportions(drawing)
    paper.ln(4 + paper.svg(drawing, MARGIN, paper.get_y() + 2, min(wide, paper.epw)))


def _drawing(paper, drawing):
    """Put a drawing on a separate page, in the drawing's orientation. If its words would be too
    small, the page is twice as large and must be folded."""
    wide, high = proportions(drawing)
    across, down = 2 * paper.l_margin, paper.t_margin + paper.b_margin
    short, long = sorted(paper.size)
    for size in ((short, long), (long, 2 * short)):
        room = sorted(size, reverse=wide > high)
        scale = min((room[0] - across) / wide, (room[1] - down) / high)
        if smallest_words(drawing) * scale / POINT >= _LEGIBLE - 0.05:
            break
    paper.add_page(orientation="landscape" if wide > high else "portrait", format=size)
    paper.svg(drawing, across / 2, paper.t_margin, wide * scale)


def _holes(paper, build, layout, drawings, step, test):
    drawing = drawings[picture.file_name(build, step.number)]
    parts = [
        f"{ref}, {what}: {re.sub(r' [(].*?[)]', '', where)}"
        for ref, what, where in holes.parts(build, layout, step.name)
    ]
    wires = [
        f"{start} to {end}, {colour}, {length}"
        for start, end, colour, length in holes.wires(layout, step.name)
    ]
    wide, high = proportions(drawing)
    lines = sum(ceil(len(items) / paper.columns(items, 3)) for items in (parts, wires))
    tested = paper.multi_cell(paper.epw, 1, f"Test. {test}", dry_run=True, output="LINES")
    below = lines * TICK + len(tested) * _LINE + 4 * GAP
    height = min(high, paper.room - below)
    width = min(height * wide / high, paper.epw)
    left = paper.l_margin + (paper.epw - width) / 2
    paper.set_y(paper.get_y() + paper.svg(drawing, left, paper.get_y(), width) + 1)
    paper.ticks(parts, 3)
    paper.ticks(wires, 3)
    paper.say(f"Test. {test}")


def _told(build, part):
    about = KINDS[part.kind].about.split(",")[0]
    value = "" if part.value == about else f", {part.value}"
    return f"{part.ref}: {about}{value}"
