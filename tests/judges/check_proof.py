"""Check a certificate from `nimatron solve --proof`: python check_proof.py FILE

This file contains the rules of the games, and check_theorems.py the theorems. They share no code
with Nimatron. A position is a list of parts: heaps, or boards or groups as bits."""

import json
import sys
from functools import reduce
from itertools import product

import check_theorems


def leavings(rules, part):
    """Return every list of parts that a move can make from a part."""
    if "take" in rules:  # up to this many from a heap, or any number for 0
        return [[n][: n > 0] for n in range(max(0, part - (rules["take"] or part)), part)]
    if "pieces" in rules:
        pieces = rules["pieces"]
        return [groups(pieces, part ^ piece) for piece in pieces if part & piece == piece]
    if "lines" in rules:  # a full line ends a board of nine cells
        boards = {part | 1 << cell for cell in range(9)} - {part}
        return [[b][: all(b & line < line for line in rules["lines"])] for b in boards]
    digits = [int(symbol, 16) for symbol in rules["code"].replace(".", "")]
    return [left for k, digit in enumerate(digits) for left in splits(part - k, digit, rules)]


def splits(n, digit, rules):
    if n >= 0 and digit & (2 if n else 1):
        yield [n][: n > 0]
    for a in range(1, n // 2 + 1):
        if digit & 4 and not ("unequal" in rules and 2 * a == n):
            yield [a, n - a]
        if digit & 8:
            yield from ([a, b, n - a - b] for b in range(a, (n - a) // 2 + 1))


def groups(pieces, left):
    found = []
    for piece in [piece for piece in pieces if left & piece == piece]:
        whole = reduce(int.__or__, [group for group in found if group & piece], piece)
        found = [whole] + [group for group in found if not group & piece]
    return found


def options(rules, position):
    every = [(i, left) for i, part in enumerate(position) for left in leavings(rules, part)]
    return {tuple(sorted([*position[:i], *left, *position[i + 1 :]])) for i, left in every}


def check(proof):
    """Raise an error unless the proof is complete."""
    rules, start, is_p = proof["rules"], tuple(proof["start"]), proof["outcome"] == "P"
    assert (proof["rule"], proof["outcome"]) in product(("misere", "normal"), "PN")
    if "values" not in proof:
        assert proof["rule"] == "misere" and is_p == (list(start) in proof["lost"])
        return check_theorems.strategy(start, proof["lost"], lambda left: options(rules, left))
    values = dict(proof["values"])
    after = {
        part: [[values[p] for p in left] for left in leavings(rules, part)] for part in values
    }
    if "period" in proof:
        (first, length), digits = proof["period"], rules["code"]
        heaps = 3 if {*digits} & {*"89ABCDEF"} else 2
        last = heaps * first + (heaps - 1) * length + len(digits) - 3
        assert first > 0 and length > 0 and "unequal" not in rules
        assert all(values[n] == values[n + length] for n in range(first, last + 1))
        values |= {n: values[first + (n - first) % length] for n in start if n > last}
    worth = [values[part] for part in start]
    if proof["rule"] == "normal":
        lost = check_theorems.grundy(values, after, worth)
    else:
        lost = check_theorems.quotient(proof["table"], proof["lost"], values, after, worth)
    assert is_p == lost


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        check(json.load(file))
    print("The proof is complete.")
