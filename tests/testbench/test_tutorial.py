"""The tutorial of pico_testbench, followed to the letter."""

import re
from pathlib import Path

import pytest

import pico_testbench
import tutorial
from pico_testbench import parts, sensors

PAGE = Path(pico_testbench.__file__).with_name("TUTORIAL.md")
SECTIONS = [blocks for blocks in tutorial.steps(PAGE.read_text(encoding="utf-8")) if blocks]


@pytest.mark.sampled("20 s")
@pytest.mark.parametrize("section", range(len(SECTIONS)))
def test_what_the_tutorial_shows_happens(section, tmp_path, image_of_the_pico):
    assert tutorial.follow(SECTIONS[section], tmp_path) == 2  # a bug that is found, then fixed


def test_each_section_is_there():
    assert len(SECTIONS) == 7


def test_each_part_has_what_the_table_says():
    rows = re.findall(r"^\| `(\w+\(.*?\))` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    assert len(rows) >= 10
    for made, uses in rows:
        part = eval(made, vars(parts) | vars(sensors))
        for name in re.findall(r"`\.(\w+)", uses):
            assert hasattr(type(part), name) or name in vars(part), (made, name)
