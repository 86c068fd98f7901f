"""A match: its refusals, its state, its winner. Runs on MicroPython."""

from search import POSITIONS, RULES, options, refused

from nimatron.games import find
from nimatron.match import Match
from nimatron.protocol import IllegalMove
from nimatron.states import MACHINE, PLAYER

_NIM = find("nim")


def check_every_move_from_every_position():
    for rows in POSITIONS:
        if list(rows) != sorted(rows):
            continue  # the same rows in another order
        for after in options(rows):
            match = Match(_NIM, rows)
            row = [r for r in range(4) if rows[r] != after[r]][0]
            assert match.take(row, rows[row] - after[row]) == rows
            assert match.position == match.remaining == after, (rows, after, match.position)
            assert match.turn == MACHINE


def check_presses_put_out_one_lamp_each_until_the_hand_over():
    match = Match(_NIM, (3, 4, 5))
    match.press(2)
    match.press(2)
    assert match.remaining == (3, 4, 3, 0) and match.draft == (0, 0, 2, 0)
    match.press(0)
    assert match.remaining == (2, 4, 5, 0) and match.draft == (1, 0, 0, 0)
    assert match.position == (3, 4, 5, 0)
    assert match.hand_over() == (3, 4, 5, 0) and match.turn == MACHINE
    assert match.position == match.remaining == (2, 4, 5, 0)


def check_illegal_moves_change_nothing():
    match = Match(_NIM, (1, 2))
    match.press(0)
    for call in (
        (match.press, 0),
        (match.press, 3),
        (match.take, 0, 2),
        (match.take, 0, 0),
        (match.take, 0, -1),
        (match.take, 4, 1),
        (match.take, -1, 1),
    ):
        refused(IllegalMove, *call)
        assert match.remaining == (0, 2, 0, 0) and match.turn == PLAYER, call
        assert match.position == (1, 2, 0, 0) and match.draft == (1, 0, 0, 0), call
    assert "nothing" in refused(IllegalMove, Match(_NIM, (1, 2)).hand_over)


def check_winner():
    assert Match(_NIM, (1,)).misere
    for misere in RULES:
        for turn, other in ((PLAYER, MACHINE), (MACHINE, PLAYER)):
            match = Match(_NIM, (1,), misere, turn)
            assert match.winner is None and not match.over
            match.take(0, 1)
            assert match.over and match.winner == (other if misere else turn)
            for act, *what in (
                (match.press, 0),
                (match.take, 0, 1),
                (match.pick, (0, 0, 0, 0)),
                (match.hand_over,),
                (match.play, (0, 0, 0, 0)),
            ):
                assert "over" in refused(IllegalMove, act, *what)
