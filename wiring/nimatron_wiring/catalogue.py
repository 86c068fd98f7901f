"""What to order for each part and plug: a manufacturer's part number, a substitute, a price, and
spares. articles.csv lists them, and also.csv lists articles that are in no netlist. All prices are
estimates for one piece, or for a line of also.csv.

If a number has a `source`, we have seen it in that data sheet or catalogue, or derived it from the
part-number scheme there. All other numbers are from memory. Check them with the distributor before
you order.
"""

import csv
from dataclasses import dataclass, replace
from pathlib import Path

from nimatron_wiring import prose
from nimatron_wiring.netlist import Build, Part


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


def _read(name):
    with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _articles():
    for row in _read("articles.csv"):
        key = row.pop("kind"), row.pop("value")
        spare = int(row.pop("spare") or 0)
        yield key, Article(spare=spare, **row)


ARTICLES = dict(_articles())  # by (kind, value). A plug's value is its series


def also(build: Build) -> list[dict[str, str]]:
    """Return the articles for a build that are in no netlist: thing, euros, month."""
    return [row for row in _read("also.csv") if row["build"] == build.name]


def tools(build: Build) -> list[str]:
    """Return the tools for a build, which include all tools for the simpler builds."""
    names = ["pixels", "breadboard", "exhibit"]
    needed = names[: names.index(build.name) + 1]
    return [tool for name in needed for tool in prose.items(name, "Tools")]


def article(part: Part) -> Article:
    return ARTICLES[part.kind, part.value]


def substituted(build: Build) -> Build:
    """Return a copy of the build in which each part has the rating of its substitute."""
    parts = []
    for part in build.parts:
        there = ARTICLES.get((part.kind, part.value))
        parts.append(replace(part, rating=there.rating) if there and there.rating else part)
    return replace(build, parts=tuple(parts))
