"""The table of MicroPython images in docs/contributing/evidence.md."""

import matrix


def test_table_names_exactly_the_conditions_that_have_tests():
    page = matrix.PAGE.read_text(encoding="utf-8")
    assert len(matrix.conditions()) > 5
    assert matrix.listed(page) == matrix.conditions()
