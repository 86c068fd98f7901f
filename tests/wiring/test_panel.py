"""The front panel: a place for each part, enough space between holes, words in each language."""

import dataclasses
from xml.etree import ElementTree

import pytest

from nimatron import board
from nimatron_play import words
from nimatron_wiring import front_panel
from nimatron_wiring.circuits import exhibit
from nimatron_wiring.front_panel import BACK, HEIGHT, WIDTH, Panel, back, faults, panel
from nimatron_wiring.svg import SVG

BUILD = exhibit()
FRONT = panel(BUILD)


def test_each_lamp_and_button_has_a_hole_where_it_is_played():
    assert faults(FRONT, BUILD) == []
    where = {hole.role: hole for hole in FRONT.holes if hole.role}
    for row in range(1, board.ROWS + 1):
        lamps = [where[f"row {row} lamp {lamp}"] for lamp in range(1, board.LAMPS + 1)]
        assert len({hole.y for hole in lamps}) == 1
        assert [hole.x for hole in lamps] == sorted(hole.x for hole in lamps)
        assert where[f"button row{row}"].y == lamps[0].y  # a row's button is at its end
        assert where[f"button row{row}"].x > lamps[-1].x
        assert row == 1 or lamps[0].y < where[f"row {row - 1} lamp 1"].y


def without(where):
    return Panel(
        tuple(hole for hole in FRONT.holes if hole.role != where), FRONT.windows, FRONT.words
    )


def moved(by, **to):
    first, *others = FRONT.holes
    assert first.role == by
    return Panel((dataclasses.replace(first, **to), *others), FRONT.windows, FRONT.words)


@pytest.mark.parametrize(
    ("front", "why"),
    [
        (without("button go"), "button go has 0 places on the panel, not 1"),
        (without("row 2 lamp 3"), "row 2 lamp 3 has 0 places on the panel, not 1"),
        (moved("row 1 lamp 1", role="row 1 lamp 2"), "row 1 lamp 2 has 2 places on the panel"),
        (moved("row 1 lamp 1", x=12.0), "row 1 lamp 1 at 12, 267 is less than 6 mm from the edge"),
        (moved("row 1 lamp 1", x=90.0), "row 1 lamp 1 at 90, 267 and row 1 lamp 2 at 110, 267"),
        (
            moved("row 1 lamp 1", y=310.0),
            "row 1 lamp 1 at 60, 310 and legend your-move at 77, 318",
        ),
    ],
)
def test_a_panel_that_cannot_be_made_is_refused(front, why):
    found = faults(front, BUILD)
    assert any(why in line for line in found), found
    assert all(line.startswith("the panel: ") and "front_panel.py" in line for line in found)


def test_the_back_has_a_hole_for_inlet_switch_fuses_and_volume():
    assert faults(back(), BUILD, BACK) == []
    fewer = dataclasses.replace(back(), holes=back().holes[1:])
    (why,) = faults(fewer, BUILD, BACK)
    assert "supply has 0 places on the panel, not 1" in why
    assert (WIDTH, HEIGHT) < (600, 400) and HEIGHT < 400


@pytest.mark.parametrize("language", words.codes())
def test_its_words_are_those_of_the_page_and_stay_inside_their_windows(language):
    tree = ElementTree.fromstring(front_panel.svg(FRONT, language))
    table = words.table(language)
    said = {text.text: text for text in tree.iter(f"{SVG}text")}
    signs = [
        table[f"sign.{part.role.split(' ')[1]}"]
        for part in BUILD.parts
        if part.kind == "lamp" and "legend" in part.role
    ]
    assert len(signs) == 4
    for sign in signs:
        wide = len(sign) * front_panel.NARROW * float(said[sign].get("font-size"))
        assert wide <= FRONT.windows[0].width
    assert {table["button.go"], table["button.new"], table["ui.token"]} <= set(said)
    assert table["ui.press.row"].replace("{row}", "4") in said


def test_the_drawing_is_at_full_size_and_has_every_hole():
    tree = ElementTree.fromstring(front_panel.svg(FRONT))
    assert (tree.get("width"), tree.get("height")) == (f"{WIDTH:g}mm", f"{HEIGHT:g}mm")
    assert tree.get("viewBox") == f"0 0 {WIDTH:g} {HEIGHT:g}"
    drawn = {
        (float(c.get("cx")), HEIGHT - float(c.get("cy")), 2 * float(c.get("r")))
        for c in tree.iter(f"{SVG}circle")
    }
    assert len(drawn) == len(FRONT.holes) > 60
    for hole in FRONT.holes:
        assert any(
            (hole.x, hole.y, hole.width) == pytest.approx(circle, abs=0.01) for circle in drawn
        )
