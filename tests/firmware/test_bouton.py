"""Bouton's theory, compared with a search that knows no theory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimatron import bouton, protocol
from nimatron.games import find

heaps = st.lists(st.integers(0, 10**12), min_size=1, max_size=12)


@given(heaps, st.booleans())
def test_any_heaps_are_lost_or_have_a_move_that_loses_for_the_other(rows, misere):
    moves = bouton.winning_moves(rows, misere)
    if any(rows):
        assert bouton.is_p(rows, misere) == (not moves)
    for heap, take in moves:
        assert 1 <= take <= rows[heap]
        after = [*rows[:heap], rows[heap] - take, *rows[heap + 1 :]]
        assert bouton.is_p(after, misere)


@given(heaps, st.data(), st.booleans())
def test_no_move_leads_from_one_lost_position_to_another(rows, data, misere):
    heap = data.draw(st.sampled_from(range(len(rows))))
    if bouton.is_p(rows, misere) and rows[heap]:
        left = data.draw(st.integers(0, rows[heap] - 1))
        assert not bouton.is_p([*rows[:heap], left, *rows[heap + 1 :]], misere)


def test_unless_told_otherwise_the_last_lamp_loses():
    assert bouton.is_p([1]) and not bouton.is_p([1, 1])
    assert bouton.winning_moves([1, 1]) == [(0, 1), (1, 1)]


@pytest.mark.parametrize(
    ("values", "least"), [((), 0), ((1, 2), 0), ((0, 2), 1), ((1, 0, 3), 2), ((2, 1, 0, 4), 3)]
)
def test_the_least_number_that_is_missing(values, least):
    assert bouton.mex(set(values)) == least


# ---------------------------------------------------------------------- the game, on the board


def test_nim_may_have_28_heaps():
    assert find("nim").parse(["7"]) == (7,)
    assert find("nim").parse(["1"] * 28) == (1,) * 28
    with pytest.raises(ValueError, match="rows given: 29. The board has 28"):
        find("nim").parse(["1"] * 29)


def test_nim_shows_its_working_in_binary():
    game = find("nim")
    assert game.grundy((3, 4, 5, 0)) == 2
    assert game.padded((3, 4)) == (3, 4, 0, 0)
    working = protocol.format(*game.working((3, 4, 5, 0), True))
    assert working == "binary=011,100,101,000 nim_sum=010 outcome=N"
    working = protocol.format(*game.working((9, 28), True))
    assert working == "binary=1001,11100 nim_sum=10101 outcome=N"
    steps = game.steps((3, 4, 5, 0), True)
    assert [(masks, protocol.format(*facts)) for masks, facts in steps] == [
        ((0b1100000, 0b0010000, 0b1010000, 0), "binary=011,100,101,000"),
        ((0, 0b0010000, 0b0010000, 0), "column=4 ones=2"),
        ((0b0100000, 0, 0, 0), "column=2 ones=1"),
        ((0b1000000, 0, 0b1000000, 0), "column=1 ones=2"),
    ]


@pytest.mark.parametrize("rows", [(1, 1, 1, 0), (1, 4, 1, 0)])
def test_where_the_nim_sum_does_not_decide_its_working_says_what_does(rows):
    game = find("nim")
    said = ("misere", "leave an odd number of single lamps")
    for misere in (True, False):
        _, first = next(game.steps(rows, misere))
        assert (said in first) == (said in game.working(rows, misere)) == misere
    assert said not in game.working((1, 2, 2, 0), True)
