"""The schematics: they can be read, and they are the netlist."""

import itertools
import math
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from miswired import other_pins
from nimatron.devices import pins
from nimatron_wiring import harness, legible, schematics
from nimatron_wiring.circuits import breadboard, builds
from nimatron_wiring.kinds import KINDS
from nimatron_wiring.sheet import LEGIBLE, LETTERS, Sheet

BUILDS = builds()


@pytest.fixture(scope="module", params=BUILDS, ids=lambda build: build.name)
def build(request):
    return request.param


@pytest.fixture(scope="module")
def drawings(build):
    """{name: SVG}: to draw takes half a second."""
    return schematics.drawings(build)


def sheet_of(build):
    """An empty sheet."""
    return Sheet(build, "a test", 30, 16)


def test_the_drawings_of_a_build_can_be_read_and_are_its_netlist(build):
    assert schematics.faults(build) == []


def test_a_build_has_these_drawings_the_same_bytes_each_time(build, drawings):
    names = ["", "-controls", "-blocks"] + ["-cables"] * (build.display == "shift")
    assert list(drawings) == [f"{build.name}{name}.svg" for name in names]
    assert schematics.drawings(build) == drawings


def test_a_drawing_says_which_sheet_it_is_and_of_which_netlist(build, drawings):
    lamps, rest, blocks, *cables = drawings.values()
    for number, svg in enumerate([blocks, lamps, rest, *cables], 1):  # as they are on the page
        words = legible.words(svg)
        assert f"{number} of {len(drawings)}" in words and build.revision in words


def test_text_can_be_read_on_the_paper_that_a_sheet_is_printed_on(build, drawings):
    for svg in drawings.values():
        tree = ElementTree.fromstring(svg)
        width, height = (float(tree.get(name).removesuffix("mm")) for name in ("width", "height"))
        paper = {(297, 210): "A4", (420, 297): "A3"}[width, height]
        assert paper in legible.words(svg)
        pixels = float(tree.get("viewBox").split()[2])
        sizes = {float(text.get("font-size")) for text in tree.iter(f"{legible.SVG}text")}
        assert min(sizes) * width / pixels * 72 / 25.4 >= 7
    sheet = sheet_of(BUILDS[0])
    sheet.text((3, 5), "small", size=3)
    (why,) = sheet.faults()
    assert why.endswith(" points: it must have at least 7 points on paper")


def test_every_ground_points_down_and_every_supply_has_its_name(build):
    for sheet in schematics.sheets(build).values():
        assert any(rail == "0V" for rail, _ in sheet.labels)
        for rail, (x, y) in sheet.labels:
            if rail == "0V":
                boxes = [box for what, box in sheet.bodies if what == "a symbol of 0 V"]
                assert any(
                    left < x < right and top == pytest.approx(y) for left, _, right, top in boxes
                )


def test_active_low_name_has_a_bar():
    low = {pin for kind in ("TPIC6B595", "74AHCT125") for pin in KINDS[kind].low}
    assert low == {"SRCLR", "G", "1OE", "2OE", "3OE", "4OE"}
    sheet = sheet_of(BUILDS[0])
    plain = sheet.svg().count(b"<path") + sheet.svg().count(b"<polyline")
    sheet.text((3, 5), "G", bar=True)
    assert sheet.svg().count(b"<path") + sheet.svg().count(b"<polyline") == plain + 1
    assert legible.faults(sheet.svg()) == []


# Machado, Oliveira and Fernandes 2009, severity 1: who sees no red, no green, no blue
SIGHTS = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.052),
    ),
    (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.01182, 0.04294, 0.968881),
    ),
    (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.3039),
    ),
)


def seen(colour, sight):
    """A colour as CIELAB, as seen with a sight."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    light = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    red, green, blue = (
        min(1, max(0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in sight
    )
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (n ** (1 / 3) if n > 0.008856 else 7.787 * n + 16 / 116 for n in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("sight", SIGHTS)
def test_wire_colours_are_distinct_for_colour_blind_readers(sight):
    """A difference of 2.3 can just be noticed. A thin line needs more."""
    colours = {name: seen(colour, sight) for name, colour in LEGIBLE.items()}
    assert {net.colour for build in BUILDS for net in build.nets} <= set(colours) == set(LETTERS)
    for one, other in itertools.combinations(colours, 2):
        assert math.dist(colours[one], colours[other]) > 15, (one, other)
    white = seen("#ffffff", sight)
    assert all(math.dist(colour, white) > 35 for colour in colours.values())


def test_every_cable_of_the_exhibit_leads_to_what_its_net_joins():
    build = BUILDS[2]
    cables = harness.cables(build)
    assert harness.problems(build) == [] and len({cable.label for cable in cables}) == len(cables)
    for cable in cables:
        for lead in cable.leads:
            net = next(net for net in build.nets if net.name == lead.net)
            assert set(lead.ends) <= set(net.nodes) and lead.colour == net.colour
    rows = [cable for cable in cables if " ROW " in f"{cable.label} " and len(cable.leads) == 8]
    assert len(rows) == 4 and all(cable.leads[-1].net == "12V" for cable in rows)


def test_a_part_on_the_panel_without_a_cable_is_found(monkeypatch):
    monkeypatch.setattr(harness, "cables", lambda build: [])
    assert any("S2 NO is in 0 cables, not in one" in why for why in harness.problems(BUILDS[2]))


def test_a_drawing_says_to_a_screen_reader_what_it_is(build, drawings):
    for svg in drawings.values():
        tree = ElementTree.fromstring(svg)
        assert tree.get("role") == "img"
        title, about = tree[:2]
        assert build.title.lower() in title.text
        assert about.text


def test_every_pin_of_the_pico_has_its_name_and_number(build, drawings):
    schematics = list(drawings.values())[:2]
    words = [word for svg in schematics for word in legible.words(svg)]
    for signal in build.signals:
        assert words.count(f"GP{signal.gpio}") == 1
        assert words.count(signal.name) == 1


@pytest.mark.long("3 s")
def test_other_pins_are_other_drawings_without_a_fault():
    for build, mine in zip(builds(other_pins()), BUILDS, strict=True):
        assert schematics.faults(build) == []
        assert schematics.drawings(build) != schematics.drawings(mine)


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
    sheet.text((29.8, 5), "470 Ω")
    assert legible.faults(sheet.svg()) == ["the words '470 Ω' leave the sheet"]


@pytest.mark.sampled("a second each")
def test_a_wire_that_is_missing_is_found_whichever_it_is(build):
    sheets = list(schematics.sheets(build).values())
    assert schematics.miswired(build, sheets) == []
    for sheet in sheets:
        for wire in list(sheet.wires):
            sheet.wires.remove(wire)
            assert schematics.miswired(build, sheets), f"nobody misses the wire {wire}"
            sheet.wires.append(wire)


def test_two_columns_in_each_others_place_are_found():
    crossed = SimpleNamespace(**vars(pins))
    first, second, *rest = pins.COLUMNS
    crossed.COLUMNS = (second, first, *rest)
    found = schematics.miswired(BUILDS[0], schematics.sheets(breadboard(crossed)).values())
    assert [line.split(" joins ")[0] for line in found] == [
        "breadboard: the net column 1",
        "breadboard: the net column 2",
    ]


def test_two_wires_that_touch_are_found():
    sheets = schematics.sheets(BUILDS[0])
    sheet = sheets["breadboard.svg"]
    first, second = (BUILDS[0].by_role(f"column {number}")[0] for number in (1, 2))
    sheet.wire(sheet.pins[first.ref, "1"], sheet.pins[second.ref, "1"])
    found = schematics.miswired(BUILDS[0], sheets.values())
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
    pictures = list(schematics.drawings(build).values())[:2]
    assert schematics.unnamed(build, pictures) == []
    assert schematics.unnamed(build, [pictures[0], pictures[0]])
    without = [svg.replace(b">R1<", b">R?<") for svg in pictures]
    assert schematics.unnamed(build, without) == [
        "breadboard: R1 is 0 times in the drawings, not 1"
    ]
