"""The theory of Nim. For all positions, see check_games.py. Runs on MicroPython."""

from search import POSITIONS, refused

from nimatron import bouton


def check_number_of_positions_the_mover_loses():
    for misere, expected in ((True, 512), (False, 511)):
        lost = [rows for rows in POSITIONS if any(rows) and bouton.is_p(rows, misere)]
        assert len(lost) == expected, (misere, len(lost))


def check_many_and_huge_heaps():
    assert bouton.nim_sum([1 << 200, 5, 1 << 200]) == 5
    assert bouton.winning_moves([1 << 200, 5, 1 << 200]) == [(1, 5)]
    assert bouton.is_p([1] * 101) and not bouton.is_p([1] * 100)
    assert not bouton.is_p([]) and bouton.is_p([], False)


def check_negative_heap_is_refused():
    for function in (bouton.nim_sum, bouton.is_p):
        assert "a heap of -1" in refused(ValueError, function, [3, -1])
