"""What the documents say of the games is what the code says, and their example works."""

import json
import re
import textwrap
from functools import cache
from pathlib import Path

import pytest

from nimatron import games
from nimatron_host import catalogue, cli
from nimatron_sim import firmware
from nimatron_sim.simulated.pico import SimulatedPico

ROOT = Path(__file__).parent.parent.parent


def test_the_table_of_the_readme_is_the_codes():
    readme = (ROOT / "README.md").read_text()
    begin, end = readme.index(catalogue.BEGIN), readme.index(catalogue.END)
    shown = readme[begin + len(catalogue.BEGIN) : end].strip()
    assert shown == catalogue.as_markdown(), "nimatron games --markdown has another table"


def test_games_are_listed(capsys):
    assert cli.main(["games", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [game["game"] for game in listed] == list(games.NAMES)
    assert all(game["sentence"] and game["theory"] and game["rules"] for game in listed)
    assert cli.main(["games"]) == 0
    assert listed[-1]["sentence"] in capsys.readouterr().out


@pytest.mark.parametrize("name", games.NAMES)
def test_the_words_fit_a_terminal_of_80_columns(name):
    """Beside the picture there is room for three lines: a sentence takes two, the buttons one."""
    game = games.find(name)
    assert len(game.how) <= 74
    assert len(textwrap.wrap(game.sentence, 74)) <= 2


@pytest.fixture
def example(tmp_path):
    """The firmware with the game of CONTRIBUTING in it."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    source = re.search(r'```python\n("""Twos.*?)```', text, re.S)[1]
    line = re.search(r'\n    ( +\("twos".*?\n)', text)[1]
    files = firmware.files()
    registry = files["nimatron/games/__init__.py"].read_text()
    head = "_ON_THE_PANEL = (\n"
    assert head in registry
    changed = {"__init__.py": registry.replace(head, head + line), "twos.py": source}
    for name, content in changed.items():
        files[f"nimatron/games/{name}"] = tmp_path / name
        (tmp_path / name).write_text(content)
    return files


def test_the_example_of_contributing_plays(example):
    """A visitor who searches beats the machine from every opening it offers, under both rules."""

    @cache
    def wins(n, misere):
        after = [n - take for take in (1, 2) if take <= n]
        return any(not wins(m, misere) for m in after) if after else misere

    pico = SimulatedPico(files=example)
    pico.settle()
    for rule in ("misere", "normal"):
        assert pico.ask("game twos").startswith("ok game=twos")
        pico.ask(f"rule {rule}")
        pico.ask("new")
        while pico.state != "verdict":
            n = sum(pico.rows)
            best = [take for take in (1, 2) if take <= n and not wins(n - take, rule == "misere")]
            pico.tap("row1", best[0])
            pico.tap("go")
            pico.run_until(lambda: pico.state in ("player", "verdict"), 20_000)
        assert pico.legends == {"you-win"}
