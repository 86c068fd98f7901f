"""The pages of theory and history show the output of their commands."""

from pathlib import Path

import pytest

import examples

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(("page", "least"), [("theory.md", 6), ("history.md", 1)])
def test_the_examples_print_what_the_page_shows(page, least):
    text = (ROOT / "docs" / "explanation" / page).read_text()
    assert examples.count(text) >= least
    again = f"run: python tests/examples.py docs/explanation/{page}"
    assert examples.refreshed(text) == text, again


def test_an_example_that_prints_something_else_is_noticed():
    command = "    $ nimatron solve 1 | head -2\n"
    right = "      row 1  1  001\n      nim-sum  001\n"
    assert examples.refreshed(f"{command}    row 1\n\nMore.\n") == f"{command}{right}\nMore.\n"
    table = "    $ nimatron table say-21 --max 1 --rule normal\n"
    shown = examples.refreshed(f"{table}    x\n\n    y\n\nMore.\n")
    assert shown.count("\n\n    ") == 2 and shown.endswith("    0\n\nMore.\n")
    assert examples.refreshed(shown) == shown
    with pytest.raises(ValueError, match="exit status 2"):
        examples.refreshed("    $ nimatron solve 0\n    x\n")
