"""Positions and pictures. Runs on MicroPython."""

from search import POSITIONS, refused

from nimatron import board


def check_positions():
    for rows in POSITIONS[1:]:
        assert board.position(rows) == rows
    assert board.position([3]) == (3, 0, 0, 0)


def check_what_is_no_position():
    for counts in ((), (0,), (0, 0, 0, 0), (8,), (-1, 1), (1, 1, 1, 1, 1)):
        assert refused(ValueError, board.position, counts), counts


def check_pictures():
    for rows in POSITIONS:
        assert [bin(mask).count("1") for mask in board.picture(rows)] == list(rows)
    assert board.picture((0, 1, 3, 7)) == (0, 0b1, 0b111, 0b1111111)


def check_leave():
    assert board.leave((1, 2, 3, 4), 2, 3) == (1, 2, 0, 4)
