"""`make bench`: measures every section and writes docs/contributing/benchmarks.md.

With names of sections only those are measured and printed, and nothing is written: the page is
always of one run. `words` writes the page again from the figures of the last run.
"""

import argparse
import json
import sys
import time
from pathlib import Path

from bench import device, page, report, simulator, tables
from nimatron_sim.errors import TierUnavailable

PAGE = Path(__file__).parent.parent.parent / "docs" / "contributing" / "benchmarks.md"
FIGURES = Path(__file__).with_name("figures.json")
# Real time comes first. The sections after it are in CPU time and in emulated time.
SECTIONS = {"page": page, "tables": tables, "simulator": simulator, "device": device}


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__.partition("\n")[0])
    what = f"{', '.join(SECTIONS)} or words"
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=what)
    wanted = parser.parse_args().sections
    if set(wanted) - {*SECTIONS, "words"}:
        parser.error(f"sections are {what}")
    if wanted == ["words"]:
        write(json.loads(FIGURES.read_text(encoding="utf-8")))
        return
    figures = measure(wanted or list(SECTIONS))
    print(report.document(figures, [SECTIONS[name] for name in wanted or SECTIONS]))
    if not wanted:
        lines = [f'"{name}": {json.dumps(found)}' for name, found in figures.items()]
        FIGURES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        write(figures)


def measure(names: list[str]) -> dict:
    begin = time.monotonic()

    def say(what: str) -> None:
        print(f"{time.monotonic() - begin:5.0f} s  {what}", file=sys.stderr, flush=True)

    figures: dict = {"of": report.subject(), "noise": [report.noise()]}
    for name in names:
        try:
            figures[name] = SECTIONS[name].measure(say)
        except TierUnavailable as why:
            figures[name] = {"missing": str(why)}
        figures["noise"].append(report.noise())
    return json.loads(json.dumps(figures), parse_float=lambda text: float(f"{float(text):.5g}"))


def write(figures: dict) -> None:
    PAGE.write_text(report.document(figures, list(SECTIONS.values())), encoding="utf-8")
    print(f"written to {PAGE.relative_to(PAGE.parents[2])}")


if __name__ == "__main__":
    main()
