"""The handout for a class, read back: two pages, and answers that a search confirms."""

import io
import re
import sys
from functools import cache

import pypdf
import pytest

import oracle
from nimatron_host import cli
from nimatron_host.theory.exercises import exercises

A4, LETTER = (595, 842), (612, 792)  # points


def written(path, *words):
    assert cli.main(["handout", str(path), *words]) == 0
    return path.read_bytes()


def texts(content):
    """The text of each page, as one line."""
    return [
        " ".join(page.extract_text().split())
        for page in pypdf.PdfReader(io.BytesIO(content)).pages
    ]


def numbers(text):
    return tuple(int(n) for n in re.findall(r"\d+", text))


@pytest.mark.parametrize(("paper", "size"), [("a4", A4), ("letter", LETTER)])
def test_it_has_two_pages_with_room_to_write_on(tmp_path, paper, size):
    content = written(tmp_path / "class.pdf", "--paper", paper, "--seed", "4")
    pages = pypdf.PdfReader(io.BytesIO(content)).pages
    assert len(pages) == 2
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
    assert "Exercises 7" in texts(one)[0] and "for the teacher" in texts(one)[1]


def test_what_the_class_reads_is_what_was_made(tmp_path):
    first, second = texts(written(tmp_path / "class.pdf", "--seed", "9"))
    for number, task in enumerate(exercises(9), 1):
        assert f"{number}. {task.question}" in first and task.question not in second
        assert f"{number}. {task.answer}" in second and task.answer not in first
    assert "7 7 6 5 4 3 2 1 0" in second


@cache
def kayles_lost(rows):
    after = {
        tuple(sorted(n for n in (*rows[:i], a, row - take - a, *rows[i + 1 :]) if n))
        for i, row in enumerate(rows)
        for take in (1, 2)
        for a in range(row - take + 1)
    }
    return not any(kayles_lost(a) for a in after)


@pytest.mark.parametrize("seed", range(40))
def test_a_search_confirms_every_answer(seed):
    outcomes, small, large, misere, take, kayles = exercises(seed)
    for said in outcomes.answer.split("; "):
        rows, verdict = said.split(": ")
        assert verdict.startswith("won") == oracle.mover_wins(numbers(rows), False), said
        assert rows in outcomes.question
    assert len({*outcomes.answer.rstrip(".").split("; ")}) == 3
    for task in (small, large):
        rows = numbers(task.question.split("Rows of ")[1].split(":")[0])
        left, changed = task.answer.split(" is left. ")
        assert sum(numbers(left)) == rows[0] ^ rows[1] ^ rows[2]
        before, after, taken = numbers(changed)
        assert before - after == taken
        if max(rows) < 12:
            assert oracle.winning_moves(rows, False) == {(rows.index(before), taken)}
    rows = numbers(misere.question.split(".")[0])
    wins, loses = numbers(misere.answer)
    for leave, rule in ((wins, False), (loses, True)):
        right = oracle.winning_moves(rows, rule)
        assert right == {(len(rows) - 1, rows[-1] - leave)}
    heap, least, most = numbers(take.question)
    _, by, rest, taken, _ = numbers(take.answer)
    assert (least, by, rest, taken) == (1, most + 1, heap % by, heap % by)
    rows = numbers(kayles.question.split("Two rows, of ")[1])
    options = [numbers(o) for o in kayles.answer.split("Leave ")[1].split(", or ")]
    assert not kayles_lost(tuple(sorted(rows)))
    assert options and all(kayles_lost(tuple(sorted(o))) for o in options)


def test_without_the_library_it_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "fpdf", None)
    assert cli.main(["handout", str(tmp_path / "class.pdf")]) == 1
    assert "the handout needs fpdf, which is not installed" in capsys.readouterr().err


def test_a_file_that_is_no_pdf_is_not_written(tmp_path, capsys):
    path = tmp_path / "class.txt"
    assert cli.main(["handout", str(path)]) == 1
    assert capsys.readouterr().err.endswith(f"not .txt. Write {tmp_path / 'class.pdf'}\n")
    assert not path.exists()


def test_the_example_of_the_method_is_right(tmp_path):
    (first, _) = texts(written(tmp_path / "class.pdf"))
    *rows, _ = numbers(first.split("For example ")[1])[:4]
    took, of = numbers(first.split("So take ")[1])[:2]
    assert oracle.winning_moves(tuple(rows), False) == {(rows.index(of), took)}


def test_a_file_that_cannot_be_written_is_named(tmp_path, capsys):
    assert cli.main(["handout", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert told == f"nimatron: cannot write {tmp_path}: Is a directory\n"
