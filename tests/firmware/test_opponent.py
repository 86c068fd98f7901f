"""The machine's moves, compared with a search that knows no theory."""

import pytest

import oracle
from nimatron import opponent
from nimatron.dice import Dice
from nimatron.games import find

NIM = find("nim")
BOARDS = [rows for rows in oracle.POSITIONS if any(rows)]


def choices(rows, misere, slip=0, rolls=40):
    dice = Dice(1)
    return {opponent.choose(NIM, rows, misere, slip, dice) for _ in range(rolls)}


@pytest.mark.parametrize("misere", [True, False])
def test_losing_machine_resists_as_long_as_possible(misere):
    for rows in BOARDS:
        if not oracle.mover_wins(rows, misere):
            longest = max(oracle.length(left, misere) for _, left in oracle.moves(rows))
            for after in NIM.resisting_options(rows):
                assert oracle.length(after, misere) == longest, (rows, after)


def test_it_does_not_always_play_the_same_move():
    assert len(choices((7, 7, 7, 7), misere=True)) == 4
    assert len(choices((1, 3, 5, 6), misere=True)) == len(oracle.winning_moves((1, 3, 5, 6), True))


def test_a_slip_is_any_legal_move():
    assert choices((2, 1, 0, 0), True, slip=100) == {
        left for _, left in oracle.moves((2, 1, 0, 0))
    }


def test_the_levels_and_the_slips_of_each_in_a_hundred_moves():
    slips = {"perfect": 0, "strong": 10, "fair": 25, "easy": 50, "child": 80, "equalizer": 0}
    assert slips == opponent.LEVELS
    assert tuple(slips) == opponent.NAMES


@pytest.mark.parametrize(("face", "slips"), [(24, True), (25, False)])
def test_as_many_of_a_hundred_faces_are_slips_as_the_level_says(face, slips):
    class Loaded(Dice):
        def roll(self, sides):
            return face if sides == 100 else super().roll(sides)

    left = {opponent.choose(NIM, (1, 0, 0, 3), True, 25, dice) for dice in [Loaded()] * 50}
    assert (len(left) > 1) == slips


@pytest.mark.parametrize("misere", [True, False])
def test_a_gift_leaves_the_most_that_the_other_can_win(misere):
    dice = Dice(1)
    for rows in BOARDS[::29] + BOARDS[:16]:
        gifts = {left for _, left in oracle.moves(rows) if oracle.mover_wins(left, misere)}
        best = {left for left in gifts if sum(left) == max(map(sum, gifts))}
        assert {opponent.equalize(NIM, rows, misere, dice) for _ in range(50)} == (best or {None})


def test_the_same_seed_plays_the_same():
    def moves(seed):
        dice = Dice(seed)
        return [opponent.choose(NIM, rows, True, 25, dice) for rows in BOARDS[::17]]

    assert moves(5) == moves(5)
    assert moves(5) != moves(6)


@pytest.mark.parametrize("seed", [0, -1, 2**31 - 2, 2**31 - 1, 10**20])
def test_any_integer_seeds_the_dice(seed):
    assert len({Dice(seed).roll(10**6), Dice(seed + 1).roll(10**6)}) == 2


def test_the_dice_are_the_minimal_standard_whose_ten_thousandth_state_is_known():
    dice = Dice(0)  # the standard's seed of 1, and one roll
    for _ in range(9999):
        dice.roll(6)
    assert dice.state == 399268537
    assert dice.roll(2**31) == (399268537 * 48271 % (2**31 - 1)) >> 8
    assert Dice(2**31 - 3).state != Dice(0).state == Dice(2**31 - 2).state
    assert Dice().state == Dice(1).state != Dice(0).state
