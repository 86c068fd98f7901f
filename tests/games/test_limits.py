"""Every typed position gets an answer or an error in time, in one line."""

import time

import pytest

from nimatron import games
from nimatron_host import cli
from nimatron_host.theory import rules, solve, time_limit


def line(word, count, glue="-"):
    return glue.join(f"{word}{n}" for n in range(count))


# Too large for a search by whole positions.
ANSWERED = {
    f"graph-kayles {line('v', 24)}": "N",
    f"arc-kayles {line('v', 40)}": "N",
    "graph-nim " + " ".join(f"a{n}-b{n}" for n in range(12)): "P",
    f"poset {line('e', 25, ' ')}": "N",
    "graph " + " ".join(f"a{n}-b{n}" for n in range(12)): "P",
    "cram-6x6 full": "P",
    "cram-5x5 full": "P",
    "cram-4x6 full": "P",
    "nim-2d-6x6 full": "P",
    "nim-3d-2x4x6 full": "P",
    "nim 1000000000000 + star": "N",
    "greedy 9 9 10": "N",
    f"greedy {'9' * 300}": "N",
    "same-number 8 8 8": "N",
    "same-number 9 12 5 15 15": "P",
    "candy 8 9 10": "N",
    "candy 8 9 1": "P",
    "building 3 3 3 3:5": "P",
    "index-3 60 60 60 60": "P",
    "index-3 60 60 60 60 60": "N",
    "index-2 300 400 500": "N",
    f"octal-0.77 {10**30}": "N",
    f"fibonacci {7 * (10**999 // 9)}": "N",
    "kayles 1000000": "N",
    "say-100 said 12": "P",
    "say-34 said 10": "P",
}
LOSING = {  # the same in misère play
    "chomp 5 5 5 5 5": "N",
    f"poset {line('e', 25, ' ')}": "P",
    "graph-nim " + " ".join(f"a{n}-b{n}" for n in range(12)): "P",
    "index-3 60 60 60 60 60": "N",
    f"hackenbush {' '.join(f'0-a{n}-b{n}' for n in range(12))}": "P",
    "kayles " + "4 " * 10 + "4": "P",
    "subtraction-3 " + "9 " * 900: "N",
}

# Each ends at once when the budget is used up, or earlier if possible.
HOSTILE = [
    "octal-0.06 100000",
    "octal-0.7777777777777777777777777777777777777777 1000000",
    "hexadecimal-0.F 1000000",
    "octal-0.77 31 30 29",
    "grundy 1000000",
    f"grundy {10**3000}",
    "square 100000000",
    "index-2-2 90 90 90 90 90",
    "same-number 100 100 100 100",
    "wythoff 3000 4000 + nim 1",
    "chomp 40 40 40 40 40 40",
    "building 0 0 0 0 0 0 0 0 0:300",
    "candy 90 91 92 93",
    "notakto 9 9 9",
    f"graph {line('a', 12)} {line('b', 12)}-b0 a0-b0",
    "graph-nim " + " ".join(f"p{a}-p{b}" for a in range(9) for b in range(a)),
    "hackenbush " + " ".join(f"{a or 0}-{b}" for a in range(9) for b in range(a + 1, 9)),
    f"poset {' '.join(f'a{a}-b{b}' for a in range(9) for b in range(9) if a != b)}",
    f"kayles 40 + grundy 40 + nim {10**20} + index-2-2 9 9 9",
]


# Each game at its limits: numbers of 4,000 digits, 1,000 heaps, 100 lamps, points or lines.
LARGE = f"{7 * (10**3999 // 9)} {5 * (10**3999 // 9)} " + "9 " * 998
MANY = "99 " * 1000
PATH = line("p", 100)
AT_LIMIT = {
    **dict.fromkeys(["nim", "greedy", "same-number", "index-2", "candy"], LARGE),
    **dict.fromkeys([*rules.NAMED, "subtraction-3", f"subtraction-{10**9 - 1}"], LARGE),
    **dict.fromkeys(["grundy", "square", "index-2-1", "index-99", "index-99-9"], MANY),
    **dict.fromkeys([f"octal-0.{'7' * 40}", f"hexadecimal-0.{'F' * 40}"], MANY),
    **dict.fromkeys(["graph", "graph-nim", "graph-kayles", "arc-kayles"], PATH),
    **dict.fromkeys(["nim-2d-10x10", "nim-3d-5x5x4", "cram-10x10", "tactix"], "full"),
    "subtraction-1,40": MANY,
    "fibonacci": ":".join(LARGE.split()[:2]),
    "wythoff": " ".join(LARGE.split()[:2]),
    "building": "0 " * 1000 + ":9",
    "chomp": "1 " * 1000,
    "circular-18": "18",
    f"circular-{10**6}": f"{10**6}",
    "hackenbush": f"0-{line('p', 99)}",
    "notakto": "9 " * 111,
    "poset": line("p", 100, " "),
    "runs": "7 7 7 7",
    "say-21": "21",
    f"say-{10**9 - 1}-{10**9 - 2}": f"{10**9 - 1}",
}


@pytest.mark.parametrize(
    ("typed", "rule", "outcome"),
    [
        *((typed, "normal", outcome) for typed, outcome in ANSWERED.items()),
        *((typed, "misere", outcome) for typed, outcome in LOSING.items()),
    ],
)
def test_solve_answers_by_parts_or_labels(typed, rule, outcome):
    assert solve.solve(typed.split(), rule)["outcome"] == outcome


def told(capsys, monkeypatch, *words):
    """Return the status and the error of a command with a limit of one second, in virtual time.
    Each look at the clock takes a fifth of this second. In a long run, real time is also
    measured."""
    times = iter(range(10**9))
    monkeypatch.setattr(time_limit, "clock", lambda: next(times) / 5)
    status = cli.main([*words, "--seconds", "1"])
    printed = capsys.readouterr()
    assert status in (0, 1) and bool(printed.out) != bool(status)
    if status:
        assert printed.err.count("\n") == 1 and "no answer in 1 s, " in printed.err
        assert printed.err.endswith((". To search longer: --seconds 6\n", " smaller position\n"))
    return status, printed.err


def rules_of(typed):
    only = {"candy": ["normal"], "fibonacci": ["normal"], "chomp": ["misere"]}
    return only.get(typed.split()[0], ["normal", "misere"])


@pytest.mark.parametrize("typed", HOSTILE)
def test_solve_ends_in_time(capsys, monkeypatch, typed):
    for rule in rules_of(typed):
        told(capsys, monkeypatch, "solve", *typed.split(), "--rule", rule)


@pytest.mark.parametrize("name", AT_LIMIT)
def test_each_game_ends_in_time_at_its_limit(capsys, monkeypatch, name):
    for rule in rules_of(name):
        told(capsys, monkeypatch, "solve", name, *AT_LIMIT[name].split(), "--rule", rule)


def test_each_game_and_family_has_a_limit():
    assert {*games.names(), *rules.NAMED, *rules.LARGER} <= AT_LIMIT.keys()
    for family in rules.FAMILIES:
        assert any(name.startswith(f"{family}-") for name in AT_LIMIT), family


@pytest.mark.long("a minute")
@pytest.mark.parametrize("typed", [*HOSTILE, *(" ".join(one) for one in AT_LIMIT.items())])
def test_solve_ends_in_real_time(capsys, monkeypatch, typed):
    monkeypatch.setattr(time_limit, "clock", time.process_time)
    for rule in rules_of(typed):
        began = time.process_time()
        cli.main(["solve", *typed.split(), "--rule", rule, "--seconds", "1"])
        assert time.process_time() - began < 2


@pytest.mark.parametrize("words", ["nim --heaps 4 --max 9999", "octal-0.06 --max 900000"])
def test_table_ends_in_time(capsys, monkeypatch, words):
    assert told(capsys, monkeypatch, "table", *words.split(), "--rule", "normal")[0] == 1


def test_an_error_has_the_result_so_far(capsys, monkeypatch):
    typed = ["solve", "nim-2d-5x5", "11111/11110/11111/01111/11111", "--rule", "misere"]
    status, error = told(capsys, monkeypatch, *typed)
    assert status == 1 and " positions of nim-2d-5x5 searched. To search" in error
