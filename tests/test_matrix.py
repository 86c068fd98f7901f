"""The table of MicroPython images in docs/contributing/evidence.md."""

from types import SimpleNamespace

import matrix

OLD = "| MicroPython | 1.22.1 |\n| --- | --- |\n| boot | 570 |\n"
PAGE = f"before\n<!-- made by make test-long -->\n{OLD}<!-- end -->\nafter\n"


def report(image, name, outcome="passed", figure=None):
    properties = [(matrix.CONDITION, (image, name))]
    return SimpleNamespace(
        user_properties=[*properties, *([(name, figure)] if figure else [])],
        passed=outcome == "passed",
        failed=outcome == "failed",
    )


def table(reports, monkeypatch, *names):
    """The rows of the table that these reports make."""
    monkeypatch.setattr(matrix, "conditions", lambda: list(names))
    page = matrix.filled(PAGE, reports)
    assert page.startswith("before\n") and page.endswith("-->\nafter\n")
    assert page == matrix.filled(page, reports)
    return page.splitlines()[2:-2]


def test_table_names_exactly_the_conditions_that_have_tests():
    page = matrix.PAGE.read_text(encoding="utf-8")
    assert len(matrix.conditions()) > 5
    assert matrix.listed(page) == matrix.conditions()


def test_table_has_a_row_for_each_condition_and_a_column_for_each_image(monkeypatch):
    reports = [
        report("1.28.0", "boot, ms", figure=401),
        report("1.22.1", "boot, ms", figure=570),
        report("1.22.1", "cable"),
    ]
    assert table(reports, monkeypatch, "boot, ms", "cable") == [
        "| MicroPython | 1.22.1 | 1.28.0 |",
        "| --- | --- | --- |",
        "| boot, ms | 570 | 401 |",
        "| cable | passed | not tried |",
    ]


def test_table_hides_no_failure_and_claims_nothing_that_was_skipped(monkeypatch):
    reports = [
        report("1.22.1", "cable"),
        report("1.22.1", "cable", "failed", figure=3),
        report("1.28.0", "cable", "skipped"),
    ]
    assert table(reports, monkeypatch, "cable")[2:] == ["| cable | **failed** | not tried |"]


def test_table_stays_after_a_run_of_one_image_or_of_some_conditions(monkeypatch):
    one = [report("1.22.1", "boot, ms"), report("1.22.1", "cable")]
    some = [report("1.22.1", "cable"), report("1.28.0", "cable")]
    for reports in one, some, []:
        assert table(reports, monkeypatch, "boot, ms", "cable") == OLD.splitlines()
