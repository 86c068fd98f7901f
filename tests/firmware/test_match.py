"""One match: legality, picking, the result."""

import pytest

from nimatron.games import find
from nimatron.match import Match
from nimatron.protocol import IllegalMove
from nimatron.states import MACHINE, PLAYER


def match(*rows, misere=True):
    return Match(find("nim"), rows, misere)


def test_a_dark_row_is_refused_and_the_picked_lamps_stay_picked():
    m = match(1, 4)
    m.press(1)
    for row in (2, 3):
        with pytest.raises(IllegalMove, match=f"row {row + 1} is dark"):
            m.press(row)
    assert m.draft == (0, 1, 0, 0)
    m.press(0)
    with pytest.raises(IllegalMove):
        m.press(0)
    assert m.remaining == (0, 4, 0, 0)


def test_picking_in_one_step_is_as_good_as_the_presses():
    m = match(3, 4, 5)
    m.press(0)
    m.pick((3, 1, 5, 0))
    assert (m.remaining, m.draft) == ((3, 1, 5, 0), (0, 3, 0, 0))
    m.press(1)
    assert m.remaining == (3, 0, 5, 0)
    m.pick(m.position)
    assert (m.remaining, m.draft) == ((3, 4, 5, 0), (0,) * 4)


@pytest.mark.parametrize("left", [(2, 3, 5, 0), (3, 4, 6, 0), (3, 4, 5), (3, 3, 5, 1)])
def test_pick_refuses_lamps_that_no_move_takes(left):
    m = match(3, 4, 5)
    m.press(0)
    with pytest.raises(IllegalMove, match="no move takes these lamps"):
        m.pick(left)
    assert m.draft == (1, 0, 0, 0)


def test_nothing_is_picked_after_the_end():
    m = match(1)
    m.play((0, 0, 0, 0))
    with pytest.raises(IllegalMove, match="over"):
        m.pick((0, 0, 0, 0))


def test_handing_over_with_nothing_picked_is_refused():
    m = match(3, 4, 5)
    with pytest.raises(IllegalMove, match="nothing is picked"):
        m.hand_over()
    assert (m.position, m.turn) == ((3, 4, 5, 0), PLAYER)


def test_handing_over_makes_the_move():
    m = match(3, 4, 5)
    m.press(0)
    m.press(0)
    assert m.hand_over() == (3, 4, 5, 0)
    assert (m.position, m.remaining) == ((1, 4, 5, 0), (1, 4, 5, 0))
    assert (m.draft, m.turn) == ((0,) * 4, MACHINE)


def test_a_position_that_no_move_leaves_cannot_be_played():
    m = match(3, 4, 5)
    m.press(1)
    with pytest.raises(IllegalMove, match="no move leaves 2,3,5,0"):
        m.play((2, 3, 5, 0))
    assert (m.position, m.draft, m.turn) == ((3, 4, 5, 0), (0, 1, 0, 0), PLAYER)


def test_incomplete_pick_stays_after_go():
    m = Match(find("square"), (5,))
    m.press(0)
    m.press(0)
    with pytest.raises(IllegalMove, match="that is no move"):
        m.hand_over()
    assert (m.position, m.draft, m.turn) == ((5,), (2,), PLAYER)


def test_a_button_held_down_is_the_games_to_understand():
    m = Match(find("grundy"), (5,))
    m.press(0)
    m.long_press(0)
    assert m.remaining != m.position
    for hold in range(4):
        with pytest.raises(IllegalMove):
            m.long_press(hold)


def test_three_take_turns_and_who_lost_sits_out():
    m = Match(find("nim"), (1, 1, 1, 1), seats=("a", "b", "c"), turn="b")
    for turn, last in ("ba", "cb", "ac", "ba"):
        assert (m.turn, m.last) == (turn, last)
        m.take("bca".index(turn) if m.position[3] and any(m.position[:3]) else 3, 1)
    assert m.over and m.last == "b"
    rest = m.without_last()
    assert (rest.seats, rest.turn) == (("a", "c"), "c")
    assert (rest.position, rest.misere, rest.game) == ((1, 1, 1, 1), True, m.game)
