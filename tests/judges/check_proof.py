"""Check what `nimatron solve --proof` has written: python check_proof.py FILE

This program knows the rules of the games, and the theorems of Sprague and Grundy and of Guy and
Smith. It shares no code with Nimatron. A position is a list of parts: heaps, or lamps or points
that hang together, as the bits of a number."""

import json
import sys
from functools import reduce
from itertools import product
from operator import xor


def leavings(rules, part):
    """Every list of parts that a move can leave of one."""
    if "take" in rules:  # up to so many of a heap, or any number if it is 0
        return [[n] * (n > 0) for n in range(max(0, part - (rules["take"] or part)), part)]
    if "pieces" in rules:
        pieces = rules["pieces"]
        return [groups(pieces, part ^ piece) for piece in pieces if part & piece == piece]
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
    after = set()
    for i, part in enumerate(position):
        for left in leavings(rules, part):
            after.add(tuple(sorted([*position[:i], *left, *position[i + 1 :]])))
    return after


def check(proof):
    """Raise an error unless the proof is complete."""
    rules, start, is_p = proof["rules"], tuple(proof["start"]), proof["outcome"] == "P"
    assert (proof["rule"], proof["outcome"]) in product(("misere", "normal"), "PN")
    if proof["rule"] == "misere":
        lost = {*map(tuple, proof["lost"])}
        replies = {tuple(asked): tuple(reply) for asked, reply in proof["replies"]}
        assert is_p == (start in lost) and all(options(rules, position) for position in lost)
        asked = {option for position in lost for option in options(rules, position)}
        for option in asked | ({start} - lost):
            further = options(rules, option)
            assert not further or replies[option] in further & lost
        return
    values = dict(proof["values"])
    for part, value in values.items():
        reached = {reduce(xor, [values[p] for p in left], 0) for left in leavings(rules, part)}
        assert value not in reached and {*range(value)} <= reached
    assert is_p == (reduce(xor, [values[part] for part in start], 0) == 0)
    if "period" in proof:
        (first, length), digits = proof["period"], rules["code"]
        heaps = 3 if {*digits} & {*"89ABCDEF"} else 2
        last = heaps * first + (heaps - 1) * length + len(digits) - 3
        assert first > 0 and length > 0 and "unequal" not in rules
        assert all(values[n] == values[n + length] for n in range(first, last + 1))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        check(json.load(file))
    print("The proof is complete.")
