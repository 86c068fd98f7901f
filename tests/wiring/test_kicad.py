"""The circuit boards: KiCad finds nothing in them, and their files, read back by a library that
did not write them, are the netlist. The files of the breadboard build's board can be made."""

import contextlib
import csv
import hashlib
import itertools
import re
import shutil
import subprocess
import zipfile

import pytest
from shapely import Point, STRtree

from copper import Copper
from miswired import wiring
from nimatron import board
from nimatron_sim.errors import TierUnavailable
from nimatron_wiring import harness, kicad, markdown_pages
from nimatron_wiring.circuits import breadboard, exhibit
from nimatron_wiring.kit import contents as kit

BUILD = breadboard()
PYTHON = "/usr/bin/python3"  # KiCad's
# The largest width of a leg in mm, from the data sheets. For a square leg, this is its diagonal.
LEGS = {"pico": 0.91, "resistor": 0.65, "led": 0.71, "npn": 0.6, "tactile": 0.76, "piezo": 0.8}
PADS = {"pico": 1.7, "resistor": 1.6, "led": 1.7, "npn": 1.5, "tactile": 1.8, "piezo": 1.7}


def unpacked(name):
    """Return the files for a PCB manufacturer, by the end of their names."""
    with zipfile.ZipFile(kicad.FOLDER / f"{name}-board.zip") as there:
        files = {name: there.read(name).decode() for name in there.namelist()}
    return {re.split("[.-]", name.removesuffix(".drl"))[-1]: files[name] for name in files} | files


@pytest.fixture(scope="module")
def packed():
    return unpacked("nimatron")


@pytest.fixture(scope="module")
def read(packed):
    return Copper(packed)


def wanted(pads, build=BUILD):
    """Return the pins that must be one piece of metal."""
    joints = kicad.on_board(build)
    nets = {name: frozenset(p for p in joints if joints[p] == name) for name in joints.values()}
    return {*nets.values(), *(frozenset([pin]) for pin in pads if pin not in joints)}


def kind(ref):
    return BUILD.part(ref).kind


# KiCad


def plotted(folder, *changes, name="nimatron"):
    """Let KiCad check a copy of a board with these changes, (old, new), and plot it."""
    there = shutil.copytree(kicad.FOLDER, folder / "board")
    board = there / f"{name}.kicad_pcb"
    text = board.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    board.write_text(text)
    plot = [PYTHON, there / "plot.py", name, folder / "out"]
    with contextlib.suppress(FileNotFoundError):
        done = subprocess.run(plot, capture_output=True, text=True, check=False)
        if "No module named 'pcbnew'" not in done.stderr:
            return done.returncode, done.stderr
    raise TierUnavailable("no KiCad. On Debian, get it with: apt-get install kicad")


def test_kicad_finds_no_fault_and_plots_the_committed_copper(tmp_path, read):
    assert plotted(tmp_path) == (0, "")
    ends = {"gtl": "F_Cu.gtl", "gbl": "B_Cu.gbl", "PTH": "PTH.drl", "NPTH": "NPTH.drl"}
    again = Copper({e: (tmp_path / f"out/nimatron-{n}").read_text() for e, n in ends.items()})
    assert again.joined(again.pads) == read.joined(read.pads)


def test_kicad_finds_deliberate_faults(tmp_path):
    line = '(gr_line (start 49 60) (end 60 60) (layer "F.Cu") (width 0.3))\n'
    faults = {
        "annular_width": ("(size 1.7 1.7) (drill 0.9)", "(size 1.2 1.2) (drill 0.9)"),
        "row 2 cathodes": ('(net 21 "row 2 cathodes") (pinf', '(net 18 "row 1 cathodes") (pinf'),
        "edge": ("(via (at ", f"{line}(via (at "),
    }
    code, report = plotted(tmp_path, *faults.values())
    assert code == 1
    for fault in (*faults, "unconnected_items"):
        assert fault in report


def test_kicad_finds_no_fault_in_the_board_of_the_exhibit(tmp_path):
    assert plotted(tmp_path, name="exhibit") == (0, "")


@pytest.mark.parametrize("name", ["nimatron", "exhibit"])
def test_the_files_are_plotted_from_the_board(name):
    with zipfile.ZipFile(kicad.FOLDER / f"{name}-board.zip") as there:
        digest = hashlib.sha256((kicad.FOLDER / f"{name}.kicad_pcb").read_bytes()).hexdigest()
        assert there.comment.decode() == digest, (
            f"plot again: {PYTHON} wiring/kicad/plot.py {name}"
        )


# Joints


def test_the_copper_joins_what_the_netlist_joins_and_nothing_else(read):
    found = read.joined(read.pads)
    assert found == wanted(read.pads.values()) and len(found) > 40
    assert {ref for piece in found for ref, _ in piece} == {
        part.ref for part in BUILD.parts if part.kind != "rail"
    }


def test_the_copper_of_the_exhibit_joins_what_its_netlist_joins():
    copper = Copper(unpacked("exhibit"))
    found = copper.joined(copper.pads)
    assert found == wanted(copper.pads.values(), exhibit()) and len(found) > 100


def test_a_broken_track_and_a_bridge_are_found(read, packed):
    whole = packed["gtl"]
    net = "%TO.N,row 2 cathodes*%\n"
    track = re.search(re.escape(net) + r"X\S+D02\*\nX\S+D01\*\n", whole)[0]
    broken = Copper(packed | {"gtl": whole.replace(track, net)})
    assert broken.joined(read.pads) != wanted(read.pads.values())
    start, end = (next(at for at, pin in read.pads.items() if pin == ("D1", p)) for p in "AC")
    line = "".join(f"X{x * 1e6:.0f}Y{y * 1e6:.0f}D0{d}*\n" for d, (x, y) in ((2, start), (1, end)))
    bridged = Copper(packed | {"gtl": whole.replace(track, track + line)})
    joints = kicad.joints(BUILD)
    (both,) = bridged.joined(read.pads) - wanted(read.pads.values())
    assert {joints[pin] for pin in both} >= {joints["D1", "A"], joints["D1", "C"]}


def test_a_difference_from_the_netlist_is_named():
    assert kicad.faults(BUILD) == []
    text = (kicad.FOLDER / "nimatron.kicad_pcb").read_text()
    moved = text.replace('(net 21 "row 2 cathodes") (pinf', '(net 18 "row 1 cathodes") (pinf', 1)
    (fault,) = kicad.faults(BUILD, moved)
    assert fault.endswith("is on row 1 cathodes, not on row 2 cathodes")
    assert kicad.faults(BUILD, text.replace('"row 2 cathodes")', '"Net-(D8-PadC)")')) == []
    merged = re.sub(r"\(net \d+ \"row [12] base\"\)", '(net 17 "row 1 base")', text)
    assert kicad.faults(BUILD, merged) == ["row 1 base, row 2 base: one net"]
    other = text.replace('(fp_text value "2K2"', '(fp_text value "470"', 1)
    (fault,) = kicad.faults(BUILD, other)
    assert fault.endswith("is 470, not 2K2")


def test_a_difference_of_the_board_of_the_exhibit_from_its_netlist_is_named():
    assert kicad.faults(exhibit()) == []
    text = (kicad.FOLDER / "exhibit.kicad_pcb").read_text()
    first, second = re.findall(r'\(net \d+ "row 1 lamp [12]"\)', text)[:2]
    swapped = text.replace(first, "#").replace(second, first).replace("#", second)
    assert kicad.faults(exhibit(), swapped) == []  # the names are exchanged everywhere
    cut = text.replace('"COIN"', '"TOKEN"', 1)
    assert kicad.faults(exhibit(), cut) == ["X20 is TOKEN, not COIN"]
    pad = re.search(r'\(pad "3" .*\n *\(net \d+ "row 1 lamp 3"\)', text)[0]
    moved = text.replace(pad, pad.replace(pad[pad.index("(net") :], first), 1)
    (fault,) = kicad.faults(exhibit(), moved)
    assert fault == "pin 3 of X3 is on row 1 lamp 1, not on row 1 lamp 3"


def test_the_page_and_the_kit_know_a_board_for_other_pins(monkeypatch):
    assert markdown_pages._differences(BUILD) == markdown_pages._differences(exhibit()) == ""
    changed = breadboard(wiring(COIN=28))
    faults = kicad.faults(changed)
    assert len(faults) == 2 and "pin 34 of PICO is on no net, not on coin" in faults
    assert faults[0] in markdown_pages._differences(changed)
    made = set(kit.files({}))
    assert {"board/nimatron-board.zip", "board/exhibit.kicad_pcb"} < made
    monkeypatch.setattr(kicad, "faults", lambda build: ["a fault"])
    assert made - set(kit.files({})) == {name for name in made if name.startswith("board/")}


def test_the_holes_of_each_header_are_for_its_series():
    board = kicad.read((kicad.FOLDER / "exhibit.kicad_pcb").read_text())
    found = {}
    for part in kicad.each(board, "footprint"):
        named = {kind: name for _, kind, name, *_ in kicad.each(part, "fp_text")}
        found[named["reference"]] = part[1]
    for cable in harness.cables(exhibit()):
        series, pitch = re.search(r"(\w+), ([\d.]+) mm", cable.series.name).groups()
        assert found[cable.plug] == f"nimatron:{series}_1x{len(cable.leads):02}_P{pitch}mm"


# Distances, holes, masks


def test_each_leg_fits_its_hole(read):
    drilled = {(round(h.x, 3), round(h.y, 3)): h.diameter for h in read.plated}
    for at, (ref, _) in read.pads.items():
        assert 0.08 <= drilled[at] - LEGS[kind(ref)] <= 0.4  # otherwise the solder falls through
    assert {drilled[at] for at in drilled if at not in read.pads} == {0.4}
    assert [hole.diameter for hole in read.screws] == [3.2] * 4
    xs, ys = {hole.x for hole in read.screws}, {hole.y for hole in read.screws}
    assert {(hole.x, hole.y) for hole in read.screws} == set(itertools.product(xs, ys))
    assert len(xs) == len(ys) == 2  # they are the corners of a rectangle


@pytest.mark.parametrize("side", ["gts", "gbs"])
def test_the_solder_mask_is_open_at_the_pads_and_closed_elsewhere(read, side):
    openings = read.shapes(side)
    assert len(openings) == len(read.pads) + len(read.screws)
    tree = STRtree(openings)
    for at, (ref, _) in read.pads.items():
        (here,) = (n for n in tree.query(Point(at), "within"))
        left, _, right, _ = openings[here].bounds
        assert right - left == pytest.approx(PADS[kind(ref)] + 0.1, abs=0.01)
    wide = [opening.buffer(0.1) for opening in openings]  # a bridge of less than 0.2 mm breaks off
    assert len(STRtree(wide).query(wide, "intersects")[0]) == len(openings)


# Places


def test_the_lamps_are_where_they_are_played(read):
    at = {ref: (x, y) for (x, y), (ref, pin) in read.pads.items() if pin in ("A", "1")}
    rows, lamps = range(1, board.ROWS + 1), range(1, board.LAMPS + 1)
    grid = [[at[BUILD.by_role(f"row {r} lamp {n}")[0].ref] for n in lamps] for r in rows]
    assert {round(b[0] - a[0], 2) for row in grid for a, b in itertools.pairwise(row)} == {10.16}
    assert all(len({y for _, y in row}) == 1 for row in grid)
    heights = [row[0][1] for row in grid]
    assert heights == sorted(heights, reverse=True)
    for name, y in zip(board.ROW_BUTTONS, heights, strict=True):
        x, there = at[BUILD.by_role(f"button {name}")[0].ref]
        assert x > grid[0][-1][0] and abs(there - y) < 4


def test_the_pico_is_the_right_way_round(read):
    """Seen from above with the USB socket on the left, pin 1 is below and pin 40 is above."""
    at = {pin: place for place, (ref, pin) in read.pads.items() if ref == "PICO"}
    assert at["1"][0] == at["40"][0] == min(x for x, _ in at.values()) < 3
    assert at["40"][1] - at["1"][1] == pytest.approx(17.78)
    assert at["20"][0] - at["1"][0] == pytest.approx(19 * 2.54)


def test_the_lists_for_assembly_have_each_part_once(packed):
    places = list(csv.DictReader(packed["placement.csv"].splitlines()))
    assert sorted(row["Designator"] for row in places) == sorted(
        part.ref for part in BUILD.parts if part.kind != "rail"
    )
    rows = list(csv.DictReader(packed["parts.csv"].splitlines()))
    refs = [row["Designator"].split(",") for row in rows]
    assert [len(each) for each in refs] == [int(row["Quantity"]) for row in rows]
    assert sorted(itertools.chain(*refs)) == sorted(row["Designator"] for row in places)
    by_part = {(row["Value"], row["Package"]) for row in rows}
    assert by_part == {(row["Value"], row["Package"]) for row in places}
