"""Texts for the builder that are not in the netlist: safety, advice, and the test of each step.
They are Markdown files in texts/, one for each build."""

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "texts"


def text(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text("utf-8")


@cache
def _sections(build):
    parts = re.split(r"^## (.+)\n", text(build), flags=re.M)
    return {title: body.strip() for title, body in zip(parts[1::2], parts[2::2], strict=True)}


def section(build: str, title: str) -> str:
    """Return a section of a build's texts."""
    return _sections(build)[title]


def items(build: str, title: str) -> list[str]:
    """Return the items of a list, each on one line."""
    found = re.split(r"^- ", section(build, title), flags=re.M)[1:]
    return [" ".join(item.split()) for item in found]


def step(build: str, name: str, number: int) -> tuple[str, str]:
    """Return the instructions for a step of a build, and the instructions for its test."""
    title = f"Step {name}"
    if name.startswith("row "):
        title = "Step row 1" if name == "row 1" else "Step next row"
    told = section(build, title)
    do, test = told.replace("{step}", str(number)).split("\n\n**Test.** ")
    return " ".join(do.split()), " ".join(test.split())


def trouble(build: str) -> list[tuple[str, str]]:
    """Return the possible faults, each with its symptom and the place to look at."""
    rows = section(build, "If something is wrong").splitlines()
    return [tuple(row.strip("| ").split(" | ")) for row in rows]
