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
