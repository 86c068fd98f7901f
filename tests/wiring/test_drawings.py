"""The schematics: they can be read, and they are the netlist."""

from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from nimatron.devices import pins
from nimatron_wiring import draw, legible
from nimatron_wiring.circuits import breadboard, builds
from nimatron_wiring.sheet import Sheet

BUILDS = builds()


@pytest.fixture(scope="module", params=BUILDS, ids=lambda build: build.name)
def build(request):
    return request.param


@pytest.fixture(scope="module")
def drawings(build):
    """{name: SVG}: to draw takes half a second."""
    return draw.drawings(build)


def sheet_of(build):
    """An empty sheet."""
    return Sheet(build, "a test", 20, 10)


def test_the_drawings_of_a_build_can_be_read_and_are_its_netlist(build):
    assert draw.faults(build) == []


def test_a_build_has_two_drawings_the_same_bytes_each_time(build, drawings):
    assert list(drawings) == [f"{build.name}.svg", f"{build.name}-controls.svg"]
    assert draw.drawings(build) == drawings


def test_a_drawing_says_to_a_screen_reader_what_it_is(build, drawings):
    for svg in drawings.values():
        tree = ElementTree.fromstring(svg)
        assert tree.get("role") == "img"
        title, about = tree[:2]
        assert build.title.lower() in title.text
        assert "GP" in about.text


def test_every_pin_of_the_pico_stands_with_its_name_and_its_number(build, drawings):
    words = [word for svg in drawings.values() for word in legible.words(svg)]
    for signal in build.signals:
        assert words.count(f"GP{signal.gpio}") == 1
        assert words.count(signal.name) == 1


def test_other_pins_are_other_drawings_without_a_fault():
    other = SimpleNamespace(**vars(pins))
    other.COLUMNS, other.ROWS = (13, 14, 15, 16, 17, 18, 19), (20, 21, 22, 12)
    other.BUTTONS = tuple(
        (name, gpio) for (name, _), gpio in zip(pins.BUTTONS, range(2, 8), strict=True)
    )
    other.LEGENDS = tuple(
        (name, gpio) for (name, _), gpio in zip(pins.LEGENDS, range(8, 12), strict=True)
    )
    other.SOUNDER, other.COIN, other.PIXELS = 28, 27, 22
    other.SHIFT = (("clock", 18), ("data", 19), ("latch", 16), ("enable", 17))
    for build, mine in zip(builds(other), BUILDS, strict=True):
        assert draw.faults(build) == []
        assert draw.drawings(build) != draw.drawings(mine)


# The checks themselves: each must find the mistake that it is for


def test_words_on_words_are_found():
    sheet = sheet_of(BUILDS[0])
    sheet.text((3, 5), "470 Ω")
    assert legible.faults(sheet.svg()) == []
    sheet.text((4, 5.2), "1 kΩ")
    assert legible.faults(sheet.svg()) == ["the words '470 Ω' and '1 kΩ' overlap"]


def test_words_side_by_side_are_no_fault():
    sheet = sheet_of(BUILDS[0])
    sheet.text((3, 5), "470 Ω", "end")
    sheet.text((3.1, 5), "1 kΩ")
    assert legible.faults(sheet.svg()) == []


def test_a_wire_through_words_is_found():
    sheet = sheet_of(BUILDS[0])
    sheet.text((3, 5), "470 Ω")
    sheet.wire((1, 5.1), (9, 5.1))
    assert legible.faults(sheet.svg()) == ["a line runs through the words '470 Ω'"]


def test_a_wire_through_a_symbol_and_symbols_on_each_other_are_found():
    sheet = sheet_of(BUILDS[0])
    sheet.box("R1", (2, 2), (4, 4))
    sheet.wire((1, 4), (9, 4), (9, 9))
    assert sheet.trespassers() == []
    sheet.wire((1, 3), (9, 3))
    sheet.box("R2", (3, 3), (5, 5))
    assert sheet.trespassers() == ["R2 runs into R1", "a wire runs into R1", "a wire runs into R2"]


def test_words_that_leave_the_sheet_are_found():
    sheet = sheet_of(BUILDS[0])
    sheet.text((19, 5), "470 Ω")
    assert legible.faults(sheet.svg()) == ["the words '470 Ω' leave the sheet"]


def test_a_wire_that_is_missing_is_found_whichever_it_is(build):
    sheets = list(draw.sheets(build).values())
    assert draw.miswired(build, sheets) == []
    for sheet in sheets:
        for wire in list(sheet.wires):
            sheet.wires.remove(wire)
            assert draw.miswired(build, sheets), f"nobody misses the wire {wire}"
            sheet.wires.append(wire)


def test_two_columns_in_each_others_place_are_found():
    crossed = SimpleNamespace(**vars(pins))
    first, second, *rest = pins.COLUMNS
    crossed.COLUMNS = (second, first, *rest)
    found = draw.miswired(BUILDS[0], draw.sheets(breadboard(crossed)).values())
    assert [line.split(" joins ")[0] for line in found] == [
        "breadboard: the net column 1",
        "breadboard: the net column 2",
    ]


def test_two_wires_that_touch_are_found():
    sheets = draw.sheets(BUILDS[0])
    sheet = sheets["breadboard.svg"]
    first, second = (BUILDS[0].by_role(f"column {number}")[0] for number in (1, 2))
    sheet.wire(sheet.pins[first.ref, "1"], sheet.pins[second.ref, "1"])
    found = draw.miswired(BUILDS[0], sheets.values())
    assert "the net column 1 joins" in found[0]


def test_wires_that_only_cross_do_not_touch():
    sheet = sheet_of(BUILDS[0])
    sheet.wire((1, 5), (9, 5))
    sheet.wire((5, 1), (5, 9))
    assert len(sheet.islands()) == 2
    sheet.wire((5, 5), (6, 6))
    assert len(sheet.islands()) == 1


def test_a_dot_is_where_three_wires_meet_and_only_there():
    sheet = sheet_of(BUILDS[0])
    sheet.wire((1, 5), (9, 5))
    sheet.wire((5, 1), (5, 9))
    assert b"<circle" not in sheet.svg()
    sheet.wire((7, 5), (7, 8))
    assert sheet.svg().count(b"<circle") == 1


def test_a_part_that_is_not_drawn_is_found():
    build = BUILDS[0]
    pictures = list(draw.drawings(build).values())
    assert draw.unnamed(build, pictures) == []
    assert draw.unnamed(build, [pictures[0], pictures[0]])
    without = [svg.replace(b">R1<", b">R?<") for svg in pictures]
    assert draw.unnamed(build, without) == ["breadboard: R1 stands 0 times in the drawings, not 1"]
