"""The documentation site builds without a warning, and has the generated texts."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import matrix
from nimatron_host import cli
from nimatron_play import words
from nimatron_sim import script

ROOT = Path(__file__).parent.parent
NEEDED = ("sphinx", "myst_parser", "furo")

READERS = [
    page
    for folder in ("how-to/museum", "how-to/teacher", "tutorials")
    for page in (ROOT / "docs" / folder).glob("*.md")
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return the folder of the site, with the pages in docs."""
    if any(importlib.util.find_spec(name) is None for name in NEEDED):
        pytest.skip("Sphinx is missing; run: pip install -e '.[docs]'")
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
    assert (site / "docs/index.html").read_text().count('<div class="door ') == 5


@pytest.mark.parametrize(
    ("page", "phrase"),
    [
        ("cli", "nimatron fleet"),
        ("console", "ok rows=3,4,5,0 binary=011,100,101,000"),
        ("games", "circular-18"),
        ("http", "/operator/matches.csv"),
        ("mqtt", "exhibit/ID/want/KEY"),
        ("settings", "0 to 10000 ms"),
        ("testbench", "class pico_testbench.parts.LED"),
    ],
)
def test_the_reference_is_generated(site, page, phrase):
    text = text_of(site / f"docs/reference/{page}.html")
    assert phrase in text and "generated:" not in text


def test_the_dashes_of_an_option_are_as_you_type_them(site):
    text = text_of(site / "docs/reference/cli.html")
    assert "--image decides" in text and not re.search("\N{EN DASH}\\w", text)


def test_the_pages_load_nothing_from_other_sites(site):
    loads = re.compile(r'(?:src|rel="stylesheet"[^>]*href)="(https?:[^"]+)"')
    for page in site.rglob("*.html"):
        assert loads.findall(page.read_text(encoding="utf-8")) == [], page


def test_a_curator_meets_no_detail_of_a_maker():
    for page in (ROOT / "docs/how-to/museum").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"\b(solder|GPIO|GP\d|PIO|resistor|make test)\b", text), page


@pytest.mark.parametrize("page", READERS, ids=lambda page: page.stem)
def test_a_quoted_label_is_on_the_page_of_the_machine(page):
    labels = set(words.table("en").values())
    for quoted in re.findall("“([^”]+)”", page.read_text(encoding="utf-8")):
        assert quoted in labels, quoted


def test_the_page_of_traces_has_every_field_and_every_verb(capsys):
    page = (ROOT / "docs/reference/trace.md").read_text(encoding="utf-8")
    assert cli.main(["trace", str(ROOT / "tests/firmware/visit.txt")]) == 0
    records = map(json.loads, capsys.readouterr().out.splitlines())
    fields = {name for record in records for name in record}
    table = page.partition("## Scripts")[0]
    assert fields | {"coin"} == set(re.findall(r"^\| `(\w+)` \|", table, re.M))
    for usage in script.USAGE.values():
        assert "`{}`".format(usage.replace("|", "\\|")) in page, usage


def test_the_diagrams_are_current(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    diagrams = importlib.import_module("diagrams")
    for draw in diagrams.ALL:
        picture = ROOT / "docs/pictures" / f"{draw.__name__}.svg"
        assert picture.read_text(encoding="utf-8") == draw(), "run docs/take_pictures.py"


def test_everything_that_takes_the_pictures_is_there(monkeypatch):
    pytest.importorskip("playwright", reason="playwright is missing")
    for folder in "docs", "tests/host/terminal", "tests/host/kiosk":
        monkeypatch.syspath_prepend(ROOT / folder)
    importlib.import_module("take_pictures")


def test_the_exit_status_is_as_the_page_says(capsys):
    page = (ROOT / "docs/reference/exit-status.md").read_text(encoding="utf-8")
    assert cli.main(["solve", "3", "4", "5"]) == 0
    assert cli.main(["trace", "no-such-file"]) == 1
    assert cli.main(["solve", "--nonsense"]) == 2
    assert re.findall(r"^\| (\d+) \|", page, re.M) == ["0", "1", "2", "130"]
    assert all(line.startswith("nimatron: ") for line in capsys.readouterr().err.splitlines())


def test_evidence_names_exactly_the_images_that_have_tests():
    assert len(matrix.conditions()) > 5
    assert matrix.listed(matrix.PAGE.read_text(encoding="utf-8")) == matrix.conditions()
