"""The bench: every section on a small scale, and the page that it has written."""

import json
import math
import random
import re
from pathlib import Path

import pytest

from bench import __main__ as bench
from bench import measure, report, simulator
from nimatron_sim.simulated_pico import SimulatedPico

TESTS = Path(__file__).parent.parent
SMALL = {  # the time that each section takes, and what makes it small
    "page": ("20 s", {"PRESSES": 12, "LOADS": 2}),
    "tables": ("half a minute", {"COUNTS": (2, 3), "SECONDS": 12}),
    "simulator": ("half a minute", {"ROUNDS": 2, "DAYS": 2, "MIXES": 2}),
    "device": (
        "a minute",
        {"PRESSES": 7, "CHORES": 3, "PRESSES_WITH_WAITS": 2, "GAMES": (), "PICO_W": False},
    ),
}


def test_the_page_is_what_the_bench_writes_from_its_figures():
    figures = json.loads(bench.FIGURES.read_text(encoding="utf-8"))
    text = report.document(figures, list(bench.SECTIONS.values()))
    same = bench.PAGE.read_text(encoding="utf-8") == text
    assert same, "after a change of words: make bench ONLY=words"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long(long)) for name, (long, _) in SMALL.items()]
)
def test_each_section_measures_what_is_on_the_page(name, monkeypatch):
    """Its figures have the shape of those on the page, and say as much."""
    module = bench.SECTIONS[name]
    for folder in ("", "emulator", "host/kiosk"):
        monkeypatch.syspath_prepend(TESTS / folder)
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    for constant, value in SMALL[name][1].items():
        monkeypatch.setattr(module, constant, value)
    found = bench.measure([name])
    if "missing" in found[name]:
        pytest.skip(found[name]["missing"])
    kept = json.loads(bench.FIGURES.read_text(encoding="utf-8"))
    if "pico-w" not in found[name]:
        kept[name].pop("pico-w", None)
    text, page = (masked(report.document(one, [module])) for one in (found, kept))
    section = f"## {module.TITLE}"
    assert text.partition(section)[2] == page.partition(section)[2]


def masked(text):
    """Without numbers, which differ, and the name of the slowest game."""
    return re.sub(r"[ -]*\d[\d,.]*[ -]*|`[a-z]+`|-{3,}:?| +", "#", text)


def test_the_page_has_its_goals_and_why_they_are_missed():
    class speed:
        __name__, TITLE = "bench.speed", "Speed"

        @staticmethod
        def section(found):
            table = report.Table(("who", "us"), [("ours", found["us"]), ("others", 12345.6)])
            ranges = {"a": (3.0, 2.5, 3.5), "b": (5.0, 5.0, 5.0), "c": (4.0, 3.5, 4.5)}
            goals = [
                report.Goal(f"g{name}", 4, measure.Ratio(*r), missed="less")
                for name, r in ranges.items()
            ]
            goals.append(report.AtLeast("gd", 6, measure.exact(5), missed="more"))
            return report.Section(["Words.", table], goals)

    noise = [{"cores": 2, "load": 1.5, "times": 1.0}]
    figures = {"of": "it.", "noise": noise, "speed": {"us": 0.5}}
    text = report.document(figures, [speed])
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| g")][1:]
    assert [(row[4].strip(), row[5].strip()) for row in rows] == [
        ("2.50 to 3.50", "met"),
        ("exact", "MISSED"),
        ("3.50 to 4.50", "within noise"),
        ("exact", "MISSED"),
    ]
    assert "- gb: less\n- gd: more\n" in text and "- gc" not in text
    assert "load was 1.50 to 1.50" in text
    assert text.endswith(
        "## Speed\n\nWords.\n\n"
        "| who    |     us |\n"
        "| ------ | -----: |\n"
        "| ours   |  0.500 |\n"
        "| others | 12,346 |\n"
    )
    figures["speed"] = {"missing": "no clock"}
    assert report.document(figures, [speed]).endswith("## Speed\n\nNot measured: no clock.\n")


def test_a_percentile_is_as_certain_as_it_says():
    dice = random.Random(3)
    for percent, true in ((50, math.log(2)), (99, math.log(100))):
        found = [
            measure.percentile([dice.expovariate(1) for _ in range(600)], percent)
            for _ in range(500)
        ]
        assert sum(one.least <= true <= one.most for one in found) >= 485
    one = measure.percentile([float(n) for n in range(101)], 99)
    assert one.median == 99 and one.least < 99 < one.most
    assert one.minus(measure.exact(9.0)).median == 90


def test_a_goal_is_met_or_missed_unless_its_limit_is_in_the_range():
    found = measure.ratio([float(n) for n in range(101)])
    assert found == (50.0, 37.0, 63.0)
    assert [found.keeps_to(most) for most in (36.9, 37.0, 63.0, 63.1)] == [False, None, None, True]
    assert measure.exact(2.0).keeps_to(2.0) is True and measure.exact(2.0).keeps_to(1.9) is False


def test_two_take_turns_and_the_first_round_does_not_count():
    turns = []

    def does(name):
        def run():
            turns.append(name)
            return len(turns)

        return run

    assert measure.in_turns(does("a"), does("b"), 2) == [(5 + 8, 6 + 7), (9 + 12, 10 + 11)]
    assert turns == ["a", "b", "b", "a"] * 3


def test_the_visitor_of_the_simulator_plays_a_third_of_the_time():
    text = simulator.script()
    pico = SimulatedPico()
    pico.settle()
    pico.play(2 * text)
    winners = [line for line in simulator.story(pico.trace) if line.startswith("event over")]
    assert winners == 2 * ["event over winner=player", "event over winner=machine"]
    assert not [r for r in pico.trace if r.get("sound") == 196], "a press was refused"
    played = simulator.length(text.rpartition("wait")[0])
    assert simulator.length(text) == 3 * played
