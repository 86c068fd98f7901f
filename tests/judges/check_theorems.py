"""The theorems on sums of parts, for check_proof.py: by lost positions, by Grundy values in normal
play (Sprague, Grundy), and by a misère quotient (Plambeck)."""

from functools import reduce
from operator import xor


def strategy(start, lost, options):
    """Raise an error unless each move from a lost position has an answer that is lost again."""
    lost = {*map(tuple, lost)}
    asked = {option for position in lost for option in options(position)}
    assert all(map(options, lost))  # without a move, the player to move has won
    for position in asked | {start} - lost:
        assert lost & options(position) or not options(position)


def grundy(values, after, start):
    """Return True if the sum `start` is lost. Raise an error unless the values are Grundy values.
    `after` are the lists of values that a move in each part can leave."""
    for part, left in after.items():
        reached = {reduce(xor, some, 0) for some in left}
        assert values[part] not in reached and {*range(values[part])} <= reached
    return reduce(xor, start, 0) == 0


def quotient(table, lost, values, after, start):
    """Return True if the sum `start` is lost. Raise an error unless each sum of parts is lost if
    and only if its state is. To add a part to a sum, look up the state of the sum in the row of
    the part's value."""
    lost, every, kinds = {*lost}, {*range(len(table[0]))}, set()

    def added(state, some):
        return reduce(lambda state, value: table[value][state], some, state)

    assert {q for row in table for q in row} <= every
    assert all(a[b[q]] == b[a[q]] for a in table for b in table for q in every)  # in any order
    assert 0 not in lost  # without a part, the player to move has won
    for part in after:
        value = values[part]
        wins = {q for q in every if any(added(q, left) in lost for left in after[part])}
        assert not lost & {table[value][q] for q in wins}
        assert after[part] or all(table[value][q] == q for q in every)
        kinds |= {(value, q) for q in every - wins if after[part]}
    for state in every - lost:  # some part of each sum of this state must win
        stuck = {(value, q) for value, q in kinds if table[value][q] == state}
        while stuck:
            sums = {0}
            for _ in every:
                sums |= {table[value][q] for q in sums for value, _ in stuck}
            fewer = {(value, q) for value, q in stuck if q in sums}
            assert fewer != stuck
            stuck = fewer
    return added(0, start) in lost
