"""Certificates from the solver, judged by a program that shares no code with it."""

import copy
import importlib
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from nimatron_host import cli
from nimatron_host.theory import solve, time_limit

HERE = Path(__file__).parent
sys.path.append(str(HERE))
judge = importlib.import_module("check_proof")

CODES = ["0.77", "0.07", "0.137", "4.7", "0.4", "0.156", "0.333", "0.045"]


def crosses(chance):
    """Return a board of Notakto with at least four crosses."""
    return "".join(chance.sample("xxxx...xx", 9))


def typed(chance):
    """Return a random position of a game that has certificates."""
    heaps = [str(chance.randrange(1, 8)) for _ in range(chance.randrange(1, 4))]
    board = [f"{chance.getrandbits(3) | 1:03b}", f"{chance.getrandbits(3):03b}", "111"]
    names = "abcdef"[: chance.randrange(2, 7)]
    lines = [f"{a}-{b}" for a in names for b in names if a < b and chance.random() < 0.5]
    return chance.choice(
        [
            ["nim", *heaps[:2]],
            [f"subtraction-{chance.randrange(1, 5)}", *heaps],
            [f"octal-{chance.choice(CODES)}", *heaps],
            ["hexadecimal-0.9F", *heaps],
            ["grundy", *heaps, "5"],
            ["kayles", *heaps],
            ["notakto", crosses(chance), crosses(chance)],
            ["cram-3x3", "/".join(board)],
            ["nim-2d-2x3", "/".join(board[:2])],
            ["graph-kayles", *names, *lines],
            ["arc-kayles", *names, "a-b", *lines],
        ]
    )


def proofs(count):
    chance = random.Random(count)
    while count:
        words, rule = typed(chance), chance.choice(["normal", "misere"])
        try:
            proof = solve.proof(words, rule)
        except ValueError:
            continue  # no move is left
        count -= 1
        yield chance, json.loads(json.dumps(proof))


def damaged(chance, proof):
    """Return a wrong proof, after one change."""
    proof = copy.deepcopy(proof)
    kinds = ["outcome", *(["values", "gap"] if "values" in proof else ["more"])]
    kinds += ["states", "row"] if "table" in proof else []
    if not proof.get("lost", True) or len(proof.get("table", "ab")) == 1:
        kinds = ["outcome"]
    kind = chance.choice(kinds)
    if kind == "outcome":
        proof["outcome"] = "PN"[proof["outcome"] == "P"]
    elif kind == "values":
        entry, rows = chance.choice(proof["values"]), len(proof.get("table", range(99)))
        entry[1] = (entry[1] + chance.randrange(1, min(rows, 3))) % rows
    elif kind == "gap":
        needed = {*proof["start"]}
        proof["values"] = [entry for entry in proof["values"] if entry[0] not in needed]
    elif kind == "more":
        position = tuple(chance.choice(proof["lost"]))
        proof["lost"].append(chance.choice(sorted(judge.options(proof["rules"], position))))
    elif kind == "states":
        proof["lost"] = [*{*proof["lost"]} ^ {chance.randrange(len(proof["table"][0]))}]
    else:
        row = chance.choice(proof["table"])
        state = chance.randrange(len(row))
        row[state] = (row[state] + 1) % len(row)
    return proof


def judged(count):
    for chance, proof in proofs(count):
        judge.check(proof)
        with pytest.raises((AssertionError, KeyError)):
            judge.check(damaged(chance, proof))


def test_the_judge_accepts_a_thousand_proofs_and_refuses_a_thousand_damaged_ones():
    judged(1000)


def test_a_part_without_moves_changes_no_sum():
    """Otherwise, this sum of one such part would be lost, but without a move its player wins."""
    with pytest.raises(AssertionError):
        judge.check_theorems.quotient([[0, 1], [1, 0]], [1], {"end": 1}, {"end": []}, [1])


def test_a_period_is_proved(tmp_path, capsys):
    file = tmp_path / "proof.json"
    words = ["octal-0.07", "300", "--rule", "normal", "--proof", str(file)]
    assert cli.main(["solve", *words]) == 0
    proof = json.loads(file.read_text())
    assert proof["period"] == [53, 34]
    done = subprocess.run(
        [sys.executable, HERE / "check_proof.py", file], capture_output=True, text=True
    )
    assert done.stdout == "The proof is complete.\n", done.stderr
    for wrong in ([53, 33], [52, 34], [0, 34]):
        with pytest.raises((AssertionError, KeyError)):
            judge.check(proof | {"period": wrong})


def test_a_quotient_proves_misere_play_of_any_size():
    """The quotient of Notakto has 18 elements (Plambeck and Whitehead). The quotient of Kayles has
    40 elements, and period 12."""
    boards = solve.proof(["notakto", "9"], "misere")
    rows = solve.proof(["kayles", str(10**30), "20", "5"], "misere")
    assert len(boards["table"][0]) == 18 and len(rows["table"][0]) == 40
    assert rows["period"] == [71, 12]
    for proof in (boards, rows):
        judge.check(json.loads(json.dumps(proof)))


@pytest.mark.parametrize("name", ["check_proof.py", "check_theorems.py"])
def test_the_judge_is_short_and_stands_alone(name):
    text = (HERE / name).read_text()
    assert text.count("\n") <= 80 and "nimatron" not in text.split('"""')[2]


@pytest.mark.parametrize("words", [["wythoff", "3", "4"], ["circular-9", "9"]])
def test_a_game_without_a_certificate_is_refused(words):
    with pytest.raises(ValueError, match="--proof cannot describe the rules"):
        solve.proof(words)


def test_a_proof_ends_in_time():
    with pytest.raises(time_limit.Spent), time_limit.limit(0.05):
        solve.proof(["cram-5x5", "full"])
