"""The table of conditions by MicroPython images in docs/contributing/evidence.md.

A test marked `condition(name)` is run on every image by `make test-long`, and fills a row.
"""

import re
from collections import defaultdict
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "contributing" / "evidence.md"
CONDITION = "condition"  # the mark, and a property of a report, with the image and the name

_TABLE = re.compile(r"(<!-- made by make test-long -->\n)(.*?)(<!-- end -->\n)", re.S)
_MARK = re.compile(CONDITION + r'\("([^"]+)"\)')


def conditions() -> list[str]:
    """Return the conditions in the marks of tests."""
    tests = sorted(Path(__file__).parent.glob("*/test_*.py"))
    return list(dict.fromkeys(name for test in tests for name in _MARK.findall(test.read_text())))


def listed(page: str) -> list[str]:
    """Return the conditions in the table of a page."""
    return [line.split(" | ")[0][2:] for line in _TABLE.search(page)[2].splitlines()[2:]]


def filled(page: str, reports) -> str:
    """Return the page with a table of these test reports.

    The page stays unchanged unless the reports cover all conditions and several images.
    """
    found = defaultdict(list)  # (image, condition): a report for each test
    for report in reports:
        for what, value in report.user_properties:
            if what == CONDITION:
                found[tuple(value)].append(report)
    names = conditions()
    images = sorted({image for image, _ in found})
    if len(images) < 2 or {name for _, name in found} != set(names):
        return page
    lines = [["MicroPython", *images], ["---"] * (1 + len(images))]
    lines += [[name, *(_cell(found[image, name], name) for image in images)] for name in names]
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return _TABLE.sub(lambda match: match[1] + table + match[3], page)


def _cell(reports, name):
    if any(report.failed for report in reports):
        return "**failed**"
    done = [report for report in reports if report.passed]
    figures = [str(value) for r in done for what, value in r.user_properties if what == name]
    return ", ".join(figures) or ("passed" if done else "not tried")
