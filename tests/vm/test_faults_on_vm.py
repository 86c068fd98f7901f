"""Memory on the real MicroPython VM. It does not leak, and when it runs out, the show comes back.
The invariant is in faults.py.

Children (see on_vm/weighed.py) press buttons without end, or a visitor lives a LIFE in which an
allocation fails (on_vm/starved.py). A judge reads the trace.
"""

import json
from pathlib import Path
from statistics import mean

import pytest

from faults import Judge
from nimatron import games
from nimatron_sim import vm
from pico_testbench.models import PICO

pytestmark = [pytest.mark.vm, pytest.mark.usefixtures("vm_command")]

ON_VM = Path(__file__).parent / "on_vm"
# In the first game of Nim, 281 kB are free. On a 64-bit VM, 265 kB hold as much as the 145 kB of a
# Pico. The rest is for the tables of kayles, which the VM compiles from source, in one piece.
PICO_HEAP = 590_000
ALL_GAMES_HEAP = 710_000  # with less, such a piece is not always free after twenty games
QUICK = ["set think_ms 125", "set lamp_ms 50", "set verdict_ms 2000", "set level child"]
RESTART_MS = 400  # from a failure to the next start's first line
ROOMY = 2_500_000  # the VM frees nothing at a reset, and the test needs only the change
TOGETHER = 4  # cases in one run: ROOMY holds a script and their past lives, more cost seconds
NOISE = 4096  # bytes: new openings in the statistics, a half-read line


def lived(moments, end, heap=PICO_HEAP, program="weighed"):
    """Return the judged trace of these actions, [ms, verb, argument], until `end` ms."""
    quick = [[500 + n, "send", line] for n, line in enumerate(QUICK)]
    given = json.dumps(["matrix", PICO, quick + moments, end])
    printed = vm.run("-m", program, given=given, heap=heap, folder=ON_VM)
    trace = [json.loads(line) for line in printed.splitlines()]
    judge = Judge()
    for record in trace:
        if "why=crash" in record.get("console", ""):
            judge.failed |= set(range(record["ms"] - RESTART_MS, record["ms"]))
    for record in trace:
        judge.see(record)
    judge.look(end)
    return trace, judge


def soak(names, ms, matches, heap=PICO_HEAP):
    """Let children play these games for a long time, and assert that nothing fails. After a third
    of the time and a round under each rule, all modules are imported and each name is known. From
    then on, the free memory must stay the same."""
    trace, judge = lived([[1000, "children", f"40 {','.join(names)}"]], ms, heap)
    assert judge.tally["games"] >= matches
    assert sum(judge.starts.values()) == 1
    free = {}
    for record in trace:
        if "free" in record:
            free.setdefault(record["at"], []).append(record["free"])
    for name in names:
        assert len(free[name]) > 4, "too short"
        known = free[name][max(2, len(free[name]) // 3) :]
        half = max(2, len(known) // 2)
        assert mean(known[half:]) >= mean(known[:half]) - NOISE, (name, free[name])
    return judge.tally["games"]


def test_matches_of_various_games_leave_no_trace_in_memory():
    soak(["kayles", "chomp"], 330_000, 30)


@pytest.mark.long("half a minute: each game")
def test_a_thousand_matches_of_all_games_leave_no_trace_in_memory():
    soak(games.names(), 9_000_000, 1000, ALL_GAMES_HEAP)


def last_visit(at):
    return [
        [at, "send", "new 1 2"],
        [at + 100, "send", "take 2 2"],
        [at + 9000, "send", "stats"],
        [at + 9100, "send", "settings"],
    ]


def check(judge):
    """Assert that saved data is kept and the last visitor has won. Return the crashes."""
    crashes = judge.starts["forgiven"]
    said = judge.lines[-12:]
    (statistics,) = [line for line in said if line.startswith("ok since=")]
    counted = int(statistics.partition(" games=")[2].split(" ")[0])
    told = [line for line in judge.lines if line.startswith("event over ")]
    # After a line that failed, the judge leaves the rest of the match out, but the Pico counts it.
    assert judge.tally["games"] - crashes - judge.unsaved <= counted <= len(told)
    (settings,) = [line.split() for line in said if " mute=" in line]
    for line in QUICK:
        _, name, value = line.split()
        assert f"{name}={value}" in settings
    assert "event over winner=player" in said
    return crashes


# The repeated actions: [ms, verb, argument].
LIFE = [
    [1000, "send", "new 3 4 5"],
    [1200, "press", "row1"],
    [1250, "release", "row1"],
    [1400, "press", "go"],
    [1450, "release", "go"],
    [2500, "send", "why"],
    [2700, "send", "set lamp_ms 60"],
    [2900, "send", "set lamp_ms 50"],
    [3100, "send", "new 1 1"],
    [3300, "send", "take 1 1"],
    [6000, "press", "new"],
    [6050, "release", "new"],
    [6500, "send", "stats"],
    [6700, "send", "lamps test"],
    [10_000, "send", "reboot"],
]
LIFE_MS = 75_000  # so that no failure is quick
BOOT = 10_150  # between the reset and the boot
# The time of the shortage: the bytes that are then allocated between two sleeps.
APPETITE = {
    999: 24_000,  # a line
    1199: 6500,  # a press
    1399: 15_000,  # GO
    1524: 7500,  # the machine decides
    1574: 15_000,  # it has moved
    2499: 18_000,
    2699: 11_000,
    3099: 31_000,
    3299: 21_000,
    3424: 9500,
    3474: 19_000,  # the verdict, a coin, the statistics
    5999: 9500,
    6499: 35_000,
    6699: 21_000,
    9999: 7500,
    BOOT: 31_000,
}


def starved(famines):
    """Run a life for each (ms, bytes): after `ms`, the firmware may allocate only this many bytes
    between two sleeps. Check the trace, and return the number of crashes."""
    moments, at = [], 1000
    for ms, ration in famines:
        verb, end = ("starve_at_open", 200) if ms == BOOT else ("starve", 30)
        famine = [[ms, verb, ration], [ms + end, "feed", None]]
        life = sorted(LIFE + famine, key=lambda moment: moment[0])
        moments += [[at + ms, *what] for ms, *what in life]
        at += LIFE_MS
    return check(lived(moments + last_visit(at), at + 10_000, ROOMY, "starved")[1])


def test_when_any_allocation_fails_the_show_comes_back():
    moments = sorted(APPETITE)[::3]
    assert starved([(ms, APPETITE[ms] * (ms % 7 + 1) // 16) for ms in moments]) > 2


@pytest.mark.long("1 min: one allocation after the other")
@pytest.mark.parametrize("ms", APPETITE)
def test_whichever_allocation_fails_the_show_comes_back(ms):
    famines = [(ms, ration) for ration in range(0, APPETITE[ms], 512)]
    parts = [famines[start : start + TOGETHER] for start in range(0, len(famines), TOGETHER)]
    assert sum(map(starved, parts)) > len(famines) // 4
