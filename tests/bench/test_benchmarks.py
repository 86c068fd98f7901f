"""The benchmarks on a small scale, and the page that they have written."""

import json
from pathlib import Path

import pytest

from bench import __main__ as bench
from bench import device, page

TESTS = Path(__file__).parent.parent
SMALL = [
    pytest.param(page, {"PRESSES": 12, "LOADS": 2}, marks=pytest.mark.long("20 s")),
    pytest.param(device, {"PRESSES": 7, "CHORES": 3}, marks=pytest.mark.long("half a minute")),
]


def test_the_page_is_what_the_bench_writes_from_its_figures():
    figures = json.loads(bench.FIGURES.read_text(encoding="utf-8"))
    same = bench.PAGE.read_text(encoding="utf-8") == bench.document(figures)
    assert same, "after a change of words: make bench ONLY=words"


@pytest.mark.parametrize(("module", "small"), SMALL)
def test_each_section_measures_what_is_on_the_page(module, small, monkeypatch):
    for folder in ("", "emulator", "host/kiosk"):
        monkeypatch.syspath_prepend(TESTS / folder)
    for constant, value in small.items():
        monkeypatch.setattr(module, constant, value)
    found = module.measure()
    assert set(found.get("Pico", found)) == set(module.FIGURES)


def test_a_goal_that_is_missed_is_named():
    assert bench._verdict(5.1, 5) == "at most 5: missed" and bench._verdict(5, 5) == "at most 5"
    assert bench._verdict(9, -10) == "at least 10: missed"
    assert bench._verdict(10, -10) == "at least 10" and bench._verdict(1, None) == ""
