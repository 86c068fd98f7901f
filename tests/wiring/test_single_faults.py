"""Every single fault of the breadboard, injected and found by its electricity."""

import random
import re
from functools import cache

import pytest
import single_faults
from altered import without

from nimatron import diagnosis
from nimatron import wires as firmware
from nimatron.devices import pins
from nimatron_sim.matrix_voltage import Wires
from nimatron_wiring import spice_deck
from nimatron_wiring.breadboard.layout import layout
from nimatron_wiring.circuits import breadboard
from nimatron_wiring.netlist import GROUND

BUILD = breadboard()
FAULTS = list(single_faults.faults(BUILD))
MATRIX = [
    fault
    for fault in FAULTS
    if fault.about.startswith(("row", "column")) and not single_faults.reason(fault)
]
NS = 16  # of a count


def times(wires: Wires, noise=lambda: 0) -> list[int]:
    """Return the counts of one round, as probe.py would find them."""
    found = []
    pads = pins.ROWS + pins.COLUMNS
    for gpio in pins.COLUMNS:
        for way in range(6):
            before = {pad: int(pad == gpio) for pad in pads}
            if way == firmware.AMONG_HIGH:
                before |= dict.fromkeys(pins.COLUMNS, 1)
            driven = {pad: level for pad, level in before.items() if pad != gpio}
            if way < 4:
                driven[pins.ROWS[way]] = 1
            ns = wires.falls(gpio, before, driven)
            count = firmware.NEVER if ns is None else max(0, int(ns / NS) + noise())
            found.append(min(firmware.NEVER, count))
    return found


def shorts(wires):
    rows = [row for row, gpio in enumerate(pins.ROWS, 1) if not wires.reads_back(gpio)]
    return [("row", str(row), "short") for row in rows]


def diagnosed(wires, noise=lambda: 0):
    found = diagnosis.diagnose(times(wires, noise), shorts(wires))
    return found if found is None else ",".join(":".join(fault) for fault in found)


def physics(dice, falling=(0.8, 2.0)):
    """Return the unknown properties of a cabinet: chip, LEDs and the length of its wires. A pad
    reads 0 below 0.8 V and 1 above 2.0 V. A pull-down has 50 to 80 kilo-ohm (RP2040 Datasheet,
    5.5.3)."""
    leds = {}
    nets = {}
    for part in BUILD.parts:
        if part.kind == "led":
            ends = [BUILD.net_of((part.ref, pin)).name for pin in "AC"]
            leds[tuple(ends)] = dice.uniform(1.45, 1.75)
    for net in BUILD.nets:
        nets[net.name] = dice.uniform(15e-12, 120e-12)
    return {
        "knee": leds,
        "falling": dice.uniform(*falling),
        "pull_ohms": dice.uniform(50_000, 80_000),
        "farads": nets,
    }


def jitter(dice):
    return lambda: dice.randint(-1, 1)


def test_faults_come_from_the_netlist():
    assert len({(fault.kind, fault.what) for fault in FAULTS}) == len(FAULTS)
    opened = {ref for fault in FAULTS if fault.kind == "contact open" for ref, _ in fault.cut}
    assert opened == {part.ref for part in BUILD.parts if part.kind != "rail"}
    nets = {fault.about for fault in FAULTS if fault.kind == "net at 3.3 V"}
    assert nets == {net.name for net in BUILD.nets} - {GROUND}
    wires = sum(fault.kind == "wire open" for fault in FAULTS)
    assert wires == len(layout(BUILD).wires)


@pytest.mark.parametrize("number", range(0, len(MATRIX), 12))
def test_single_fault_is_named_within_a_minute(number):
    fault = MATRIX[number]
    assert single_faults.reported(BUILD, fault) in single_faults.cause(BUILD, fault), fault


def test_table_in_the_docs_has_all_faults():
    rows = re.findall(r"^\| (.+) \| (.+) \| (\d+) \| \d+ \|", single_faults.PAGE.read_text(), re.M)
    found = {(about, kind): int(count) for about, kind, count in rows}
    groups = single_faults.groups(BUILD)
    assert found == {key: len(of_group) for key, of_group in groups.items()}
    assert f"has {len(FAULTS)} single faults" in single_faults.PAGE.read_text()


@pytest.mark.long("a minute: each fault of the breadboard")
def test_table_in_the_docs_is_what_the_simulator_finds():
    again = "run: python tests/wiring/single_faults.py"
    assert single_faults.page(BUILD) == single_faults.PAGE.read_text(encoding="utf-8"), again


@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=pytest.mark.long("a minute"))])
def test_no_fault_is_invented_in_any_cabinet(count):
    dice = random.Random(count)
    for _ in range(count):
        how = physics(dice)
        assert diagnosed(single_faults.wires(BUILD, **how), jitter(dice)) == "", how


@pytest.mark.parametrize(
    ("count", "falling", "least"),
    [
        (60, (0.8, 1.7), 95),
        pytest.param(3000, (0.8, 1.7), 95, marks=pytest.mark.long("a minute")),
        pytest.param(3000, (1.7, 2.0), 80, marks=pytest.mark.long("a minute")),
    ],
)
def test_faults_are_named_in_any_cabinet(count, falling, least, record_property):
    dice = random.Random(count)
    missed = []
    for _ in range(count):
        fault, how = dice.choice(MATRIX), physics(dice, falling)
        said = diagnosed(single_faults.wires(BUILD, fault, **how), jitter(dice))
        if said not in single_faults.cause(BUILD, fault):
            missed.append((fault.kind, fault.about, said))
    named = 100 - 100 * len(missed) / count
    record_property(f"single faults named in {count} cabinets, thresholds {falling} V, %", named)
    assert named >= least, missed[:10]


class Weather:
    """A probe of a healthy cabinet that is 40 degrees warmer by day. An LED's voltage falls 2 mV
    per degree. The pads' threshold is up to 1 % off at each measurement, as if 3.3 V moved.

    The times are computed for each of 24 hours, with a low threshold and with a high one. Each
    measurement is a random mixture of both, and a count more or less.
    """

    HOURS, ROUND_MS = 24, 42 * 400

    def __init__(self, dice):
        self._dice = dice
        how = physics(dice)
        self._hours = []
        for hour in range(self.HOURS):
            volts = 0.08 * abs(hour - 12) / 12 - 0.04
            knee = {ends: usual + volts for ends, usual in how["knee"].items()}
            bounds = []
            for share in (0.99, 1.01):
                falling = share * how["falling"]
                there = single_faults.wires(BUILD, **{**how, "knee": knee, "falling": falling})
                bounds.append(times(there))
            self._hours.append(list(zip(*bounds, strict=True)))
        self.rounds = 0

    def begin(self, column, way):
        self._asked = 6 * column + way

    def result(self):
        hour = self.rounds * self.ROUND_MS // 3_600_000 % self.HOURS
        one, other = self._hours[hour][self._asked]
        if self._asked == 41:
            self.rounds += 1
        time = one + int((other - one) * self._dice.random()) + self._dice.randint(-1, 1)
        return min(firmware.NEVER, max(0, time))


@pytest.mark.parametrize(
    ("cabinets", "days"),
    [
        (1, 1),
        pytest.param(50, 1, marks=pytest.mark.long("a minute")),
        pytest.param(5, 30, marks=pytest.mark.long("two minutes")),
    ],
)
def test_survey_invents_no_fault_in_days_of_rounds(cabinets, days, record_property):
    dice = random.Random(days)
    for _ in range(cabinets):
        weather, invented = Weather(dice), []
        survey = firmware.Survey(weather, tuple, lambda *fault, to=invented: to.append(fault))
        while weather.rounds * weather.ROUND_MS < days * 86_400_000:
            survey.step()
        assert (invented, survey.faults) == ([], [])
    record_property(f"rounds of {cabinets} cabinets in {days} days", cabinets * weather.rounds)


# ---------------------------------------------------------------------- ngspice, the judge

PAD = spice_deck.node("column 1")
LED = BUILD.by_role("row 2 lamp 1")[0].ref


LEVELS = 0.9, 1.3  # V below which a pad may read low


@cache
def spiced(row=0, others="low", lacks=None, joined=None):
    """Return the times in us until the released pad of column 1 falls to each of LEVELS in
    ngspice, with this row on, or None if it does not within 55 us. `joined` are two nets."""
    does = dict.fromkeys((f"column {column}" for column in range(2, 8)), others)
    does |= dict.fromkeys((f"row {number}" for number in range(1, 5)), spice_deck.LOW)
    if row:
        does[f"row {row}"] = "PULSE(0 3.3 1.016u 2n 2n 1m 2m)"
    nets = [net.name for net in BUILD.nets if net.name.startswith(("column", "row"))]
    more = [f"C{n} {spice_deck.node(name)} 0 40p" for n, name in enumerate(nets)]
    more += [
        f"SLETGO {spice_deck.V33} {PAD} driven 0 DRIVER",
        "VDRIVEN driven 0 PULSE(1 0 1u 1n 1n 1)",
    ]
    more.append(".model DRIVER SW(VT=0.5 RON=50 ROFF=100G)")
    if joined:
        one, other = map(spice_deck.node, joined)
        more.append(f"RJOINED {one} {other} 0.01")
    deck = spice_deck.deck(without(BUILD, lacks), pins=does, more="\n".join(more))
    found = spice_deck.run(
        deck,
        "tran 40n 60u",
        *(f"meas tran falls{n} WHEN v({PAD})={volts} FALL=1" for n, volts in enumerate(LEVELS)),
        f"meas tran begun FIND v({PAD}) AT=0.9u",
    )
    assert found["begun"] > 3.1
    return [found[name] * 1e6 - 1 if name in found else None for name in ("falls0", "falls1")]


def us(*how, **more):
    """Return the time until the pad falls to the usual level."""
    return spiced(*how, **more)[1]


@pytest.mark.parametrize("level", range(len(LEVELS)))
def test_ngspice_tells_a_lamp_from_an_open_one(level):
    alone, lit = spiced()[level], spiced(row=2)[level]
    model = times(single_faults.wires(BUILD, falling=LEVELS[level], pull_ohms=50_000))
    assert lit / alone == pytest.approx(model[1] / model[firmware.AMONG_LOW], abs=0.1)
    assert lit / alone < 0.6
    assert spiced(row=2, lacks=LED)[level] / spiced(lacks=LED)[level] > 0.99


def test_ngspice_holds_a_column_up_through_a_shorted_lamp():
    nets = "column 1 anodes", "row 2 cathodes"
    assert us(others="high") == pytest.approx(us(), rel=0.1)
    assert us(others="high", joined=nets) is None
    assert us(row=2, joined=nets) < 0.1 < us(joined=nets)


def test_ngspice_shows_which_row_conducts_all_the_time():
    """Another row that is switched on takes a little more charge, but this row takes none."""
    nets = "row 2 cathodes", GROUND
    alone, itself, another = (us(row, joined=nets) for row in (0, 2, 3))
    assert itself == pytest.approx(alone, rel=0.002)
    assert another < 0.985 * alone


def test_ngspice_agrees_that_a_shorted_resistor_cannot_be_seen():
    nets = "column 1", "column 1 anodes"
    assert us(row=2, joined=nets) / us(joined=nets) == pytest.approx(us(row=2) / us(), abs=0.02)


def sign_falls(farads, lacks=None):
    """Return the time in us in ngspice until the released pad of a sign reads low."""
    pad = spice_deck.node("legend you-win")
    more = [
        f"CWIRE {pad} 0 {farads}",
        f"SLETGO {spice_deck.V33} {pad} driven 0 DRIVER",
        "VDRIVEN driven 0 PULSE(1 0 1u 1n 1n 1)",
        ".model DRIVER SW(VT=0.5 RON=50 ROFF=100G)",
    ]
    deck = spice_deck.deck(without(BUILD, lacks), more="\n".join(more))
    found = spice_deck.run(deck, "tran 40n 60u", f"meas tran falls WHEN v({pad})=1.3 FALL=1")
    return found["falls"] * 1e6 - 1


def test_ngspice_cannot_tell_a_sign_from_an_open_one_with_a_shorter_wire():
    """Only one time can be measured, and it depends on the capacitance of the wires."""
    led = BUILD.by_role("legend you-win")[-1]
    assert led.kind == "led"
    opened = [sign_falls(farads, led.ref) for farads in (40e-12, 60e-12)]
    assert sign_falls(20e-12) < opened[0] < sign_falls(120e-12) < opened[1]


def test_ngspice_finds_two_rows_that_touch_between_the_levels():
    """By the RP2040 Datasheet, 5.5.3, any voltage between 0.8 and 2.0 V may read as 0 or as 1."""
    one, other = spice_deck.node("row 1"), spice_deck.node("row 2")
    does = {"row 1": spice_deck.HIGH, "row 2": spice_deck.LOW}
    deck = spice_deck.deck(BUILD, pins=does, more=f"RJOINED {one} {other} 0.01")
    volts = spice_deck.run(deck, "op", f"print v({one})")[f"v({one})"]
    assert 0.8 < volts < 2.0
