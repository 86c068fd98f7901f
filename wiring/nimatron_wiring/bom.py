"""The bill of materials for each build, as CSV tables for distributors and spreadsheets."""

import csv
import io

from nimatron_wiring import catalogue, harness, prose
from nimatron_wiring.circuits import builds
from nimatron_wiring.kinds import KINDS
from nimatron_wiring.netlist import Build, Part

HEAD = [
    "Reference",
    "Quantity",
    "Spares",
    "Order",
    "Part",
    "Value",
    "Rating",
    "Manufacturer",
    "Manufacturer Part Number",
    "Number seen in",
    "Substitute",
    "Remark",
]


def groups(build: Build) -> list[tuple[Part, list[str]]]:
    """Group equal parts: for each group, return its first part and the names of all its parts."""
    found: dict[tuple, tuple[Part, list[str]]] = {}
    for part in build.parts:
        if part.kind != "rail":
            key = part.kind, part.value, part.rating
            found.setdefault(key, (part, []))[1].append(part.ref)
    return list(found.values())


def rows(build: Build) -> list[list[object]]:
    """Return a line for each part to buy, then the plugs, then articles outside the netlist."""
    lines: list[list[object]] = []
    for part, refs in groups(build):
        order = catalogue.article(part)
        number = len(refs)
        about = [KINDS[part.kind].about, part.value, part.rating, order.maker, order.number]
        seen = (order.source or "nothing: from memory") if order.number else ""
        told = [seen, order.instead.partition(": [")[0], note(part)]
        lines.append([",".join(refs), number, order.spare, number + order.spare, *about, *told])
    if build.display == "shift":
        lines += _plugs(build)
    for thing in prose.items(build.name, "Also"):
        lines.append(["", "", "", "", thing, *[""] * 7])
    for tool in catalogue.tools(build):
        lines.append(["", 1, 0, 1, tool, "tool", *[""] * 6])
    return lines


def note(part: Part) -> str:
    """Return the advice for a part, in sentences."""
    advice = filter(None, (catalogue.article(part).remark, KINDS[part.kind].watch))
    return ". ".join(each[0].upper() + each[1:] for each in advice)


def _plugs(build):
    """Yield a line for each kind of header, housing and contact that the cables need."""
    found: dict[tuple, list[tuple[str, int]]] = {}
    for cable in harness.cables(build):
        series, wires = cable.series, sum(bool(lead.net) for lead in cable.leads)
        for what, number, count in (
            ("header" if series.housing else "screw terminals", cable.header, 1),
            ("plug", cable.housing, 1),
            ("contact", series.contact, wires),
        ):
            if number:
                key = f"{what}, {series.name}", series.maker, number
                found.setdefault(key, []).append((cable.plug, count))
    for (what, maker, number), uses in found.items():
        count = sum(each for _, each in uses)
        spare = max(1, count // 10)
        refs = ",".join(plug for plug, _ in uses)
        about = [what, "", "", maker, number, _SEEN[maker], "", ""]
        yield [refs, count, spare, count + spare, *about]


_SEEN = {
    "JST": "public parts lists: XHP-2, B2B-XH-A, and the scheme of the series",
    "Phoenix Contact": "public parts lists, with links to Mouser and Farnell",
}


def table(build: Build) -> bytes:
    """Return the bill of materials of a build as a CSV file, in UTF-8."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([HEAD, *rows(build)])
    return text.getvalue().encode()


def files() -> dict[str, bytes]:
    """Return the CSV file of every build, by file name."""
    return {f"parts-{build.name}.csv": table(build) for build in builds()}
