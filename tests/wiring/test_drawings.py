"""The schematics, which can be read and match the netlist."""

import itertools
import json
import math
import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from xml.etree import ElementTree

import pytest
import sight

import needs
from miswired import other_pins
from nimatron_sim.errors import TierUnavailable
from nimatron_wiring import harness, kicad, schematics
from nimatron_wiring.circuits import builds
from nimatron_wiring.netlist import PICO

BUILDS = builds()


@pytest.fixture(scope="module", params=BUILDS, ids=lambda build: build.name)
def build(request):
    return request.param


@pytest.fixture(scope="module")
def drawings(build):
    """Return {name: SVG}, which takes half a second to draw."""
    return schematics.drawings(build)


@pytest.mark.parametrize("shown", [*BUILDS, *builds(other_pins())], ids=lambda build: build.name)
def test_the_schematics_are_the_netlist(shown):
    parts, rails, nets = Counter(), {}, []
    for text in schematics.sources(shown).values():
        sheet = schematics.Sheet(text)
        for part in sheet.parts:
            told = schematics.fields(part)
            parts[told["Reference"][1], told["Value"][1]] += 1
        for island in sheet.islands():
            names = {sheet.labels[point] for point in island & {*sheet.labels}}
            pins = {pin for pin, point in sheet.pins.items() if point in island}
            if names:
                (name,) = names
                pins |= rails.get(name, set())
                rails[name] = pins
            else:
                nets.append(pins)
    assert {frozenset(pins) for pins in (*nets, *rails.values())} == wanted(shown)
    for part in shown.parts:
        if part.kind != "rail":
            times = len(schematics.sources(shown)) if part.ref == PICO else 1
            assert parts[part.ref, kicad.printed(part)] == times, part


def test_a_build_has_these_drawings(build, drawings):
    names = ["", *["-controls"] * (build.display != "pixels")]
    assert list(drawings) == [f"{build.name}{name}.svg" for name in names]


@cache
def kicad_cli():
    program = needs.program("kicad-cli", "kicad, with a version from 8 on")
    said = subprocess.run([program, "sch"], capture_output=True, text=True, check=False)
    if "erc" not in said.stdout + said.stderr:
        raise TierUnavailable("no kicad-cli with an electrical rules check: it is part of KiCad 8")
    return program


def test_kicad_finds_no_fault_in_the_schematics(build, tmp_path):
    program = kicad_cli()
    main = saved(build, tmp_path)
    shutil.copy(kicad.FOLDER / f"{main.stem}.kicad_pro", tmp_path)  # its severities
    assert violations(program, main) == []
    for sheet in tmp_path.glob("*.kicad_sch"):  # KiCad leaves the parts off the board out
        sheet.write_text(sheet.read_text().replace("(on_board no)", "(on_board yes)"))
    export = [program, "sch", "export", "netlist", "-o", tmp_path / "net", main]
    subprocess.run(export, check=True, capture_output=True)
    assert joined((tmp_path / "net").read_text()) == wanted(build)


def test_kicad_finds_a_pin_without_a_wire(tmp_path):
    assert violations(kicad_cli(), cut(saved(BUILDS[0], tmp_path)))


def cut(main):
    """Remove the first wire from a schematic, and return the path."""
    main.write_text(re.sub(r"\(wire .*\n", "", main.read_text(), count=1))
    return main


def violations(program, main):
    """Return the kinds of errors and warnings that KiCad finds in a schematic."""
    report = main.with_suffix(".json")
    check = [program, "sch", "erc", "--format", "json", "-o", report, main]
    subprocess.run(check, check=True, capture_output=True)
    sheets = json.loads(report.read_text())["sheets"]
    return [found["type"] for sheet in sheets for found in sheet["violations"]]


def saved(build, folder):
    """The path of the main schematic of a build, next to its other sheet."""
    for name, text in schematics.sources(build).items():
        (folder / name).write_text(text)
    return folder / next(iter(schematics.sources(build)))


def joined(netlist):
    """The pins of each net in a netlist that has KiCad's format."""
    found = set()
    (nets,) = kicad.each(kicad.read(netlist), "nets")
    for net in kicad.each(nets, "net"):
        nodes = [{at[0]: at[1] for at in node[1:]} for node in kicad.each(net, "node")]
        found.add(frozenset((n["ref"], n["pin"]) for n in nodes if n["ref"][0] != "#"))
    return found


def wanted(build):
    nets = {}
    for pin, name in kicad.joints(build).items():
        nets.setdefault(name, set()).add(pin)
    return {frozenset(pins) for pins in nets.values()}


def akcli(main):
    pytest.importorskip("akcli")
    export = [sys.executable, "-m", "akcli", "export", "--format", "kicad", main]
    return joined(subprocess.run(export, capture_output=True, text=True, check=True).stdout)


def test_akcli_which_shares_no_code_with_us_finds_the_same_nets(build, tmp_path):
    assert akcli(saved(build, tmp_path)) == wanted(build)


def test_akcli_misses_a_wire(tmp_path):
    assert akcli(cut(saved(BUILDS[0], tmp_path))) != wanted(BUILDS[0])


# Machado, Oliveira and Fernandes 2009, severity 1: people who see no red, no green, no blue
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
    """Return a colour as CIELAB, as a person with this sight sees it."""
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
    """A difference of 2.3 is just noticeable. A thin line needs more."""
    colours = {name: seen(colour, sight) for name, colour in schematics.LEGIBLE.items()}
    assert {net.colour for build in BUILDS for net in build.nets} <= set(colours)
    for one, other in itertools.combinations(colours, 2):
        assert math.dist(colours[one], colours[other]) > 15, (one, other)
    white = seen("#ffffff", sight)
    assert all(math.dist(colour, white) > 35 for colour in colours.values())


def test_every_cable_of_the_exhibit_leads_to_what_its_net_joins():
    build = BUILDS[2]
    cables = harness.cables(build)
    assert len({cable.label for cable in cables}) == len(cables)
    ends = [end for cable in cables for lead in cable.leads for end in lead.ends]
    joints = [node for net in build.nets for node in net.nodes]
    outside = [(ref, pin) for ref, pin in joints if build.part(ref).kind in harness.OUTSIDE]
    assert sorted(ends) == sorted(outside)  # each in one cable
    for cable in cables:
        for lead in filter(lambda lead: lead.net, cable.leads):
            net = next(net for net in build.nets if net.name == lead.net)
            assert set(lead.ends) <= set(net.nodes) and lead.colour == net.colour
    rows = [cable for cable in cables if cable.label.split(" ")[1] == "ROW"]
    assert len(rows) == 8 and all(cable.leads[-1].net == "12V" for cable in rows)
    assert sorted(len(cable.leads) for cable in rows) == [4] * 4 + [5] * 4


def test_a_drawing_says_to_a_screen_reader_what_it_is(build, drawings):
    for svg in drawings.values():
        tree = ElementTree.fromstring(svg)
        assert tree.get("role") == "img"
        title, about = tree[:2]
        assert build.title.lower() in title.text
        assert about.text


def test_no_word_of_a_schematic_lies_on_another_or_on_a_shape(drawings):
    for name, svg in drawings.items():
        found = [*sight.hidden_by_words(svg, {}, sight.LITTLE), *sight.hidden_by_shapes(svg)]
        assert found == [], name


def test_every_pin_of_the_pico_has_its_name_and_number(build, drawings):
    schematics = list(drawings.values())[:2]
    words = [word for svg in schematics for word in sight.words(svg)]
    for signal in build.signals:
        assert words.count(f"GP{signal.gpio} {signal.name}") == 1


def test_the_schematics_of_the_exhibit_name_each_plug_once():
    schematic, controls = schematics.drawings(BUILDS[2]).values()
    words = ", ".join((*sight.words(schematic), *sight.words(controls))).split(", ")
    assert all(words.count(cable.plug) == 1 for cable in harness.cables(BUILDS[2]))
