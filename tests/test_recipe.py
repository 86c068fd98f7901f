"""The tutorial for a new game, followed to the letter in a copy of the tree."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from nimatron_sim import firmware
from nimatron_sim.simulated_pico import SimulatedPico

ROOT = Path(__file__).parent.parent
TREE = ("firmware", "sim", "host", "wiring", "tests", "docs", "README.md", "CONTRIBUTING.md")
FLOORS = ("firmware", "sim", "host", "wiring")

# The tests that look at the list of games, or at each game.
LOOK_AT_GAMES = (
    "tests/games",
    "tests/test_house.py",
    "tests/play/test_explain.py",
    "tests/firmware/test_console.py",
    "tests/firmware/test_ways_to_play.py",
    "tests/vm/test_pure.py",
)


def recipe():
    """Return the parts on the page: the file's text, the two lines, and the texts."""
    section = (ROOT / "docs/tutorials/your-first-game.md").read_text()
    source = re.search(r"```python\n(.*?)```", section, re.S)[1]
    (registry,) = re.findall(r"^ {4,}(twos twos .*)$", section, re.M)
    (package,) = re.findall(r'^ {4,}(\["nimatron/games/twos\.py".*)$', section, re.M)
    texts = "".join(re.findall(r'^ {4,}("(?:rules|theory)\.twos": .*,\n)', section, re.M))
    return source, registry, package, texts


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Return a copy of the tree with the game from the recipe."""
    tree = tmp_path_factory.mktemp("tree")
    for name in (*TREE, "pyproject.toml", "Makefile"):
        if (ROOT / name).is_dir():
            hidden = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, tree / name, ignore=hidden)
        else:
            shutil.copy(ROOT / name, tree / name)
    source, registry, package, texts = recipe()
    (tree / "firmware/nimatron/games/twos.py").write_text(source)
    insert(tree / "firmware/nimatron/games/__init__.py", "building building", f"{registry}\n")
    insert(tree / "sim/nimatron_play/words/en.json", '  "rules.nim"', texts)
    insert(tree / "firmware/package.json", '    ["main.py"', f"    {package}\n")
    return tree


def insert(path, before, line):
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, line + before))


def run(tree, command):
    """Run a command in the tree, with the modules of the tree."""
    floors = os.pathsep.join(str(tree / floor) for floor in FLOORS)
    done = subprocess.run(
        command,
        shell=True,
        cwd=tree,
        env=os.environ | {"PYTHONPATH": floors},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.long("10 s")
def test_the_tests_that_look_at_games_pass(tree):
    """These are the tests of the new game, and the tests of all games at once."""
    chosen = shlex.quote("twos or not [")
    pytest_here = f"{sys.executable} -m pytest -q -p no:xdist -p no:cacheprovider"
    told = run(tree, f"{pytest_here} -k {chosen} {' '.join(LOOK_AT_GAMES)}")
    assert re.search(r"\d+ passed", told) and " failed" not in told


def test_every_command_knows_it(tree):
    listed = json.loads(run(tree, f"{sys.executable} -m nimatron_host games --json"))
    assert "twos" in [game["game"] for game in listed]
    told = run(tree, f"{sys.executable} -m nimatron_host solve twos 23")
    assert "leave 21" in told
    assert "| `twos` |" in run(tree, f"{sys.executable} docs/generated.py games")


def test_it_is_played_to_the_end(tree):
    """A visitor who searches beats the machine from every offered opening, under both rules."""

    @cache
    def wins(n, misere):
        after = [n - take for take in (1, 2) if take <= n]
        return any(not wins(m, misere) for m in after) if after else misere

    names = [*firmware.files(), "nimatron/games/twos.py"]
    pico = SimulatedPico(files={name: tree / "firmware" / name for name in names})
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
