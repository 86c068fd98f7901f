"""The articles to order: every part, with its substitute, as a table for other programs."""

import csv
import dataclasses
import io
import re
from pathlib import Path

import pytest

from nimatron_wiring import bom, checks, current_budget, harness
from nimatron_wiring.circuits import breadboard, builds, exhibit
from nimatron_wiring.kit import contents

FOLDER = Path(__file__).parent.parent.parent / "wiring"
BUILDS = {build.name: build for build in builds()}


@pytest.fixture(params=BUILDS)
def build(request):
    return BUILDS[request.param]


def lines(build):
    return list(csv.DictReader(io.StringIO(bom.table(build).decode())))


def test_the_table_has_every_part_of_the_circuit_once(build):
    told = lines(build)
    there = [line for line in told if line["Reference"] and line["Reference"][0] != "X"]
    named = [ref for line in there for ref in line["Reference"].split(",")]
    assert sorted(named) == sorted(part.ref for part in build.parts if part.kind != "rail")
    assert sum(int(line["Quantity"]) for line in there) == len(named)
    for line in there:
        assert int(line["Order"]) == int(line["Quantity"]) + int(line["Spares"])
        assert line["Substitute"]
        assert bool(line["Manufacturer"]) == bool(line["Manufacturer Part Number"])
        assert bool(line["Number seen in"]) == bool(line["Manufacturer Part Number"])


def test_page_and_table_say_which_numbers_could_be_checked(build):
    page = (FOLDER / "electrical.md").read_text()
    seen = {line["Manufacturer Part Number"]: line["Number seen in"] for line in lines(build)}
    for part, _ in bom.groups(build):
        order = bom.article(part)
        if order.number:
            assert f"{order.number} | {order.source or 'from memory'} |" in page
            assert seen[order.number] == (order.source or "nothing: from memory")


def test_each_line_has_a_price_and_its_month_or_is_counted(build):
    told = [line for line in lines(build) if line["Value"] != "tool"]
    prices = [line["Estimated price of one in euros"] for line in told]
    lowest = highest = 0
    for line, price in zip(told, prices, strict=True):
        assert bool(re.fullmatch(r"20\d\d-[01]\d", line["Month of the price"])) == bool(price)
        if price:
            low, high = map(float, price.split("-"))
            assert 0 < low < high
            lowest += low * int(line["Order"] or 1)
            highest += high * int(line["Order"] or 1)
    page = " ".join((FOLDER / f"{build.name}.md").read_text().split())
    assert f"Together: €{lowest:.0f}-{highest:.0f}." in page
    assert f"Unpriced lines: {prices.count('')}." in page and prices.count("") <= 3
    assert "We estimated the price of one piece without documents" in page


def test_the_table_has_plugs_for_every_cable_and_the_tools():
    told = lines(exhibit())
    number = {
        line["Manufacturer Part Number"]: int(line["Quantity"])
        for line in told
        if line["Quantity"]
    }
    cables = harness.cables(exhibit())
    plugged = [cable for cable in cables if cable.housing]
    plugs = sum(n for name, n in number.items() if name.startswith(("XHP-", "1757019")))
    assert plugs == len(plugged) == len(cables) - 2
    wires = sum(1 for cable in plugged for lead in cable.leads if lead.net)
    assert number["SXH-001T-P0.6"] == wires - 2  # the solenoid has screw terminals
    tools = [line["Part"] for line in told if line["Value"] == "tool"]
    assert (
        tools == bom.tools(exhibit())
        and "soldering iron, solder, sponge, solder wick, helping hands" in tools
    )
    assert not any("solder" in tool for tool in bom.tools(breadboard()))


def test_a_substitute_that_cannot_bear_the_current_is_refused(monkeypatch):
    assert current_budget.problems(bom.substituted(exhibit())) == []
    weak = dataclasses.replace(bom.ARTICLES["diode", "SB560"], rating="Schottky, 40 V 1 A")
    monkeypatch.setitem(bom.ARTICLES, ("diode", "SB560"), weak)
    (why,) = checks.of_build(exhibit())
    assert why.startswith("with substitutes: exhibit: D1 SB560 takes 1503.0 mA, but only 800 mA")


def test_the_kit_has_the_tables():
    pytest.importorskip("ezdxf")
    pytest.importorskip("fpdf")
    kit = contents.files({})
    for build in BUILDS.values():
        assert kit[f"parts-{build.name}.csv"]() == bom.table(build)
