"""The breadboard, hole by hole. The page contains the joints of the netlist, and every leg
fits."""

import dataclasses
import re
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import altered
import pytest
import sight
from paper import Paper, parts
from shapely import Point, box
from sight import words

from miswired import other_pins
from nimatron.devices import pins
from nimatron_sim.errors import UserError
from nimatron_wiring import pico
from nimatron_wiring.breadboard import layout as layouts
from nimatron_wiring.breadboard import legs, paths, picture
from nimatron_wiring.breadboard.footprints import rings
from nimatron_wiring.breadboard.holes import (
    BOARDS,
    LOWER,
    NUMBERS,
    PLUG,
    RAILS,
    UPPER,
    Hole,
    hole,
)
from nimatron_wiring.circuits import breadboard, pixels
from nimatron_wiring.netlist import Part
from nimatron_wiring.svg import SVG

FOLDER = Path(__file__).parent.parent.parent / "wiring"
PAGE, INDEX = ((FOLDER / f"{name}.md").read_text() for name in ("breadboard", "README"))
BUILD = breadboard()
LAYOUT = layouts.layout(BUILD)
STEPS = list(dict.fromkeys(part.step for part in BUILD.parts))


# The machine that a reader builds from the page alone


def schematic(build, placed):
    """Return the nets of these parts, with the reader's names of their pins. The legs of a part
    that may be turned round have no names on the page, so they are named as in `turned`."""
    nets = []
    for net in build.nets:
        nodes = {(ref, pin) for ref, pin in net.nodes if ref in placed or ref == "0V"}
        nets.append(
            {
                (ref, f"{pin.split('.')[0]} {pico.NUMBERS[pin]}" if ref == "PICO" else pin)
                for ref, pin in nodes
            }
        )
    return sorted(filter(None, nets), key=sorted)


def turned(nets, build):
    """Return the nets, with the two pins of each reversible part in one order: the pin whose net
    has the smallest other pin comes first."""
    swaps = {}
    for part in build.parts:
        if part.kind in ("resistor", "piezo", "tactile"):
            ends = {}
            for net in nets:
                for pin in "12":
                    if (part.ref, pin) in net:
                        others = [node for node in net if not unnamed(node, build)]
                        ends[pin] = min(others, default=("~", ""))
            assert len(ends) == 2, f"{part.ref}: one leg is nowhere, or both are on one net"
            if ends["2"] < ends["1"]:
                swaps[part.ref] = {"1": "2", "2": "1"}
    return sorted(
        ({(ref, swaps.get(ref, {}).get(pin, pin)) for ref, pin in net} for net in nets), key=sorted
    )


def unnamed(node, build):
    ref, _ = node
    return any(
        part.ref == ref and part.kind in ("resistor", "piezo", "tactile") for part in build.parts
    )


def compare(page, build, until=99):
    reader = Paper(page, INDEX, until)
    now = {part.ref for part in build.parts if part.step in STEPS[:until]}
    assert reader.placed | {"0V"} == now
    here = dataclasses.replace(build, parts=tuple(p for p in build.parts if p.ref in now))
    return turned(reader.nets, here), turned(schematic(here, now), here)


@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_each_step_of_the_page_is_whole_before_its_test(number):
    built, wanted = compare(PAGE, BUILD, number)
    assert built == wanted
    assert number < len(STEPS) or len(wanted) == len(BUILD.nets) > 40


def test_the_page_fits_the_boards():
    reader = Paper(PAGE, INDEX)
    assert reader.most_in_a_strip() <= 4  # one hole stays free for the probe of a meter
    assert reader.rails_apart() == []
    assert Paper(PAGE, INDEX, 1).rails_apart() == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("| 2-g27 | 2-g32 |", "| 2-g27 | 2-f33 |"),
        ("| R3 | 470 Ω: yellow, violet, brown, gold | 2-h34 ", "| R3 | 470 Ω | 2-h35 "),
        ("| 3-bottom31 | 3-bottom33 |", "| 3-bottom31 | 3-bottom30 |"),
        ("E in 3-e25, B in 3-e26", "B in 3-e25, E in 3-e26"),
    ],
)
def test_the_reader_notices_a_mistake(before, after):
    assert before in PAGE
    page = PAGE.replace(before, after)
    built, wanted = compare(page, BUILD)
    assert built != wanted or Paper(page, INDEX).rails_apart()


def test_two_ends_in_one_hole_are_noticed():
    with pytest.raises(AssertionError, match="both in 2-h24"):
        Paper(PAGE.replace("2-h29 and 2-h33", "2-h24 and 2-h33"), INDEX)


def test_the_lamps_are_where_they_are_played():
    """The lamps are four straight rows of seven, from the upper left, 28 mm apart."""
    where = {}
    for name, what in re.findall(r"^\| (D\d+) \| row (\d lamp \d) \|", PAGE, re.M):
        row, lamp = int(what[0]), int(what[-1])
        legs_ = re.search(rf"^\| {name} \|.* in (\S+), .* in (\S+) \|", PAGE, re.M).groups()
        where[row, lamp] = [hole(leg).xy for leg in legs_]
        assert parts(legs_[1])[2] == parts(legs_[0])[2] + 1  # the longer leg at the right
    assert len(where) == 28
    for row in range(1, 5):
        assert len({y for lamp in range(1, 8) for _, y in where[row, lamp]}) == 1
        lefts = [where[row, lamp][0][0] for lamp in range(1, 8)]
        assert {b - a for a, b in pairwise(lefts)} == {5}
    tops = [where[row, 1][0][1] for row in range(1, 5)]
    assert all(27 < 2.54 * (b - a) < 28.5 for a, b in pairwise(tops))


def test_a_transistors_legs_are_in_the_order_of_the_real_one():
    """On a 2N3904 with the flat side to you and the legs down, they are E, B, C from the left."""
    told = re.findall(
        r"^\| Q\d .*\| E in (\S+), B in (\S+), C in (\S+), (with .*) \|$", PAGE, re.M
    )
    assert len(told) == 4
    for *holes, which_way in told:
        first = parts(holes[0])[2]
        assert [parts(hole_)[2] for hole_ in holes] == [first, first + 1, first + 2]
        assert which_way == "with the flat side towards you"


# The layout itself, also for other pins


def pieces(made):
    """Return the sets of pins that the strips, the wires and the parts join."""
    joints = [(wire.start.strip, wire.end.strip) for wire in made.wires]
    joints += [(leg.hole.strip, (leg.ref, leg.pin)) for place in made.places for leg in place.legs]
    joints.append((Hole(1, made.rails[-1], 3).strip, ("0V", "rail")))
    return {frozenset(end for end in piece if len(end) == 2) for piece in altered.pieces(joints)}


def exists(there):
    """Return True if a board, or the plug of a chain, has this hole."""
    if not there.board:
        return there.line in "xy" and there.number in PLUG.values()
    if there.line in RAILS:
        return 3 <= there.number <= NUMBERS - 2 and (there.number - 2) % 6 != 0
    return there.line in UPPER + LOWER and 1 <= there.number <= NUMBERS and there.board <= BOARDS


def fits(build):
    """Return the layout of a build, which joins the netlist and can be plugged in."""
    made = layouts.layout(build)
    known = {node for net in build.nets for node in net.nodes}
    wanted = {frozenset(net.nodes) for net in build.nets}
    assert {piece & known for piece in pieces(made)} | {frozenset()} == wanted | {frozenset()}
    ends = [(end, "") for wire in made.wires for end in (wire.start, wire.end)]
    ends += [(leg.hole, leg.ref) for place in made.places for leg in place.legs]
    assert all(exists(there) for there, _ in ends)
    assert len({there for there, _ in ends}) == len(ends)  # one end in each hole
    bodies = [box(*place.box(place.footprint.body)) for place in made.places]
    assert not any(one.intersects(other) for one, other in combinations(bodies, 2))
    for place in made.places:
        below = box(*place.box(place.footprint.body))
        assert not any(below.contains(Point(at.xy)) for at, ref in ends if ref != place.ref)
    for wire in made.wires:
        a, b = sorted((wire.start, wire.end))
        if (a.board, a.line) == (b.board, b.line) and b.number - a.number <= paths.FLAT:
            flat = {Hole(a.board, a.line, number) for number in range(a.number + 1, b.number)}
            assert not flat & {there for there, _ in ends}
    return made


@pytest.mark.parametrize("pin_map", [pins, other_pins()], ids=["ours", "others"])
@pytest.mark.parametrize("make", [breadboard, pixels])
def test_a_layout_joins_the_netlist_and_can_be_plugged_in(make, pin_map):
    fits(make(pin_map))


# A netlist that has changed


def test_a_net_by_another_name_and_a_part_less_are_no_matter():
    renamed = tuple(
        dataclasses.replace(net, name=f"{net.name}, renamed") if "cathodes" in net.name else net
        for net in BUILD.nets
    )
    fits(dataclasses.replace(BUILD, nets=renamed))
    fewer = fits(altered.without(BUILD, "R17", "D33"))
    assert len(fewer.wires) == len(LAYOUT.wires) - 2  # no net leads to a part that does not exist


@pytest.mark.parametrize(
    ("part", "why"),
    [
        (
            Part("U9", "74AHCT125", "74AHCT125", step="coin"),
            r"^U9, 74AHCT125, has no place on the breadboard: plan one in wiring/",
        ),
        (Part("3V3", "rail", "3.3 V", step="Pico"), r"^3V3, 3.3 V, has no place"),
    ],
)
def test_part_without_a_place_is_refused_in_one_line(part, why):
    with pytest.raises(UserError, match=why):
        layouts.layout(dataclasses.replace(BUILD, parts=(*BUILD.parts, part)))


# Holes, rings, lengths


def test_a_board_has_830_holes():
    lines = [*"abcdefghij", "top", "bottom"]
    holes = [Hole(1, line, n) for line in lines for n in range(-1, 70)]
    there = [each for each in holes if exists(each)]
    blue = [each for each in there if each.line in ("top", "bottom")]
    assert len(there) - len(blue) + 2 * len(blue) == 830  # each rail has a red one next to it
    assert set(Counter(each.strip for each in there).values()) == {5, 25}
    assert [str(hole(str(each))) for each in there] == [str(each) for each in there]
    with pytest.raises(ValueError, match="not the name of a hole"):
        hole("2-k4")


@pytest.mark.parametrize(
    ("value", "rating", "colours"),
    [
        ("470 Ω", "0.25 W, 5 %", "yellow violet brown gold"),
        ("1 kΩ", "0.25 W, 5 %", "brown black red gold"),
        ("2.2 kΩ", "0.25 W, 5 %", "red red red gold"),
        ("47 kΩ", "0.25 W, 1 %", "yellow violet black red brown"),
        ("10 Ω", "0.25 W, 10 %", "brown black black silver"),
        ("1 MΩ", "0.25 W, 2 %", "brown black black yellow red"),
    ],
)
def test_the_rings_of_a_resistor(value, rating, colours):
    assert rings(value, rating) == colours.split()


@pytest.mark.parametrize(("value", "rating"), [("471 Ω", "5 %"), ("470", "5 %"), ("1 kΩ", "3 %")])
def test_a_resistor_without_rings_is_refused(value, rating):
    with pytest.raises(ValueError, match=f"resistor of {value}"):
        rings(value, rating)


def test_a_wire_is_as_long_as_its_way():
    routes = paths.paths(LAYOUT)
    by_name = {f"{w.start} {w.end}": paths.millimetres(w, routes[w]) for w in LAYOUT.wires}
    assert by_name["2-g27 2-g32"] == 30  # 5 x 2.54 + 14, in steps of 5
    for wire, path in routes.items():
        (ax, ay), (bx, by) = wire.start.xy, wire.end.xy
        straight = 2.54 * ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5
        assert path[0] == (ax, ay) and path[-1] == (bx, by)
        rails = sum(end.line in ("top", "bottom") for end in (wire.start, wire.end))
        if (wire.start.board, wire.start.line) == (wire.end.board, wire.end.line):
            rails = 0  # both ends move if the blue rail is the outer one
        assert straight + 14 + 3 + 2.54 * rails <= by_name[f"{wire.start} {wire.end}"] < 450


def test_the_page_says_how_much_wire_to_buy():
    told = re.search(r"Cut (\d+) wires, with a fifth to spare: (.*)\.$", PAGE, re.M)
    tables = re.findall(r"^\| \d-\w+ \| \d-\w+ \| (\w+) \| (\d+) mm \|$", PAGE, re.M)
    assert int(told[1]) == len(tables) == len(LAYOUT.wires)
    short = sum(int(length) <= 35 for _, length in tables)
    assert f"- {short} of these wires are at most 35 mm long." in PAGE and short > 50
    for number, colour, metres in re.findall(r"(\d+) (\w+) \(([\d.]+) m\)", told[2]):
        mine = [int(length) for other, length in tables if other == colour]
        assert len(mine) == int(number)
        assert 1.2 * sum(mine) / 1000 <= float(metres) <= 1.2 * sum(mine) / 1000 + 0.1
        tables = [row for row in tables if row[0] != colour]
    assert tables == []


# The pictures


def test_each_step_has_a_picture_that_says_what_is_new():
    drawn = picture.pictures(BUILD, LAYOUT)
    assert len(drawn) == len(STEPS) + 1
    there = set(words(drawn[picture.finished_name(BUILD)]))
    assert {part.ref for part in BUILD.parts} - {"0V", "PICO"} <= there
    assert picture.pictures(BUILD, LAYOUT) == drawn
    for number, step in enumerate(STEPS, 1):
        svg = drawn[picture.file_name(BUILD, number)]
        tree = ElementTree.fromstring(svg)
        about = tree[1].text
        for wire in LAYOUT.wires:
            assert (f"{wire.start} to {wire.end}" in about) == (wire.step == step)
        named = [part.ref for part in BUILD.parts if part.step == step]
        named = [ref for ref in named if ref not in ("0V", "PICO")]
        assert set(named) <= set(words(svg))
        assert {str(n) for n in range(1, 41)} <= set(words(svg))  # the pins of the Pico
        assert tree.get("width").endswith("mm")  # life-size


def test_a_picture_shows_what_is_new_and_pale_what_was_there_and_nothing_else():
    drawn = picture.pictures(BUILD, LAYOUT)
    for number, step in enumerate(STEPS, 1):
        tree = ElementTree.fromstring(drawn[picture.file_name(BUILD, number)])
        dots = {(c.get("cx"), c.get("cy")): c for c in tree.iter(f"{SVG}circle")}
        for wire in LAYOUT.wires:
            for end in (wire.start, wire.end):
                dot = dots.get(tuple(f"{at * 2.54:.2f}" for at in end.xy))
                assert (dot is not None) == (wire.step in STEPS[:number]), end
                if dot is not None:
                    look = dot.get("fill"), dot.get("stroke")
                    casing = "#bdbdbd" if wire.colour == "black" else "#3a3a3a"
                    new = look == (picture.WIRES[wire.colour], casing)
                    assert new == (wire.step == step), (end, look)


def test_no_words_in_a_picture_are_smaller_than_7_points():
    for svg in [*picture.pictures(BUILD, LAYOUT).values(), legs.legs(BUILD)]:
        tree = ElementTree.fromstring(svg)
        sizes = [float(e.get("font-size")) for e in tree.iter() if e.get("font-size")]
        assert min(sizes) * 72 / 25.4 >= 7
        scale = float(tree.get("width")[:-2]) / float(tree.get("viewBox").split()[2])
        assert scale == pytest.approx(1, abs=0.01)


def test_the_picture_of_the_legs_names_each_pin_and_its_signal():
    told = words(legs.legs(BUILD))
    for signal in BUILD.signals:
        assert any(signal.name in word and f"GP{signal.gpio}" in word for word in told)
    assert "yellow, violet, brown, gold" in told


# Hidden words and wires in the pictures


def sights(made, build=BUILD):
    """Yield the hidden words and wires in the pictures of a layout."""
    drawn = picture.pictures(build, made)
    names = list(dict.fromkeys(part.step for part in build.parts))
    for number in range(1, len(names) + 1):
        used = {str(there): there.xy for there in picture.visible(made, names[:number])}
        svg = drawn[picture.file_name(build, number)]
        yield from (f"step {number}: {why}" for why in sight.hidden_by_words(svg, used))
    routes = {f"{w.start} to {w.end}": path for w, path in paths.paths(made).items()}
    holes = {f"{leg.ref} {leg.pin}": leg.hole.xy for place in made.places for leg in place.legs}
    yield from sight.hidden_by_wires(routes, holes)


@pytest.mark.parametrize("build", [BUILD, pixels()], ids=lambda build: build.name)
def test_the_pictures_hide_no_hole_and_no_wire(build):
    assert list(sights(layouts.layout(build), build)) == []


def test_a_wire_on_a_wire_is_noticed():
    a, b = [(60, 11), (60, 15), (66, 15)], [(17, 11), (17, 14), (60, 14), (60, 21)]
    assert list(sight.hidden_by_wires({"a": a, "b": b}, {})) == ["a and b touch"]
    b = [(17, 11), (17, 15.6), (60, 15.6), (60, 21)]
    assert list(sight.hidden_by_wires({"a": a, "b": b}, {})) == ["a and b seem to be one wire"]
    b = [(17, 11), (17, 16), (60, 16), (60, 21)]
    assert list(sight.hidden_by_wires({"a": a, "b": b}, {"R1": (40, 16)})) == ["b covers R1"]
    assert list(sight.hidden_by_wires({"a": a, "b": [(50, 13), (70, 13)]}, {})) == []  # a crossing


def test_words_on_a_hole_and_on_words_are_noticed(monkeypatch):
    named = picture._named

    def above(canvas, build, place, used):
        named(canvas, build, place, [])  # as if no hole were used

    monkeypatch.setattr(picture, "_named", above)
    monkeypatch.setattr(picture, "_ON_PICO", 2.8)
    found = list(sights(LAYOUT))
    assert "step 3: the words 'R8' cover 2-j24" in found
    assert "step 1: the words 'GP21' and 'GP10' overlap" in found


def test_a_drawing_that_its_edge_cuts_off_is_noticed(monkeypatch):
    assert sight.outside(legs.legs(BUILD)) == []
    monkeypatch.setattr(legs, "_HEIGHT", {"matrix": 24})
    found = sight.outside(legs.legs(BUILD))
    assert {"one pair to the other", f"{SVG}circle"} <= set(found)
