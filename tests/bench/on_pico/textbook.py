"""Nim as it is taught: the nim-sum by functools.reduce, then a scan of the list.

Each takes a list of heaps and returns (index of the heap, how many to take), or None where it
sees no way to win. What they have in common stands in each, as it is taught: to call it would be
measured too. MicroPython's Python, for the same text runs on all tiers.
"""

import random

try:
    from functools import reduce
except ImportError:  # MicroPython has it in micropython-lib only, and there it is Python too

    def reduce(function, values):
        values = iter(values)
        result = next(values)
        for value in values:
            result = function(result, value)
        return result


def tutorial(heaps, misere):
    """As in most tutorials and answers: misère play is thought of when only ones are left, which
    is a move too late."""
    nim_sum = reduce(lambda a, b: a ^ b, heaps)
    if misere and max(heaps) <= 1:
        nim_sum ^= 1
    if nim_sum == 0:
        return None
    for index, heap in enumerate(heaps):
        target = heap ^ nim_sum
        if target < heap:
            return index, heap - target


def tutorial_with_a_loop(heaps, misere):
    """The same without reduce, as one would tune it."""
    nim_sum = 0
    for heap in heaps:
        nim_sum ^= heap
    if misere and max(heaps) <= 1:
        nim_sum ^= 1
    if nim_sum == 0:
        return None
    for index, heap in enumerate(heaps):
        target = heap ^ nim_sum
        if target < heap:
            return index, heap - target


def encyclopedia(heaps, misere):
    """As in encyclopedias: from the moment only one heap is larger than one, misère play is a
    case of its own."""
    if misere and sum(1 for heap in heaps if heap > 1) <= 1:
        odd = sum(1 for heap in heaps if heap > 0) % 2 == 1
        largest = max(heaps)
        if largest == 1 and odd:
            return None
        return heaps.index(largest), largest - odd
    nim_sum = reduce(lambda a, b: a ^ b, heaps)
    if nim_sum == 0:
        return None
    for index, heap in enumerate(heaps):
        target = heap ^ nim_sum
        if target < heap:
            return index, heap - target


def tutorial_turn(heaps, misere):
    """A whole turn of the tutorial's machine: the move that wins, or any; what it leaves."""
    heaps = list(heaps)
    move = tutorial(heaps, misere)
    if move is None:
        index = random.choice([i for i, heap in enumerate(heaps) if heap])
        move = index, random.randint(1, heaps[index])
    heaps[move[0]] -= move[1]
    return heaps


def tutorial_at_our_job(heaps, misere, pick=random.choice):
    """A whole turn of the tutorial's machine, made to do what ours does: it refuses a finished
    board, thinks of misère play in time, rolls a fair die for one of all winning moves, and when
    it has lost takes one from a heap that ends in the fewest binary zeros, again by the die."""
    if sum(heaps) == 0:
        raise ValueError("no move on a finished board")
    nim_sum = reduce(lambda a, b: a ^ b, heaps)
    if misere and len([heap for heap in heaps if heap > 1]) <= 1:
        nim_sum ^= 1
    moves = []
    for index, heap in enumerate(heaps):
        if heap ^ nim_sum < heap:
            moves.append((index, heap - (heap ^ nim_sum)))
    if not moves:
        lowest = min([heap & -heap for heap in heaps if heap])
        for index, heap in enumerate(heaps):
            if heap and heap & -heap == lowest:
                moves.append((index, 1))
    index, count = pick(moves)
    heaps = list(heaps)
    heaps[index] -= count
    return heaps
