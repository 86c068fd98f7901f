"""The pages show the output of their commands."""

from pathlib import Path

import pytest

import examples

ROOT = Path(__file__).parent.parent.parent
PAGES = {
    str(page.relative_to(ROOT)): examples.count(page.read_text(encoding="utf-8"))
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("wiring/*.md"))
}


@pytest.mark.parametrize("page", [page for page, count in PAGES.items() if count])
def test_the_examples_print_what_the_page_shows(page, capsys):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert examples.refreshed(text) == text, f"run: python tests/examples.py {page}"
    assert capsys.readouterr().err == ""


def test_the_pages_have_examples():
    assert PAGES["docs/explanation/theory.md"] >= 6
    assert all(PAGES[page] for page in ("README.md", "docs/tutorials/first-match.md"))
