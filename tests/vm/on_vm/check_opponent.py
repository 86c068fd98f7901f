"""The machine's move in every position. Runs on MicroPython."""

from search import POSITIONS, RULES, mover_wins, options, refused

from nimatron.dice import Dice
from nimatron.games import find
from nimatron.opponent import LEVELS, choose

_NIM = find("nim")


def check_perfect_wins_what_can_be_won():
    dice = Dice(1)
    for misere in RULES:
        for rows in POSITIONS[1:]:
            after = choose(_NIM, rows, misere, LEVELS["perfect"], dice)
            assert after in options(rows), (rows, after)
            if mover_wins(rows, misere):
                assert not mover_wins(after, misere), (rows, misere, after)


def check_slips_are_legal():
    dice = Dice(2)
    for rows in POSITIONS[1:]:
        after = choose(_NIM, rows, True, 100, dice)
        assert after in options(rows), (rows, after)


def check_finished_board_is_refused():
    assert "finished" in refused(ValueError, choose, _NIM, (0, 0, 0, 0), True, 0, Dice(3))


def check_dice_roll_the_same_everywhere():
    dice = Dice(1940)
    rolls = [dice.roll(100) for _ in range(8)]
    assert rolls == [17, 50, 71, 10, 75, 56, 77, 56], rolls
    for seed in (-1, 0, 0x7FFFFFFE, 1 << 40):
        assert Dice(seed).roll(6) in range(6), seed
