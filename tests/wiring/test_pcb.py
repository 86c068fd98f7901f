"""The circuit board: its files, read back by a library that did not write them, are the netlist
and can be made."""

import csv
import re
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from math import dist
from xml.etree import ElementTree

import pytest
from shapely import MultiLineString, MultiPoint, Point, STRtree

from copper import SIDES, Copper
from nimatron import board
from nimatron.devices import pins
from nimatron_sim.errors import UserError
from nimatron_wiring import write
from nimatron_wiring.circuits import breadboard
from nimatron_wiring.kit import files as kit
from nimatron_wiring.legible import SVG
from nimatron_wiring.netlist import Net
from nimatron_wiring.pcb import design, drawing, gerbers, routes, rules
from nimatron_wiring.pcb.lands import LANDS
from nimatron_wiring.pcb.placement import HEIGHT, SCREW, SCREWS, WIDTH, Pad

BUILD = breadboard()
MADE = design.design(BUILD)
NODES = {(pad.x, HEIGHT - pad.y): pad.node for pad in MADE.pads}


@cache
def files(made=MADE):
    return gerbers.files(made)


@pytest.fixture(scope="module")
def read():
    return Copper(files())


def wanted(build=BUILD, made=MADE):
    """The pins that are to be one piece of metal."""
    there = {pad.node for pad in made.pads}
    nets = [frozenset(there.intersection(net.nodes)) for net in build.nets]
    free = there.difference(*nets)
    return {*nets, *(frozenset([node]) for node in free)}


def edited(name, old, new, count=0):
    """The board with one of its files changed."""
    content = re.sub(old, new, files()[name], count=count)
    assert content != files()[name]
    return Copper(files() | {name: content})


# Joints


def test_the_copper_joins_what_the_netlist_joins_and_nothing_else(read):
    found = read.joined(NODES)
    assert found == wanted()
    assert len(found) > 40 and read.idle == []
    assert {ref for piece in found for ref, _ in piece} == {
        part.ref for part in BUILD.parts if part.kind != "rail"
    }


LONGEST = sorted(MADE.routes.tracks, key=lambda t: -dist(t.start, t.end))


@pytest.mark.parametrize("track", LONGEST[:60:20])
def test_a_broken_track_is_found(track):
    kept = tuple(other for other in MADE.routes.tracks if other != track)
    found = Copper(files(replace(MADE, routes=replace(MADE.routes, tracks=kept)))).joined(NODES)
    (broken,) = wanted() - found
    assert BUILD.net_of(next(iter(broken))).name == track.net


def test_a_missing_via_is_found():
    via, *others = MADE.routes.vias
    found = Copper(files(replace(MADE, routes=replace(MADE.routes, vias=tuple(others))))).joined(
        NODES
    )
    (broken,) = wanted() - found
    assert BUILD.net_of(next(iter(broken))).name == via.net


def test_two_nets_that_touch_are_found():
    one, other = (pad for pad in MADE.pads if pad.node in (("D1", "A"), ("D1", "C")))
    bridge = routes.Track("", routes.BOTTOM, (one.x, one.y), (other.x, other.y))
    tracks = (*MADE.routes.tracks, bridge)
    found = Copper(files(replace(MADE, routes=replace(MADE.routes, tracks=tracks)))).joined(NODES)
    (both,) = found - wanted()
    assert both == {*BUILD.net_of(one.node).nodes, *BUILD.net_of(other.node).nodes}


def test_a_hole_without_copper_on_one_side_is_found():
    """The first pad of the file belongs to GP0, which joins nothing."""
    lost = edited("board.gbl", rb"(D10\*\n)X[^\n]*D03\*\n", rb"\1", 1)
    assert lost.ring() < 0


# Distances


def test_a_board_house_can_make_it(read):
    assert read.clearance >= rules.GAP - 0.001
    assert read.ring(rules.TOOL) >= rules.RING - 0.001
    assert read.to_edge >= rules.EDGE - 0.001
    assert read.wall >= rules.WALL - 0.001
    assert read.print_to_pads >= 0.1
    assert read.board.bounds == pytest.approx((0, 0, WIDTH, HEIGHT))


def test_a_ring_that_is_too_narrow_is_found():
    assert edited("board.gbl", rb"%ADD11C,1\.6\*%", rb"%ADD11C,1.2*%").ring(rules.TOOL) < 0.16
    assert edited("board-plated.drl", rb"C0\.800", b"C1.400").ring(rules.TOOL) < 0.06


def test_a_hole_beside_its_pad_is_found():
    moved = edited("board-plated.drl", rb"X2\.5400Y79\.6800", b"X3.6400Y79.6800")
    assert moved.ring() < 0
    assert moved.joined(NODES) != wanted()


def test_tracks_too_near_to_each_other_are_found():
    assert edited("board.gtl", rb"C,0\.3\*%", b"C,0.5*%").clearance < rules.GAP - 0.05


def test_copper_at_the_edge_is_found():
    assert edited("board.gko", rb"Y100000000", b"Y99000000").to_edge < rules.EDGE
    near = edited("board-not-plated.drl", rb"C3\.200", b"C9.000")
    assert near.to_edge < rules.EDGE


def test_print_on_a_pad_is_found():
    place = MADE.places[1]
    line = design.Words("R", place.x, place.y)
    assert Copper(files(replace(MADE, words=(line,)))).print_to_pads == 0


# Holes, masks, print


def test_each_leg_fits_its_hole(read):
    drilled = {(round(h.x, 3), round(h.y, 3)): h.diameter for h in read.plated}
    for place in MADE.places:
        land = LANDS[place.part.kind]
        for pad in place.pads:
            hole = drilled[round(pad.x, 3), round(HEIGHT - pad.y, 3)]
            assert hole - rules.TOO_TIGHT >= land.leg
            assert hole <= land.leg + 0.4  # else the solder falls through
    vias = len(read.plated) - len(MADE.pads)
    assert vias == len(MADE.routes.vias) and min(drilled.values()) == rules.VIA_HOLE
    screws = {(hole.x, HEIGHT - hole.y, hole.diameter) for hole in read.screws}
    assert screws == {(x, y, SCREW) for x, y in SCREWS}


def test_no_two_holes_are_in_one_place(read):
    places = [(round(hole.x, 2), round(hole.y, 2)) for hole in (*read.plated, *read.screws)]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("kind", ["gts", "gbs"])
def test_the_solder_mask_is_open_at_the_pads_and_closed_elsewhere(read, kind):
    openings = read.shapes(kind)
    assert len(openings) == len(MADE.pads) + len(SCREWS)
    for pad in MADE.pads:
        (here,) = (o for o in openings if o.centroid.distance(_at(pad)) < 0.01)
        wide = here.bounds[2] - here.bounds[0]
        assert wide == pytest.approx(pad.size + 2 * rules.MASK, abs=0.01)
    tree = STRtree([opening.buffer(0.1) for opening in openings])
    near = {
        (int(a), int(b))
        for a in range(len(openings))
        for b in tree.query(openings[a].buffer(0.1), "intersects")
    }
    assert all(a == b for a, b in near)  # a bridge of mask of less than 0.2 mm breaks off


def _at(pad):
    return Point(pad.x, HEIGHT - pad.y)


def test_the_print_can_be_read(read):
    assert all(read.board.contains(shape) for shape in read.shapes("gto"))
    drawn = [(line.text, MultiLineString(gerbers.strokes(line))) for line in MADE.words]
    around = MultiLineString(MADE.outlines)
    for line, (text, shape) in zip(MADE.words, drawn, strict=True):
        left, top, right, bottom = shape.bounds
        high = right - left if line.turned else bottom - top
        assert high >= rules.LETTERS - 0.01, text
        assert shape.distance(around) >= 0.2 + rules.PEN, text
    for (one, a), (other, b) in combinations(drawn, 2):
        assert a.envelope.distance(b.envelope) >= 0.4, (one, other)
    refs = {text.split(" ")[0] for text, _ in drawn}
    assert refs >= {part.ref for part in BUILD.parts if part.kind not in ("rail", "pico")}
    assert {"ROW 1", "ROW 4", "GO", "NEW", "YOUR MOVE", "MACHINE WINS", "USB"} <= {
        t for t, _ in drawn
    }


# Places


def test_the_lamps_are_where_they_are_played():
    where = {place.part.role: place.middle for place in MADE.places if place.part.kind == "led"}
    rows, lamps = range(1, board.ROWS + 1), range(1, board.LAMPS + 1)
    across = {
        where[f"row {r} lamp {b}"][0] - where[f"row {r} lamp {a}"][0]
        for r in rows
        for a, b in pairwise(lamps)
    }
    assert {round(step, 3) for step in across} == {10.16}
    for row in rows:
        assert len({where[f"row {row} lamp {lamp}"][1] for lamp in lamps}) == 1
    down = [where[f"row {row} lamp 1"][1] for row in rows]
    assert down == sorted(down)
    (button,) = (p for p in MADE.places if p.part.role == "button row2")
    assert button.middle == pytest.approx((button.middle[0], down[1])) and button.middle[0] > 82


def test_the_pico_is_the_right_way_round():
    """From above, with the USB socket at the left, pin 1 is below and pin 40 above it."""
    (pico,) = (place for place in MADE.places if place.part.kind == "pico")
    at = {pad.node[1]: (pad.x, pad.y) for pad in pico.pads}
    assert at["GP0"][0] == at["VBUS"][0] == min(x for x, _ in at.values()) < 3
    assert at["GP0"][1] - at["VBUS"][1] == pytest.approx(17.78)
    assert at["GP15"][0] == at["GP16"][0] and at["GP15"][1] == at["GP0"][1]


def test_the_placement_file_has_each_part_once():
    table = list(csv.DictReader(files()["placement.csv"].decode().splitlines()))
    where = {row["Designator"]: (float(row["Mid X"]), float(row["Mid Y"])) for row in table}
    assert len(where) == len(table) == len(MADE.places)
    for place in MADE.places:
        x, y = place.middle
        assert where[place.part.ref] == pytest.approx((x, HEIGHT - y), abs=0.001)


def test_parts_in_one_place_and_over_the_edge_are_faults():
    assert design.faults(MADE) == []
    first, second, *others = MADE.places
    moved = replace(second, x=first.x + 20, y=first.y - 15)
    assert "PICO and R1 overlap" in design.faults(replace(MADE, places=(first, moved, *others)))[0]
    moved = replace(second, x=0.5)
    assert (
        "R1 extends over the edge"
        in design.faults(replace(MADE, places=(first, moved, *others)))[0]
    )


def test_a_net_that_finds_no_way_is_a_fault(monkeypatch):
    monkeypatch.setattr(routes, "_ATTEMPTS", 2)
    x, y = SCREWS[0]
    below = Pad(("R1", "1"), x, y, 0.8, 1.6), Pad(("R2", "1"), 50, 50, 0.8, 1.6)
    net = Net("below a screw", "blue", tuple(pad.node for pad in below))
    lost = routes.routes([net], below)
    assert lost.missing == ("below a screw",)
    (fault,) = design.faults(replace(MADE, routes=lost))
    assert "circuit board: no track can join the net “below a screw”" in fault


@pytest.mark.long("3 s")
def test_a_board_with_a_fault_is_not_drawn(monkeypatch):
    monkeypatch.setattr(design, "faults", lambda made: ["no track can join it"])
    with pytest.raises(UserError, match="no track can join it"):
        write.generate()


def test_the_kit_has_the_board_in_a_folder_of_its_own(tmp_path):
    made = kit.files({drawing.NAME: b"<svg/>"})
    board_files = {name: make for name, make in made.items() if name.startswith("board/")}
    kit.write(tmp_path, board_files)
    there = {path.name: path.read_bytes() for path in (tmp_path / "board").iterdir()}
    assert there == files() | {drawing.NAME: b"<svg/>"}


# Other pins, the same files, the picture


def test_a_board_for_other_pins_is_right_as_well():
    names = {name: getattr(pins, name) for name in dir(pins) if name.isupper()}
    buttons = [
        (name, gpio) for (name, _), (_, gpio) in zip(pins.BUTTONS, pins.BUTTONS[::-1], strict=True)
    ]
    other = type("pins", (), names | {"BUTTONS": tuple(buttons), "COIN": 28})
    build = breadboard(other)
    made = design.design(build)
    assert design.faults(made) == []
    found = Copper(files(made))
    assert found.joined(NODES) == wanted(build, made) != wanted()
    assert found.clearance >= rules.GAP - 0.001


def test_equal_boards_are_equal_files():
    design.design.cache_clear()
    assert gerbers.files(design.design(breadboard())) == files()
    assert not any(b"CreationDate" in content for content in files().values())


def test_the_picture_shows_the_copper_that_is_made(read):
    tree = ElementTree.fromstring(drawing.svg(MADE))
    for name, side in zip(("top", "bottom"), SIDES, strict=True):
        (group,) = (g for g in tree.iter(f"{SVG}g") if g.get("id") == name)
        drawn = [[float(line.get(k)) for k in ("x1", "y1", "x2", "y2")] for line in group]
        lines = MultiLineString([[(a, HEIGHT - b), (c, HEIGHT - d)] for a, b, c, d in drawn])
        pads = MultiLineString([[(x, y), (x, y + 0.01)] for x, y in NODES])
        copper = MultiLineString() if not lines else lines.buffer(rules.TRACK / 2 + 0.01)
        whole = copper.union(pads.buffer(1)).union(_vias())
        assert all(whole.contains(area) for area in read.areas[side])
        assert len(drawn) == sum(track.layer == SIDES.index(side) for track in MADE.routes.tracks)


def _vias():
    return MultiPoint([(via.x, HEIGHT - via.y) for via in MADE.routes.vias]).buffer(
        rules.VIA / 2 + 0.01
    )
