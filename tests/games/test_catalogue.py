"""The documents of the games agree with the code."""

import json
import re
import textwrap
from pathlib import Path

import pytest

from nimatron import games
from nimatron_host import cli
from nimatron_host.theory import rules
from nimatron_host.theory.english import PLAIN
from nimatron_play import game_texts

ROOT = Path(__file__).parent.parent.parent


def test_games_are_listed_with_examples_that_work(capsys):
    assert cli.main(["games", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [game["game"] for game in listed] == list(games.names())
    assert all(game["sentence"] and game["theory"] and game["rules"] for game in listed)
    assert cli.main(["games"]) == 0
    text = capsys.readouterr().out
    assert listed[-1]["sentence"] in text
    examples = re.findall(": nimatron solve (.+)", text)
    assert len(examples) == len(rules.FAMILIES) + len(rules.LARGER) + 1
    page = (ROOT / "docs/reference/games.md").read_text().replace("\n", " ")
    on_the_page = re.findall("`nimatron solve (?!GAME)([^`]+)`", page)
    assert on_the_page
    for example in [*examples, *on_the_page]:
        assert cli.main(["solve", *example.split(), "--rule", "normal"]) == 0


@pytest.mark.parametrize("name", games.names())
def test_the_words_fit_a_terminal_of_80_columns(name):
    """Next to the picture, there is room for three lines, two for a sentence and one for the
    buttons."""
    game = games.find(name)
    assert len(PLAIN[game_texts.buttons(game)]) <= 74
    assert len(textwrap.wrap(PLAIN[game_texts.rules(game)], 74)) <= 2
