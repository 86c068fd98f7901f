"""The bill of materials for each build, as CSV tables for distributors and spreadsheets.

articles.csv lists what to order for each part and plug: a manufacturer's part number, a
substitute, a price, and spares. also.csv lists articles that are in no netlist. All prices are
estimates for one piece, or for a line of also.csv.

If a number has a `source`, we have seen it in that data sheet or catalogue, or derived it from the
part-number scheme there. All other numbers are from memory. Check them with the distributor before
you order.
"""

import csv
import io
from dataclasses import dataclass, replace

from nimatron_wiring import builder_texts, harness
from nimatron_wiring.circuits import builds
from nimatron_wiring.kinds import KINDS, csv_rows
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
    "Estimated price of one in euros",
    "Month of the price",
]


@dataclass(frozen=True)
class Article:
    maker: str
    number: str  # "" if we name no number, so that the reader chooses by the rating
    instead: str  # a substitute: maker and number, or required properties
    spare: int = 0  # number of spares to order
    source: str = ""  # the document that has the number, or "" if it is from memory
    rating: str = ""  # the rating of the substitute, if it differs
    remark: str = ""
    euros: str = ""  # the lowest and the highest price: 0.1-0.4
    month: str = ""  # of the price


def _articles():
    for row in csv_rows("articles.csv"):
        key = row.pop("kind"), row.pop("value")
        spare = int(row.pop("spare") or 0)
        yield key, Article(spare=spare, **row)


ARTICLES = dict(_articles())  # by (kind, value). A plug's value is its series


def also(build: Build) -> list[dict[str, str]]:
    """Return the articles for a build that are in no netlist: thing, euros, month."""
    return [row for row in csv_rows("also.csv") if row["build"] == build.name]


def tools(build: Build) -> list[str]:
    """Return the tools for a build, which include all tools for the simpler builds."""
    names = ["pixels", "breadboard", "exhibit"]
    needed = names[: names.index(build.name) + 1]
    return [tool for name in needed for tool in builder_texts.items(name, "Tools")]


def article(part: Part) -> Article:
    return ARTICLES[part.kind, part.value]


def substituted(build: Build) -> Build:
    """Return a copy of the build in which each part has the rating of its substitute."""
    parts = []
    for part in build.parts:
        there = ARTICLES.get((part.kind, part.value))
        parts.append(replace(part, rating=there.rating) if there and there.rating else part)
    return replace(build, parts=tuple(parts))


def groups(build: Build) -> list[tuple[Part, list[str]]]:
    """Return the first part of each group of equal parts, and the names of all its parts."""
    found: dict[tuple, tuple[Part, list[str]]] = {}
    for part in build.parts:
        if part.kind != "rail":
            key = part.kind, part.value, part.rating
            found.setdefault(key, (part, []))[1].append(part.ref)
    return list(found.values())


def rows(build: Build) -> list[list[object]]:
    """Return a line for each part to buy, for the plugs, and for articles outside the netlist."""
    lines: list[list[object]] = []
    for part, refs in groups(build):
        order = article(part)
        number = len(refs)
        about = [KINDS[part.kind].about, part.value, part.rating, order.maker, order.number]
        seen = (order.source or "nothing: from memory") if order.number else ""
        told = [seen, order.instead.partition(": [")[0], note(part), order.euros, order.month]
        lines.append([",".join(refs), number, order.spare, number + order.spare, *about, *told])
    if build.display == "shift":
        lines += _plugs(build)
    for thing in also(build):
        lines.append(["", "", "", "", thing["thing"], *[""] * 7, thing["euros"], thing["month"]])
    for tool in tools(build):
        lines.append(["", 1, 0, 1, tool, "tool", *[""] * 8])
    return lines


def prices(build: Build) -> str:
    """Return a sentence about the prices of everything except the tools."""
    lines = [line for line in rows(build) if "tool" not in line]
    priced = [(int(str(line[3] or 1)), str(line[-2]).split("-")) for line in lines if line[-2]]
    low, high = (sum(number * float(euros[end]) for number, euros in priced) for end in (0, 1))
    months = sorted({str(line[-1]) for line in lines if line[-1]})
    return (
        "We estimated the price of one piece without documents "
        f"({' to '.join(months[:1] + months[1:][-1:])}). Together: €{low:.0f}-{high:.0f}. "
        f"Unpriced lines: {len(lines) - len(priced)}."
    )


def note(part: Part) -> str:
    """Return the advice for a part, in sentences."""
    advice = filter(None, (article(part).remark, KINDS[part.kind].watch))
    return ". ".join(each[0].upper() + each[1:] for each in advice)


def _plugs(build):
    """Yield a line for each kind of header, housing and contact that the cables need."""
    found: dict[tuple[str, str, str], list[tuple[str, int]]] = {}
    for cable in harness.cables(build):
        series, wires = cable.series, sum(bool(lead.net) for lead in cable.leads)
        for what, number, count in (
            ("header" if series.housing else "screw terminals", cable.header, 1),
            ("plug", cable.housing, 1),
            ("contact", series.contact, wires),
        ):
            if number:
                found.setdefault((what, series.name, number), []).append((cable.plug, count))
    for (what, series, number), uses in found.items():
        order = ARTICLES[what, series]
        count = sum(each for _, each in uses)
        spare = max(1, count // 10)
        refs = ",".join(plug for plug, _ in uses)
        about = [f"{what}, {series}", "", "", order.maker, number, order.source, "", ""]
        yield [refs, count, spare, count + spare, *about, order.euros, order.month]


def table(build: Build) -> bytes:
    """Return the bill of materials of a build as a CSV file, in UTF-8."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([HEAD, *rows(build)])
    return text.getvalue().encode()


def files() -> dict[str, bytes]:
    """Return the CSV file of every build, by file name."""
    return {f"parts-{build.name}.csv": table(build) for build in builds()}
