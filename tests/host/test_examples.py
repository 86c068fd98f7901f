"""The pages of theory and history show the output of their commands."""

import re
from pathlib import Path

import pytest

import examples
from nimatron import games
from nimatron_host.theory import rules

ROOT = Path(__file__).parent.parent.parent
THEORY = ROOT / "docs/explanation/theory.md"


@pytest.mark.parametrize(("page", "least"), [("theory.md", 36), ("history.md", 2)])
def test_the_examples_print_what_the_page_shows(page, least):
    text = (ROOT / "docs" / "explanation" / page).read_text()
    assert examples.count(text) >= least
    again = f"run: python tests/examples.py docs/explanation/{page}"
    assert examples.refreshed(text) == text, again


def test_an_example_that_prints_something_else_is_noticed():
    command = "    $ nimatron solve 1 | head -2\n"
    right = "      row 1  1  001\n      nim-sum  001\n"
    assert examples.refreshed(f"{command}    row 1\n\nMore.\n") == f"{command}{right}\nMore.\n"
    table = "    $ nimatron table say-21 --max 1\n"
    shown = examples.refreshed(f"{table}    x\n\n    y\n\nMore.\n")
    assert shown.count("\n\n    ") == 2 and shown.endswith("    0\n\nMore.\n")
    assert examples.refreshed(shown) == shown
    with pytest.raises(ValueError, match="exit status 2"):
        examples.refreshed("    $ nimatron solve 0\n    x\n")


def sections():
    """The sections of the games, by the names in them."""
    text = THEORY.read_text().split("\n## Each game\n")[1].split("\n## Exercises\n")[0]
    return text.split("\n### ")[1:]


@pytest.mark.parametrize("name", games.names())
def test_each_game_has_an_example_a_solver_and_a_source(name):
    (section,) = [text for text in sections() if re.search(rf"`{name}`", text)]
    assert examples.count(section) >= 1
    assert re.search(r"[Ss]olver: `firmware/nimatron/.+\.py`", " ".join(section.split()))
    assert "ource" in section or "Gurvich" in section


@pytest.mark.parametrize("name", [*rules.LARGER, "cram-3x4", "index-K-R"])
def test_each_game_of_a_pc_has_an_example_a_solver_and_a_source(name):
    (section,) = [text for text in sections() if re.search(rf"`{name}`", text)]
    assert examples.count(section) >= 1
    assert re.search(r"`host/nimatron_host/theory/.+\.py`", " ".join(section.split()))
    assert "ource" in section or "Gurvich" in section


def test_no_example_shows_less_than_the_verdict():
    for section in sections():
        assert re.search(r"^    [PN]: the ", section, re.M), section.partition("\n")[0]
