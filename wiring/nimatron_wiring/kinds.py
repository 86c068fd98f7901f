"""The kinds of parts, with their descriptions and pins. kinds.csv lists them.

The pins of the chips are from their data sheets: TI SCLS264, SLIS032B and SLRS049.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nimatron_wiring import pico


@dataclass(frozen=True)
class Kind:
    about: str
    pins: tuple[str, ...]
    watch: str = ""  # advice against a common mistake
    numbers: dict[str, int] = field(default_factory=dict)  # pin numbers, for a chip
    optional: tuple[str, ...] = ()  # pins that may stay unconnected
    ends: dict[str, str] = field(default_factory=dict)  # names of pins for people, if they differ


def csv_rows(name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a CSV file in this folder."""
    with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _kinds():
    yield (
        "pico",
        Kind(
            "Raspberry Pi Pico with its pins soldered",
            tuple(pico.NUMBERS),
            numbers=pico.NUMBERS,
            optional=tuple(pico.NUMBERS),
        ),
    )
    for row in csv_rows("kinds.csv"):
        names = row["pins"].split()
        numbers = {name: n for n, name in enumerate(names, 1) if name != "NC"}
        optional = tuple(row["optional"].split())
        about = row["about"], tuple(numbers), row["watch"]
        ends = dict(zip(names, row["ends"].split("; "), strict=True)) if row["ends"] else {}
        numbered = numbers if row["numbered"] else {}
        yield row["kind"], Kind(*about, numbered, optional, ends)


# All kinds, by name. The pins of a chip are in the order of their numbers, and NC is unconnected
KINDS = dict(_kinds())
