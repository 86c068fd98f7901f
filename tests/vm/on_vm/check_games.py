"""Nim as a rule set, compared with a search in every position. Runs on MicroPython."""

from search import POSITIONS, RULES, mover_wins, options, winning_options

from nimatron.games import find

_NIM = find("nim")


def check_options():
    for rows in POSITIONS:
        assert sorted(_NIM.options(rows)) == sorted(options(rows)), rows


def check_outcomes_and_winning_options():
    for misere in RULES:
        for rows in POSITIONS:
            assert _NIM.is_p(rows, misere) != mover_wins(rows, misere), (rows, misere)
            found = _NIM.winning_options(rows, misere)
            assert sorted(found) == sorted(winning_options(rows, misere)), (rows, misere)


def check_the_first_player_can_win_every_opening():
    assert len(set(_NIM.openings)) == 9
    for misere in RULES:
        for rows in _NIM.openings:
            assert mover_wins(rows, misere), (rows, misere)


def check_working():
    said = dict(_NIM.working((3, 4, 5, 0), True))
    assert said == {"binary": ["011", "100", "101", "000"], "nim_sum": "010", "outcome": "N"}, said
