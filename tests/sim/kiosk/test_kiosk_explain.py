"""The drawer for the curious, and the words in every language."""

import re
from pathlib import Path

import pytest

from nimatron import bouton, games
from nimatron.games.boards import BoardGame
from nimatron_sim.ui import panel_view, words
from nimatron_sim.ui.kiosk import explain as module
from nimatron_sim.ui.kiosk.explain import explain
from nimatron_sim.ui.panel_view import PanelView

NIM = games.find("nim")
ENGLISH = words.tables()["en"]
TRANSLATED = sorted(set(words.tables()) - {"en"})
PAGE = Path(module.__file__).parent / "page"


def said(steps):
    return [words.say(step, ENGLISH) for step in steps]


class Singles(BoardGame):
    """Put out one lamp: whoever finds an odd number wins normal play."""

    name = "singles"
    sentence = "Put out one lamp."
    theory = "Count them."

    def options(self, position):
        for lamp in range(28):
            if position >> lamp & 1:
                yield position & ~(1 << lamp)

    def is_p(self, position, misere):
        return self.size(position) % 2 == (1 if misere else 0)


def test_a_position_of_nim_in_binary():
    shown = explain(NIM, (3, 4, 5, 0), True, None)
    assert shown["binary"] == {
        "rows": ["011", "100", "101", "000"],
        "ones": [2, 1, 2],
        "sum": "010",
    }
    assert not shown["safe"]
    assert said(shown["winning"]) == ["Put out 2 lamps in row 1."]
    assert shown["steps"] == []


@pytest.mark.parametrize("misere", [True, False])
def test_every_winning_move_is_there(misere):
    for position in [(7, 7, 6, 1), (1, 1, 1, 0), (1, 1, 0, 0), (2, 0, 0, 0), (7, 6, 5, 3)]:
        shown = explain(NIM, position, misere, None)
        wins = {f"Put out {take} lamp{'s' * (take > 1)} in row {row + 1}."
                for row, take in bouton.winning_moves(position, misere)}  # fmt: skip
        assert set(said(shown["winning"])) == wins
        assert shown["safe"] == (not wins)


def test_a_good_move_a_slip_and_a_lost_position_step_by_step():
    good = said(explain(NIM, (1, 4, 5, 0), True, ("machine", (3, 4, 5, 0), (1, 4, 5, 0)))["steps"])
    assert good == [
        "Before the move, the rows were 3, 4, 5, 0. In binary: 011, 100, 101, 000. Added column "
        "by column without carrying: 010. The column for 2 has an odd number of ones.",
        "From there, whoever moves can win.",
        "The machine chose: Put out 2 lamps in row 1.",
        "The move left 1, 4, 5, 0. In binary: 001, 100, 101, 000. Added column by column without "
        "carrying: 000. Every column has an even number of ones.",
        "There is an answer to everything the other side can do now.",
    ]
    slip = said(explain(NIM, (2, 4, 5, 0), True, ("player", (3, 4, 5, 0), (2, 4, 5, 0)))["steps"])
    assert slip[2] == "You chose: Put out 1 lamp in row 1."
    assert slip[-1] == "That was a slip! A better move: Put out 2 lamps in row 1."
    lost = said(explain(NIM, (1, 4, 4, 0), True, ("machine", (1, 4, 5, 0), (1, 4, 4, 0)))["steps"])
    assert lost[1] == "From there, whoever moves loses if the other side makes no mistake."
    assert lost[-1].startswith("There was no winning move: ")


def test_the_end_of_misere_play_is_told_as_it_is():
    steps = explain(NIM, (1, 1, 1, 0), True, ("machine", (1, 1, 3, 0), (1, 1, 1, 0)))["steps"]
    assert "an odd number of them: whoever moves now must put out the last one" in said(steps)[3]
    steps = explain(NIM, (1, 1, 0, 0), False, ("machine", (1, 1, 3, 0), (1, 1, 0, 0)))["steps"]
    assert "Every column has an even number" in said(steps)[3]


def test_a_finished_match_still_explains_the_last_move():
    shown = explain(NIM, (0, 0, 0, 0), True, ("machine", (1, 0, 0, 0), (0, 0, 0, 0)))
    assert "safe" not in shown
    assert said(shown["steps"])[-1].startswith("There was no winning move: ")


def test_a_game_that_is_no_heaps_says_what_it_knows():
    game = Singles()
    before, after = 0b111, 0b110
    shown = explain(game, before, False, ("machine", 0b1111, before))
    assert shown["binary"] is None
    assert not shown["safe"]
    assert len(shown["winning"]) == 3
    assert "Put out 1 lamp, leaving 0110000/0000000" in said(shown["winning"])[0]
    assert words.say(shown["theory"], ENGLISH) == "Count them."
    assert (
        said(shown["steps"])[1]
        == "From there, whoever moves loses if the other side makes no mistake."
    )
    many = explain(game, (1 << 27) - 1, False, None)
    assert (len(many["winning"]), many["more"]) == (12, 15)
    assert after in game.options(before)


@pytest.mark.parametrize("name", games.PANEL)
def test_every_game_is_explained(name):
    game = games.find(name)
    before = game.placed_on_panel(game.openings[0])
    after = next(game.options(before))
    misere = game.rules[0] == "misere"
    shown = explain(game, before, misere, ("machine", before, after))
    assert shown["safe"] == game.is_p(before, misere)
    text = " ".join(said([*shown["winning"], *shown["steps"]]))
    assert not re.search(r"\{|\bcan\b\.|why\.", text), text


def test_the_display_knows_boards_too(monkeypatch):
    monkeypatch.setattr(panel_view.games, "find", lambda name: Singles())
    shown = PanelView()

    def hear(line):
        return shown.record({"ms": 0, "console": line})

    assert hear("event game=singles")
    rows = ["/".join([row, *["0000000"] * 3]) for row in ("1010000", "0100000", "1110000")]
    hear(
        "ok game=singles rule=normal level=easy state=player rows={} picked={} position={}".format(
            *rows
        )
    )
    assert shown.position == 0b111
    assert shown.caption == ("Your move.", Singles.how)
    hear("event move by=machine take=1 rows=1100000/0000000/0000000/0000000")
    assert shown.last == ("machine", 0b111, 0b011)
    hear("event state=player")
    assert shown.caption[0] == "The machine put out 1 lamp. Your move."
    hear("event move by=player-2 take=1 rows=1000000/0000000/0000000/0000000")
    hear("event state=thinking")
    assert shown.caption[0].startswith("Player 2 put out 1 lamp.")


# ---------------------------------------------------------------------- words


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_language_says_everything(code):
    table = words.tables()[code]
    assert set(ENGLISH) <= set(table)
    for key, text in ENGLISH.items():
        assert set(re.findall(r"{\w+}", table[key])) <= set(re.findall(r"{\w+}", text)), key
        assert bool(text) == bool(table[key]), key


def test_every_word_is_in_the_table():
    """Of those that the code names outright, in Python and on the page."""
    folder = Path(words.__file__).parents[1]
    rooms = folder / "panel_view.py", folder / "kiosk/explain.py"
    python = "".join(path.read_text() for path in rooms)
    page = "".join(path.read_text() for path in PAGE.iterdir() if path.suffix in (".js", ".html"))
    named = set(re.findall(r'\bmessage\(\s*"([^"]+)"', python))
    named |= set(re.findall(r'(?:\bword\(|data-(?:say|label|hint)=)"([^"$]+)"', page))
    assert len(named) > 40
    assert named <= set(ENGLISH)


def texts(game):
    """What a game says to visitors, which a table may translate."""
    return {game.sentence, game.how, game.last, game.theory}


@pytest.mark.parametrize("code", TRANSLATED)
@pytest.mark.parametrize("name", games.PANEL)
def test_a_game_without_a_translation_is_told_in_english(name, code):
    lacking = texts(games.find(name)) - set(words.tables()[code])
    for text in lacking:
        assert words.say([words.message(text)], words.tables()[code]) == text
    if lacking:
        pytest.xfail(f"{name} has no {code} for: {' '.join(sorted(lacking))}")


@pytest.mark.parametrize("code", TRANSLATED)
def test_no_translation_is_of_what_nobody_says_any_more(code):
    said = set().union(*(texts(games.find(name)) for name in games.NAMES))
    assert set(words.tables()[code]) - set(ENGLISH) <= said


def test_what_stands_in_no_table_is_said_as_it_is():
    assert words.say([words.message("Mind the gap.")], ENGLISH) == "Mind the gap."
    spanish = words.tables()["es"]
    assert words.say([words.message(NIM.sentence)], spanish).startswith("Apaga")
