"""One match: legality, picking, the result."""

import pytest

from nimatron.games import find
from nimatron.match import Match
from nimatron.protocol import IllegalMove
from nimatron.states import PLAYER


def match(*rows, misere=True):
    return Match(find("nim"), rows, misere)


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


def test_a_position_that_no_move_leaves_cannot_be_played():
    m = match(3, 4, 5)
    m.press(1)
    with pytest.raises(IllegalMove, match="no move leaves 2,3,5,0"):
        m.play((2, 3, 5, 0))
    with pytest.raises(IllegalMove, match="row 4 is dark"):
        m.press(3)
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
