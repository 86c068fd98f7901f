"""`nimatron table` in each of its formats, compared with a search that knows no theory."""

import csv
import io
import json

import pytest
from test_heap_games import GAMES

from nimatron_host import cli
from nimatron_host.theory import solve
from nimatron_host.theory.position_table import Table

# game: the largest heap, the number of heaps. test_heap_games.py compares every game.
TABLES = {"wythoff": (12, 2), "chomp": (4, 4), "candy": (5, 4), "fibonacci": (14, 1)}


def table(name, rule="normal", most=None, heaps=None):
    game, _ = solve.named([name])
    return Table(game, rule, most, heaps)


def printed(capsys, *words):
    assert cli.main(["table", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("name", TABLES)
def test_every_row_agrees_with_the_search(name, rule):
    search, _ = GAMES[name]
    made = table(name, rule, *TABLES[name])
    if rule not in made.game.rules:
        pytest.skip("the game has only the other rule")
    misere = rule == "misere"
    positions = list(made.positions())
    assert len(positions) == len(made.rows) == len(set(positions)) > 10
    for position, row in zip(positions, made.rows, strict=True):
        assert row["outcome"] == "NP"[search.lost(position, misere)], position
        assert ("grundy" in row) == (not misere)
        if not misere:
            assert row["grundy"] == search.grundy(position), position
        right = {
            made.game.words(option).replace(",", " ")
            for option in search.options(position)
            if search.lost(option, misere)
        }
        if name != "candy":  # where the candies choose among them
            assert set(row["leave"]) == right, position


def test_what_takes_too_long_has_no_grundy_value():
    assert "grundy" not in solve.solve(["wythoff", "1000", "3000"], "normal")
    assert solve.solve(["tactix", "full"], "normal")["grundy"] == 0  # because it is lost


def test_a_table_covers_every_position():
    made = table("wythoff", most=3)
    assert list(made.positions()) == [
        (0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3),
    ]  # fmt: skip
    assert [p for p in made.positions() if p in made.lost] == [(0, 0), (1, 2)]
    assert set(table("fibonacci", most=3).positions()) == {
        (1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3),
    }  # fmt: skip
    assert all(list(p) == sorted(p, reverse=True) for p in table("chomp").positions())


@pytest.mark.parametrize("words", [["kayles"], ["wythoff", "--rule", "misere"], ["octal", "0.07"]])
def test_the_formats_have_the_same_rows(capsys, words):
    words = [*words, "--max", "9"]
    document = json.loads(printed(capsys, *words, "--json"))
    rows = document["positions"]
    flat = [
        {key: "; ".join(v) if isinstance(v, list) else str(v) for key, v in row.items()}
        for row in rows
    ]
    assert list(csv.DictReader(io.StringIO(printed(capsys, *words, "--csv")))) == flat
    text = printed(capsys, *words)
    lost = text.partition(" up to 9:\n")[2].replace("\n", " ").split(",")
    assert [p.strip() for p in lost] == [r["position"] for r in rows if r["outcome"] == "P"]


def test_a_period_is_found_and_named(capsys):
    text = printed(capsys, "kayles", "--max", "30")
    assert "   0  0 1 2 3 1 4 3 2 1 4 2 6\n  12  4 1 2 7 1 4 3 2 1 4 6 7\n" in text
    assert "\nPeriod 12 from 71 on\n" in text
    assert json.loads(printed(capsys, "octal-0.07", "--json"))["period"] == {
        "start": 53, "length": 34, "saltus": 0, "proved": True,
    }  # fmt: skip
    assert "Period 4 from 0 on" in printed(capsys, "subtraction-3")
    brief = "--max", "200", "--seconds", "2"
    assert "No period up to heaps of " in printed(capsys, "octal-0.16", *brief)
    assert "seen but not proved" in printed(capsys, "hexadecimal-0.13FF", *brief)
    assert "eriod" not in printed(capsys, "circular-10")


def test_a_table_of_ten_thousand_heaps(capsys):
    document = json.loads(printed(capsys, "dawsons-kayles", "--max", "9999", "--json"))
    values = [row["grundy"] for row in document["positions"]]
    assert len(values) == 10_000
    assert all(a == b for a, b in zip(values[53:], values[53 + 34 :], strict=False))


def test_a_position_is_never_broken_across_lines(capsys):
    text = printed(capsys, "index-2-1")
    listed = text.split("up to 7:\n")[1].splitlines()
    assert len(listed) > 3 and all(len(line) <= 79 for line in listed)
    assert all(len(p.split()) == 4 for line in listed for p in line.strip(" ,").split(", "))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("tactix", "there is no table of tactix"),
        ("kayles 7", "remove 7. One position: nimatron solve kayles 7"),
        ("3 4 5", "nimatron table nim. One position: nimatron solve 3 4 5"),
        ("octal", "octal is a family of games, such as: octal-0.77 5 2"),
        ("chomp --rule normal", "chomp has only one rule. Write --rule misere"),
        ("wythoff --heaps 3", "3 heaps: wythoff has 2 to 2"),
        ("say-21 --max 22", "the heaps of say-21 have 0 to 21"),
        ("nim --max x", "x is not a whole number of 1 or more"),
        ("nim --csv --json", "not allowed with argument"),
    ],
)
def test_what_has_no_table_is_refused_in_one_line(capsys, words, why):
    assert cli.main(["table", *words.split()]) == 2
    told = capsys.readouterr()
    assert told.out == "" and why in told.err and told.err.count("\n") == 1
