"""The documentation site is built without a warning, and the search finds what is generated."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NEEDED = ("sphinx", "myst_parser", "furo")

if any(importlib.util.find_spec(name) is None for name in NEEDED):
    pytest.skip("Sphinx is missing: pip install -e '.[docs]'", allow_module_level=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site, with the pages in docs."""
    folder = tmp_path_factory.mktemp("site")
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    places = ["-c", "docs", "-d", str(folder / "trees"), ".", str(folder / "html")]
    done = subprocess.run([*sphinx, *places], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return folder / "html"


def text_of(page):
    return re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8"))


def test_the_address_without_a_page_leads_to_the_landing_page(site):
    assert "url=docs/index.html" in (site / "index.html").read_text()
    assert "Can you beat the machine?" in text_of(site / "docs/index.html")


@pytest.mark.parametrize(
    ("page", "phrase"),
    [
        ("cli", "nimatron fleet status"),
        ("console", "ok rows=3,4,5,0 binary=011,100,101,000"),
        ("games", "circular-12"),
        ("http", "/operator/matches.csv"),
        ("mqtt", "exhibit/{id}/want/{key}"),
        ("settings", "0 to 10000 ms"),
        ("simulated", "PWM"),
        ("testbench", "class pico_testbench.parts.LED"),
    ],
)
def test_the_reference_is_generated(site, page, phrase):
    text = text_of(site / f"docs/reference/{page}.html")
    assert phrase in text and "generated:" not in text


def test_the_pages_load_nothing_from_other_sites(site):
    loads = re.compile(r'(?:src|rel="stylesheet"[^>]*href)="(https?:[^"]+)"')
    for page in site.rglob("*.html"):
        assert loads.findall(page.read_text(encoding="utf-8")) == [], page


def test_the_search_knows_the_pages(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert "docs/how-to/museum/phones" in index and "wiring/breadboard" in index


def test_a_curator_meets_no_detail_of_a_maker():
    for page in (ROOT / "docs/how-to/museum").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"\b(solder|GPIO|GP\d|PIO|resistor|make test)\b", text), page
