"""The decisions, timed on MicroPython: the same text on the VM and on the RP2040.

Both print a line for each contestant: its name, how many decisions, the microseconds that all of
them took; `one_by_one` also the longest, and how many were shorter than ours of the same position.
"""

import gc

import textbook

from nimatron import bouton, games, opponent
from nimatron.dice import Dice

_AT_ONCE = 32  # decisions between two collections of garbage

game, dice = games.find("nim"), Dice(1)


def nothing(heaps, misere):
    """What it costs to ask."""


def ours_turn(heaps, misere):
    return opponent.choose(game, heaps, misere, 0, dice)


def same_dice_turn(heaps, misere):
    return textbook.tutorial_at_our_job(heaps, misere, dice.pick)


# Ours takes tuples, the textbook lists; whoever is compared with others comes first.
RULES = (
    ("nothing", nothing, tuple),
    ("ours", bouton.winning_moves, tuple),
    ("tutorial", textbook.tutorial, list),
    ("loop", textbook.tutorial_with_a_loop, list),
    ("encyclopedia", textbook.encyclopedia, list),
)
TURNS = (
    ("ours-turn", ours_turn, tuple),
    ("tutorial-turn", textbook.tutorial_turn, list),
    ("same-job-turn", textbook.tutorial_at_our_job, list),
    ("same-dice-turn", same_dice_turn, list),
)


def boards(stride):
    """Every board with at least one lamp, or each `stride`th."""
    return range(1, 8**4, stride)


def board(number):
    return (number >> 9, number >> 6 & 7, number >> 3 & 7, number & 7)


def run(clock, stride=1, turns=1, rounds=1):
    """clock() in microseconds; stride of the boards for the rule and for whole turns."""
    for number in range(rounds):
        for name, decide, kind in RULES:
            print("race", name, *_all_at_once(clock, decide, kind, stride))
        for name, decide, kind in TURNS:
            print("race", name, *_all_at_once(clock, decide, kind, turns))


def _all_at_once(clock, decide, kind, stride):
    """(decisions, us) with garbage collected between batches, which is not counted."""
    count = 0
    spent = 0
    for misere in (True, False):
        numbers = boards(stride)
        for start in range(0, len(numbers), _AT_ONCE):
            batch = [kind(board(n)) for n in numbers[start : start + _AT_ONCE]]
            gc.collect()
            begin = clock()
            for heaps in batch:
                decide(heaps, misere)
            spent += clock() - begin
            count += len(batch)
    return count, spent


def one_by_one(clock, stride, turns):
    """For a clock that is exact, position by position."""
    for heat, each in ((RULES, stride), (TURNS, turns)):
        totals, worst, quicker, count = {}, {}, {}, 0
        for misere in (True, False):
            for at, number in enumerate(boards(each)):
                if at % _AT_ONCE == 0:
                    gc.collect()
                heaps = board(number)
                ours = None
                count += 1
                for name, decide, kind in heat:
                    asked = kind(heaps)
                    begin = clock()
                    decide(asked, misere)
                    us = clock() - begin
                    totals[name] = totals.get(name, 0) + us
                    worst[name] = max(worst.get(name, 0), us)
                    if name.startswith("ours"):
                        ours = us
                    elif ours is not None and us < ours:
                        quicker[name] = quicker.get(name, 0) + 1
        for name, _, _ in heat:
            print("race", name, count, totals[name], worst[name], quicker.get(name, 0))
