"""The judges of prose on samples, on every text of the repository, and on commit subjects."""

import json
import re
from functools import lru_cache

import pytest
from long_run import LONG

from judges import prose, subjects

PLAIN = """Press a row's button once for each lamp you want to put out. Then press GO. If you take
the last lamp, you lose. The machine answers after two seconds. You can change this time with the
setting `think_ms`. To start a new match, press NEW. To see all games, run `nimatron games`."""

CROOKED = """Whoever has lost a seat gets none for a while; what waits for the broker is in the
folder beside it, and stands there for ever. A page is told what it says by itself, too."""

RULES = ["MassNouns", "QuantifierNumeralConflict"]  # the third useful one is LONG in prose.py
COUNTABLE = (
    r"opening|crossing|chromium|prehistory|switching|storage"  # rightly so, in this project
)


@lru_cache
def found():
    return prose.verdicts()


def test_plain_sample_has_no_finding():
    assert prose.judge([PLAIN]).counts == (0, 0, 0)


def test_each_crooked_construction_is_found():
    verdict = prose.judge([CROOKED])
    assert verdict.counts == (10, 1, 0), verdict.findings


def test_short_file_may_have_no_finding_and_longer_one_the_budget():
    assert prose.judge([PLAIN]).allowed == (0, 0, 0)
    assert prose.judge([PLAIN] * 40).allowed == (3, 11, 12)


def test_markdown_code_and_links_are_not_prose():
    text = "See [this](whoever.html).\n\n    nobody; no\n\n`whoever`\n\n```\nnobody;\n```\n"
    assert prose.judge(prose.markdown(text)).counts == (0, 0, 0)
    assert prose.judge(prose.markdown("| a cell | nobody |\n- somebody")).counts == (2, 0, 0)


def test_python_docstrings_comments_and_sentences_are_prose():
    text = '"""Whoever."""\nname = "nobody"' + "  " + "# somebody\n\n"
    text += 'def f():\n    """Meanwhile."""\n'
    text += '    raise UserError(f"there is nobody at {name}")\n'
    assert prose.judge(prose.python(text)).counts[0] == 4
    assert prose.judge(prose.python(text, strings=False)).counts[0] == 3


def test_ratchet_lets_files_move_and_improve_but_not_get_worse():
    crooked, plain = prose.judge([CROOKED]), prose.judge([PLAIN])
    ratchet = {"old.md": crooked.counts}
    assert list(prose.complaints({"old.md": crooked}, ratchet)) == []
    assert "no exception" in next(prose.complaints({"old.md": plain}, ratchet))
    assert "at most" in next(prose.complaints({"new.md": crooked}, {}))
    assert prose.tightened({"new.md": crooked}, ratchet) == {"new.md": crooked.counts}
    with pytest.raises(ValueError, match="banned would rise from 10 to 20"):
        prose.tightened({"old.md": crooked, "new.md": crooked}, ratchet)


def test_no_file_is_worse_than_the_ratchet_allows():
    complaints = list(prose.complaints(found(), prose.read_ratchet()))
    assert not complaints, "\n".join(complaints)


def test_harper_finds_nothing_in_files_within_the_budget():
    harper = pytest.importorskip("harper", reason="harper-py has no wheel for this platform")
    linter = harper.Linter()
    linter.set_lint_config({rule: rule in RULES for rule in linter.get_lint_config()})
    findings = []
    names = found().keys() - prose.read_ratchet().keys()
    if not LONG:
        names = {name for name in names if name.endswith(".md")}
    for name in names:
        text = "\n\n".join(prose.blocks(name))
        for lint in linter.lint(text):
            around = text[max(0, lint.span.start - 30) : lint.span.end + 30]
            if not re.search(COUNTABLE, lint.message):
                findings.append(f"{name}: {lint.message} …{' '.join(around.split())}…")
    assert not findings, "\n".join(findings)


@pytest.mark.parametrize(
    "subject",
    [
        "kiosk: Keep the winner's message when the next match starts.",
        "tests/host: Bring the fixture next to its tests",
        'Revert "kiosk: A seat"',
    ],
)
def test_good_subject_has_no_fault(subject):
    assert subjects.faults(subject) == []


@pytest.mark.parametrize(
    ("subject", "fault"),
    [
        ("Keep the message", "area: Imperative"),
        ("kiosk: Fixing the seat", "no imperative"),
        ("kiosk: Keep the seat; free the line", "“;”"),
        ("kiosk: Keep " + "the seat " * 9, "93 characters"),
    ],
)
def test_bad_subject_has_its_fault(subject, fault):
    assert fault in " ".join(subjects.faults(subject))


def test_subjects_since_the_last_release():
    refused = [each for each in subjects.since_the_last_release() if subjects.faults(each[1])]
    assert not refused, "to list them: python tests/judges/subjects.py"


def test_every_language_has_few_semicolons():
    for table in prose.ROOT.glob("sim/**/words/*.json"):
        texts = list(json.loads(table.read_text(encoding="utf-8")).values())
        words = sum(len(text.split()) for text in texts)
        assert sum(text.count(";") for text in texts) <= words * prose.BUDGETS[1], table.name
