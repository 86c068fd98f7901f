"""The tutorial of pico_testbench, followed to the letter."""

import re
from pathlib import Path

import pytest

import pico_testbench
import tutorial
from pico_testbench import image, parts

PAGE = Path(pico_testbench.__file__).with_name("TUTORIAL.md")
SECTIONS = [blocks for blocks in tutorial.steps(PAGE.read_text(encoding="utf-8")) if blocks]

SIMULATED = ("blink", "counter", "fade")  # what these use is modelled


def follow(section, folder):
    assert tutorial.follow(section, folder) == 2  # a bug that is found, then fixed


@pytest.mark.parametrize("section", range(len(SECTIONS) - 1))
def test_what_the_tutorial_shows_happens(section, tmp_path, image_of_the_pico):
    follow(SECTIONS[section], tmp_path)


@pytest.mark.parametrize("section", SIMULATED)
def test_what_the_tutorial_shows_happens_on_a_simulated_pico(section, tmp_path):
    found = [blocks for blocks in SECTIONS if f"test_{section}.py" in str(blocks)]
    assert tutorial.follow(found[0], tmp_path, "--pico-on", "simulated") == 2


@pytest.mark.long("a dozen seconds: a Pico W loads its radio, twice")
def test_what_the_tutorial_shows_happens_on_wifi(tmp_path):
    image.find("pico-w")
    follow(SECTIONS[-1], tmp_path)


def test_each_section_is_there():
    assert len(SECTIONS) == 6


def test_each_part_has_what_the_table_says():
    rows = re.findall(r"^\| `(\w+\(.*?\))` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    assert len(rows) >= 10
    for made, uses in rows:
        part = eval(made, vars(parts))
        for name in re.findall(r"`\.(\w+)", uses):
            assert hasattr(type(part), name) or name in vars(part), (made, name)
