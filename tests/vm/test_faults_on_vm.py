"""Memory on the real MicroPython VM: it does not leak away, and when it runs out the show comes
back. The invariant is that of faults.py.

Children (see on_vm/weighed.py) press buttons without end; a judge reads the trace.
"""

import json
from pathlib import Path

import pytest

from faults import Judge
from nimatron import games
from nimatron_sim import vm

pytestmark = [pytest.mark.vm, pytest.mark.usefixtures("micropython")]

ON_VM = Path(__file__).parent / "on_vm"
# 271 kB are free after boot, which on a 64-bit VM hold what the 155 kB of a Pico do.
PICO_HEAP = 490_000
QUICK = ["set think_ms 125", "set lamp_ms 50", "set verdict_ms 2000", "set level child"]
RESTART_MS = 400  # from a failure to the next start's first line
ROOMY = 1_200_000  # what is left is what counts, and the VM frees nothing at a reset
NOISE = 1024  # bytes: a number in the statistics, a line half read


def lived(moments, end, heap=PICO_HEAP):
    """The judged trace of what is done to it at some [ms, verb, argument], until `end` ms."""
    quick = [[500 + n, "send", line] for n, line in enumerate(QUICK)]
    given = json.dumps(["matrix", quick + moments, end])
    printed = vm.run("-m", "weighed", given=given, heap=heap, folder=ON_VM)
    trace = [json.loads(line) for line in printed.splitlines()]
    judge = Judge()
    for record in trace:
        if "why=crash" in record.get("console", ""):
            judge.failed |= set(range(record["ms"] - RESTART_MS, record["ms"]))
    for record in trace:
        judge.see(record)
    judge.look(end)
    return trace, judge


def soak(names, ms, matches):
    """Children play these games for so long; nothing fails, and after the first round in which
    all is imported and each name known, memory is as free as it was."""
    trace, judge = lived([[1000, "children", f"40 {','.join(names)}"]], ms)
    assert judge.tally["games"] >= matches
    assert sum(judge.starts.values()) == 1
    free = {}
    for record in trace:
        if "free" in record:
            free.setdefault(record["at"], []).append(record["free"])
    for name in names:
        assert len(free[name]) > 2, "too short"
        assert min(free[name][1:]) >= free[name][1] - NOISE, (name, free[name])
    return judge.tally["games"]


def test_a_hundred_matches_of_various_games_leave_no_trace_in_memory():
    soak(["nim", "kayles", "wythoff", "chomp"], 600_000, 100)


@pytest.mark.long("half a minute: each game")
def test_a_thousand_matches_of_all_games_leave_no_trace_in_memory():
    soak(games.PANEL, 4_000_000, 500)


def squeezed(sizes):
    """At a time only so much memory is left, for 12 s, in which somebody plays by the console."""
    moments, at = [], 2000
    for number, size in enumerate(sizes):
        moments += [
            [at + 10, "send", "new 3 4 5"],
            [at + 20 + 40 * (number % 9), "squeeze", size],
            [at + 100, "press", "row1"],
            [at + 150, "release", "row1"],
            [at + 300, "send", "press go"],
            [at + 1500, "send", "why"],
            [at + 2000, "send", "take 2 1"],
            [at + 4000, "send", "new 1 1"],
            [at + 4100, "send", "take 1 1"],
            [at + 11_000, "send", "reboot"],  # so that the failures do not count as in a row
        ]
        at += 12_000
    moments += [[at, "send", "new 1 2"], [at + 100, "send", "take 2 2"]]
    moments += [[at + 9000, "send", "stats"]]
    return lived(moments, at + 10_000, ROOMY)


def check_squeezed(sizes):
    _, judge = squeezed(sizes)
    crashes = judge.starts["forgiven"]
    statistics = [line for line in judge.lines if line.startswith("ok since=")][-1]
    counted = int(statistics.partition(" games=")[2].split(" ")[0])
    assert judge.tally["games"] - crashes <= counted <= judge.tally["games"]
    assert "event over winner=player" in judge.lines[-12:]
    return crashes


def test_when_memory_runs_out_the_show_comes_back():
    assert check_squeezed(range(500, 16_500, 4000)) > 2


@pytest.mark.long("1 min: at each of many places")
def test_wherever_memory_runs_out_the_show_comes_back():
    assert check_squeezed(range(200, 16_000, 48)) > 30
