"""The kit, read back by programs that did not write it: pypdf, and a reader of DXF groups."""

import itertools
import json
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

import pypdf
import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageStat

from nimatron_play import words
from nimatron_sim.errors import TierUnavailable
from nimatron_wiring import kicad, steps
from nimatron_wiring.circuits import builds, exhibit
from nimatron_wiring.front_panel import HEIGHT, WIDTH, panel, said
from nimatron_wiring.kit import book, contents, kicad_files, paper

FOLDER = Path(__file__).parent.parent.parent / "wiring"
DRAWINGS = {
    path.name: path.read_bytes() for path in FOLDER.iterdir() if path.suffix in (".svg", ".md")
}
BUILDS = {build.name: build for build in builds()}
FRONT = panel(exhibit())
POINTS = 72 / 25.4  # in a mm


@pytest.fixture(scope="module")
def made():
    makers = contents.files(DRAWINGS)
    return cache(lambda name: makers[name]())


LONG = pytest.mark.long("up to 4 s each")


@dataclass
class Page:
    text: str
    size: tuple[float, float]  # mm
    smallest: float  # the height of the smallest letters, in points


@cache
def read(pdf):
    """Return the pages of a PDF, as pypdf finds them."""
    return [page(one) for one in pypdf.PdfReader(BytesIO(pdf)).pages]


def page(one):
    heights = []

    def note(text, cm, tm, font, size):
        if text.strip():  # the letters are scaled by both matrices
            (a, b, c, d), (p, q, r, s) = tm[:4], cm[:4]
            heights.append(size * abs((a * d - b * c) * (p * s - q * r)) ** 0.5)

    text = re.sub(r"\s+", " ", one.extract_text(visitor_text=note))
    size = float(one.mediabox.width) / POINTS, float(one.mediabox.height) / POINTS
    return Page(text, size, min(heights))


BOOKS = list(itertools.product(BUILDS, paper.SIZES))


@pytest.mark.parametrize(
    ("name", "size"), [BOOKS[0], *(pytest.param(*one, marks=LONG) for one in BOOKS[1:])]
)
def test_the_book_is_the_page_on_one_size_of_paper(made, name, size):
    pages = read(made(f"{name}-{size}.pdf"))
    told = [page.text for page in pages]
    for number, page in enumerate(pages, 1):
        assert sorted(page.size) == pytest.approx(paper.SIZES[size], abs=0.1)
        assert f"page {number} of {len(told)}" in page.text
    everything = letters(" ".join(told))
    page = DRAWINGS[f"{name}.md"].decode()
    for line in page.splitlines():
        if line.startswith("|") and set(line) - set("|- "):
            for cell in line[1:-1].split(" | "):
                words = letters(paper.plain(cell)).replace("electrical.md", "")
                assert words[:12] in everything, cell
    for step in steps.steps(BUILDS[name]):
        assert any(f"Step {step.number}: {step.name} " in text for text in told)


def letters(text):
    return re.sub(r"\W+", "", text)


@pytest.mark.parametrize(("wide", "told"), [(150, True), (400, False)])
def test_a_picture_is_called_life_size_only_if_it_is(wide, told):
    shown = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} 50" width="{wide}mm" '
    drawing = f'{shown} height="50mm"><rect width="{wide}" height="50"/></svg>'.encode()
    (page,) = read(
        book.book("a.md", {"a.md": b"# Title\n\n![A picture](a.svg)", "a.svg": drawing}, "A4")
    )
    assert ("Life-size" in page.text) == told


def test_every_letter_of_every_language_is_in_the_font(made):
    """A missing letter would be an empty box."""
    for pdf in (made("label-A4.pdf"), made("panel.pdf")):
        told = " ".join(page.text for page in read(pdf))
        assert "\ufffd" not in told and "\x00" not in told
    name, size = BOOKS[0]
    assert "Ω" in " ".join(page.text for page in read(made(f"{name}-{size}.pdf")))


@pytest.mark.parametrize("size", paper.SIZES)
def test_the_label_tells_visitors_the_rule_in_each_language(made, size):
    pages = read(made(f"label-{size}.pdf"))
    assert len(pages) == len(words.codes()) >= 4
    for language, page in zip(words.codes(), pages, strict=True):
        table = words.table(language)
        text = page.text
        assert table["rule.misere"].replace("{last}", table["last.lamp"]) in text
        shown = ("rules.nim", "term.help.machine", "term.help.token", "page.story.3")
        for key in ("state.attract", *shown):
            assert re.sub(r"\s+", " ", table[key]) in text
        assert "{" not in text and table["button.go"] in text
        assert page.size == pytest.approx(paper.SIZES[size], abs=0.1)


def test_the_artwork_is_the_panel_at_full_size_in_each_language(made):
    pages = read(made("panel.pdf"))
    assert len(pages) == len(words.codes())
    for language, page in zip(words.codes(), pages, strict=True):
        assert page.size == pytest.approx((WIDTH, HEIGHT), abs=0.1)
        table = words.table(language)
        for key in ("sign.your-move", "sign.machine-wins", "button.go", "button.new"):
            assert table[key] in page.text


@pytest.mark.parametrize("size", paper.SIZES)
def test_the_tiles_are_the_artwork(made, size):
    """Cut out and joined, the tiles look like the whole artwork."""
    scale, edge = 3, 30  # pixels for each mm, and pixels of the blank edge
    (whole, *_), tiles = (
        [page.render(scale=scale / POINTS).to_pil() for page in pypdfium2.PdfDocument(pdf)]
        for pdf in (made("panel.pdf"), made(f"panel-{size}.pdf"))
    )
    assert len(tiles) == 6 * len(words.codes())
    wide, high = whole.width // 3, whole.height // 2
    joined = Image.new("RGB", whole.size)
    for number, tile in enumerate(tiles[:6]):
        part = tile.crop((edge, edge, edge + wide, edge + high))
        joined.paste(part, (number % 3 * wide, number // 3 * high))
    (red, *_) = ImageStat.Stat(ImageChops.difference(whole.convert("RGB"), joined)).mean
    assert red < 1.5  # the grey lines. An error of 1 mm is 3.3


@pytest.mark.sampled("2 s each")
@pytest.mark.parametrize("name", ["nimatron", "exhibit"])
def test_other_programs_make_a_model_and_a_page_of_parts_for_each_board(tmp_path, name):
    board = Path(shutil.copy(kicad.FOLDER / f"{name}.kicad_pcb", tmp_path))
    (model, old), (page, missing) = kicad_files.write(board)
    with zipfile.ZipFile(kicad.FOLDER / f"{name}-board.zip") as there:
        drilled = [there.read(f"{name}-{kind}.drl") for kind in ("PTH", "NPTH")]
    holes = sum(file.count(b"\nX") for file in drilled) - board.read_text().count("(via ")
    if not old:
        round_ = holes + board.read_text().count("(gr_arc ")
        assert model.read_text().count("CYLINDRICAL_SURFACE") == round_
    if missing:
        raise TierUnavailable(missing)
    data = json.loads(re.search("^var pcbdata = (.*)$", page.read_text(), re.M)[1])
    pads = [pad for part in data["footprints"] for pad in part["pads"]]
    assert len(pads) == holes
    if old:
        raise TierUnavailable(old)


def test_a_missing_program_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(kicad_files, "PYTHON", "/nowhere/python3")
    monkeypatch.setenv("PATH", str(tmp_path))
    lines = [why for _, why in kicad_files.write(tmp_path / "a.kicad_pcb")]
    assert [line.partition(" (")[2] for line in lines] == ["No such file or directory)"] * 2


# The DXF, read group by group


def groups(dxf):
    """Return [(code, value)] for a DXF file."""
    lines = dxf.decode().splitlines()
    return [
        (int(code), value.strip()) for code, value in zip(lines[::2], lines[1::2], strict=True)
    ]


def entities(dxf):
    """Return [{code: [values]}] for the drawing itself. The type is code 0."""
    found, inside = [], False
    for code, value in groups(dxf):
        if code == 2 and value == "ENTITIES":
            inside = True
        elif code == 0 and value == "ENDSEC":
            inside = False
        elif inside and code == 0:
            found.append({0: [value]})
        elif inside and found:
            found[-1].setdefault(code, []).append(value)
    return found


def test_the_dxf_cuts_every_hole_of_the_panel(made):
    dxf = made("panel.dxf")
    assert (9, "$INSUNITS") in groups(dxf)
    units = groups(dxf)[groups(dxf).index((9, "$INSUNITS")) + 1]
    assert units == (70, "4")  # mm
    cut = [one for one in entities(dxf) if one[8] == ["CUT"]]
    circles = sorted(
        (round(float(one[10][0]), 3), round(float(one[20][0]), 3), 2 * float(one[40][0]))
        for one in cut
        if one[0] == ["CIRCLE"]
    )
    assert circles == sorted((hole.x, hole.y, hole.width) for hole in FRONT.holes)
    centres = [one for one in entities(dxf) if one[8] == ["CENTRE"]]
    assert len(centres) == len(FRONT.holes) and {one[0][0] for one in centres} == {"POINT"}
    outlines = [one for one in cut if one[0] == ["LWPOLYLINE"]]
    boxes = sorted(
        (max(xs) - min(xs), max(ys) - min(ys), (max(xs) + min(xs)) / 2)
        for one in outlines
        for xs, ys in [(list(map(float, one[10])), list(map(float, one[20])))]
    )
    wanted = [(w.width, w.height, w.x) for w in FRONT.windows] + [(WIDTH, HEIGHT, WIDTH / 2)]
    assert boxes == sorted(wanted)
    assert {tuple(one[70]) for one in outlines} == {("1",)}  # each is closed
    assert len(cut) == len(circles) + len(outlines)


def test_the_dxf_engraves_each_language_in_a_layer_of_its_own(made):
    """The words are closed lines within the panel, because some programs ignore text."""
    drawn = entities(made("panel.dxf"))
    assert {one[0][0] for one in drawn} == {"LWPOLYLINE", "CIRCLE", "POINT"}
    for language in words.codes():
        lines = [one for one in drawn if one[8] == [f"ENGRAVE-{language}"]]
        letters = "".join(said(line, words.table(language)) for line in FRONT.words)
        assert len(lines) >= len(letters.replace(" ", ""))
        for one in lines:
            assert one[70] == ["1"] and len(one[10]) > 2
            assert all(0 < float(x) < WIDTH for x in one[10])
            assert all(0 < float(y) < HEIGHT for y in one[20])


# The command


def test_the_command_writes_the_kit_and_nothing_else(nimatron, tmp_path, monkeypatch):
    monkeypatch.setattr(
        contents, "files", lambda drawings: {"panel.dxf": lambda: b"0"} if drawings else {}
    )
    monkeypatch.setattr("nimatron_wiring.write.generate", lambda: DRAWINGS)
    status, out, error = nimatron("wiring", "--kit", str(tmp_path / "kit"))
    assert (status, error) == (0, "") and out.endswith("panel.dxf\n")
    assert [path.name for path in tmp_path.rglob("*")] == ["kit", "panel.dxf"]
    assert nimatron("wiring", "--kit", str(tmp_path), "--check")[0] == 2


@pytest.mark.long("3 s")
def test_pages_alone_need_no_library_of_the_kit():
    code = (
        "import sys; sys.modules |= dict.fromkeys("
        "('fpdf', 'ezdxf', 'ziafont'))\n"
        "from nimatron_wiring import write; print(len(write.generate()))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert int(told.stdout) > 20 and told.stderr == ""
