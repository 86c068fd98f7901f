"""The pins of the deployable image, in which the real MicroPython runs the firmware."""

import itertools

import pytest

from nimatron.devices.pins import COLUMNS, ROWS

pytestmark = pytest.mark.emulator

LIT = 44 / 50 / 4  # of a frame: a row's turn, without the time to change the row


def frame(pico):
    """Return [(mask of the lamp pins that are high, ms), ...] for one frame."""
    lamp_pins = sum([1 << gpio for gpio in ROWS + COLUMNS])
    return [(levels & lamp_pins, ns / 1e6) for levels, ns in pico.circuit.chip.driven()]


def rows_on(levels):
    return [row for row in ROWS if levels >> row & 1]


def test_an_opening_lights_the_right_pins_for_the_right_time(pico):
    pico.start(3, 4, 5, 1)
    pico.run(20)
    seen = frame(pico)
    length = sum([ms for _, ms in seen])
    for row, lamps in zip(ROWS, (3, 4, 5, 1), strict=True):
        for number, column in enumerate(COLUMNS):
            both = 1 << row | 1 << column
            share = sum([ms for levels, ms in seen if levels & both == both]) / length
            assert share == pytest.approx(LIT if number < lamps else 0, abs=0.002)


def test_no_lamp_glimmers_in_another_rows_turn(pico):
    pico.start(7, 1, 7, 2)
    pico.run(20)
    turns = [(rows_on(levels), levels >> COLUMNS[0]) for levels, _ in frame(pico)]
    assert all([len(rows) <= 1 for rows, _ in turns])
    for (rows, columns), (rows_then, columns_then) in itertools.pairwise(turns + turns[:1]):
        if rows and rows_then:
            raise AssertionError(
                "a row follows another, or changes its columns, with no dark between"
            )
        if rows_then:
            assert columns == columns_then, "the columns move as their row is switched on"


def test_any_value_is_set_in_a_moment(pico):
    begin = pico.ms
    assert pico.ask("set maintenance_ms 3600000") == "ok maintenance_ms=3600000 saved=1"
    assert pico.ms - begin <= 300  # the first command after power-on loads a module
    pico.ask("set maintenance_ms 600000")
