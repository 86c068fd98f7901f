"""The handout for a class, read back: three pages, and answers that a search confirms."""

import io
import re
from functools import cache

import pypdf
import pytest

import oracle
from nimatron_host import cli
from nimatron_host.theory import handout
from nimatron_host.theory.handout import exercises

A4, LETTER = (595, 842), (612, 792)  # points


def written(path, *words):
    assert cli.main(["handout", str(path), *words]) == 0
    return path.read_bytes()


def texts(content):
    """Return the text of each page, as one line."""
    return [
        " ".join(page.extract_text().split())
        for page in pypdf.PdfReader(io.BytesIO(content)).pages
    ]


@pytest.mark.parametrize("language", handout.WORDS)
@pytest.mark.parametrize(("paper", "size"), [("a4", A4), ("letter", LETTER)])
def test_it_has_three_pages_that_hold_their_text(tmp_path, paper, size, language):
    words = ["--paper", paper, "--seed", "4", "--language", language]
    pages = pypdf.PdfReader(io.BytesIO(written(tmp_path / "class.pdf", *words))).pages
    assert len(pages) == 3
    for page in pages:
        assert tuple(map(round, (page.mediabox.width, page.mediabox.height))) == size
        heights = []

        def visit(text, matrix, place, font, size, heights=heights):
            if text.strip():
                heights.append(place[5])

        page.extract_text(visitor_text=visit)
        footer, *rest = sorted(set(heights))
        assert footer > 30 and rest[0] > footer + 12, "the text runs into the foot of the page"
        assert max(heights) < size[1] - 30


def test_the_same_seed_gives_the_same_file_and_another_gives_other_exercises(tmp_path):
    one, again, other = [written(tmp_path / f"{i}.pdf", "--seed", s) for i, s in enumerate("778")]
    assert one == again != other
    assert "Exercises 7" in texts(one)[1] and "for the teacher" in texts(one)[2]


def test_every_language_has_every_text_with_the_same_gaps():
    plain = handout.WORDS["en"]
    for words in handout.WORDS.values():
        assert words.keys() == plain.keys()
        for key, text in words.items():
            assert {*re.findall(r"{\w+}", text)} == {*re.findall(r"{\w+}", plain[key])}, key


def test_answers_are_on_their_own_page(tmp_path):
    discover, tasks, answers = texts(written(tmp_path / "class.pdf", "--seed", "9"))
    (_, move), (_, heap) = exercises(9)[1], exercises(9)[4]
    assert f"2. Rows of {', '.join(map(str, move['rows']))}. Draw" in tasks
    assert f"take {move['take']}." in answers and "Take " + str(heap["take"]) in answers
    assert "X" not in discover.split("Write X if")[1].split("3. Find")[0]
    assert answers.split("table")[1].count("X") == 5  # 0 1, 1 0, 2 2, 3 3, 4 4


@pytest.mark.parametrize("seed", range(40))
def test_a_search_confirms_every_answer(seed):
    (_, lost), *moves, (_, end), (_, heap) = exercises(seed)
    for rows in lost["positions"]:
        assert oracle.mover_wins(rows, True) == (rows not in lost["right"])
    for _, move in moves:
        rows = move["rows"]
        assert move["before"] - move["after"] == move["take"]
        if max(rows) < 12:
            right = {(rows.index(move["before"]), move["take"])}
            assert oracle.winning_moves(rows, True) == right
    rows = end["rows"]
    assert oracle.winning_moves(rows, True) == {(len(rows) - 1, rows[-1] - end["leave"])}
    assert heap["heap"] - heap["take"] == heap["left"]
    assert [take for take in range(1, heap["most"] + 1)
            if one_heap_lost(heap["heap"] - take, heap["most"])] == [heap["take"]]  # fmt: skip


@cache
def one_heap_lost(heap, most):
    """Return True if a heap is lost in misère play, with 1 to `most` on each turn."""
    after = [heap - take for take in range(1, min(heap, most) + 1)]
    return bool(after) and not any(one_heap_lost(left, most) for left in after)


def test_the_drawn_rows_are_lost():
    assert not oracle.mover_wins(handout._DRAWN, True)


def test_a_file_that_is_no_pdf_is_not_written(tmp_path, capsys):
    path = tmp_path / "class.txt"
    assert cli.main(["handout", str(path)]) == 1
    assert capsys.readouterr().err.endswith(f"not .txt. Write {tmp_path / 'class.pdf'}\n")
    assert not path.exists()


def test_a_file_that_cannot_be_written_is_named(tmp_path, capsys):
    assert cli.main(["handout", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert told == f"nimatron: cannot write {tmp_path}: Is a directory\n"
