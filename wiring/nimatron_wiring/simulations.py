"""Results from ngspice for each build: the currents in the budget, and other claims on the pages.

`nimatron wiring --simulate` stores the results in simulated.json, so that a computer without
ngspice writes the same pages. Each result is stored with the revision of its netlist. If the
netlist has changed since then, the page is refused. claims.csv lists the limits of the claims.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from nimatron import board
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_wiring import harness, spice_deck
from nimatron_wiring.current_budget import GUARD
from nimatron_wiring.kinds import csv_rows
from nimatron_wiring.netlist import Build
from nimatron_wiring.spice_deck import BRIGHT, CORNERS, HIGH, LOW, USUAL, deck, node, run, solved

FILE = Path(__file__).with_name("simulated.json")
POSITION = (7, 3, 1, 5)  # a position in which neighbouring rows differ
_EDGE = 10  # ns: the duration of a pin's edge
_NET_FARADS = 100e-12  # the stray capacitance of each net on a breadboard (an estimate)
_CABLE_FARADS = 1e-9  # the capacitance of 10 metres of cable
_ESD_VOLTS = 8000  # contact discharge, IEC 61000-4-2 level 4: 150 pF through 330 ohm


_LIMITS = {row.pop("claim"): row for row in csv_rows("claims.csv")}  # by the key of the claim


@dataclass(frozen=True)
class Claim:
    """A claim on the pages: a row of claims.csv, with the value from ngspice."""

    key: str
    value: float
    number: int = 0  # the number of cases that were simulated, if the claim has a gap for it

    @property
    def row(self) -> dict[str, str]:
        return _LIMITS[self.key]

    @property
    def what(self) -> str:
        return self.row["what"].format(self.number)

    @property
    def limit(self) -> float:
        return float(self.row["limit"])

    @property
    def told(self) -> str:
        """The limit in words."""
        return f"at {self.row['at']} {self.limit:g} {self.row['unit']}"

    @property
    def good(self) -> bool:
        if self.row["at"] == "least":
            return self.value >= self.limit
        return self.value <= self.limit


@dataclass(frozen=True)
class Simulated:
    revision: str  # the revision of the netlist
    currents: dict[str, float]  # mA, by the names in the budget without GPIO numbers
    claims: tuple[Claim, ...]
    exchanges: tuple[str, ...] = ()  # the pairs of plugs that were exchanged

    def milliamps(self, what: str) -> float | None:
        """Return the current in a row of the budget, or None if it was not simulated."""
        return self.currents.get(re.sub(r"^GP\d+ ", "", what))


def kept(build: Build) -> Simulated:
    """Return the stored results for a build."""
    told = json.loads(FILE.read_text(encoding="utf-8"))[build.name]
    claims = tuple(Claim(**claim) for claim in told["claims"])
    return Simulated(told["revision"], told["currents"], claims, tuple(told["exchanges"]))


def keep(builds: list[Build]) -> None:
    """Simulate the builds, and write simulated.json. Raises TierUnavailable or OSError."""
    found = {build.name: asdict(simulate(build)) for build in builds}
    FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def problems(build: Build) -> Iterator[str]:
    """Yield the problems of a build, such as an outdated simulation or claims that fail."""
    told = kept(build)
    if told.revision != build.revision or told.exchanges != tuple(_exchanges(build)):
        yield (
            f"{build.name}: its netlist or its plugs have changed since it was simulated: "
            "run nimatron wiring --simulate, which needs ngspice"
        )
        return
    for claim in told.claims:
        if not claim.good:
            yield (
                f"{build.name}: {claim.what}: {claim.value:.3g} {claim.row['unit']}, but the "
                f"limit is {claim.told} ({claim.row['why']}): change the circuit in "
                "wiring/nimatron_wiring/circuits.py"
            )


def simulate(build: Build) -> Simulated:
    """Simulate a build and return the results. Raises TierUnavailable if ngspice is missing."""
    currents, claims = {
        "matrix": (_matrix_currents, _matrix_claims),
        "pixels": (_pixel_currents, _pixel_claims),
        "shift": (_shift_currents, _shift_claims),
    }[build.display]
    found = {name: _rounded(value) for name, value in currents(build).items()}
    told = [Claim(key, _rounded(value), *number) for key, value, *number in claims(build)]
    return Simulated(build.revision, found, tuple(told), tuple(_exchanges(build)))


def _exchanges(build):
    return harness.exchanges(build) if build.display == "shift" else {}


def _rounded(value):
    return float(f"{value:.3g}")


# Pins and panel


def _all(build, *kinds):
    """Return {signal: HIGH} for every signal of these kinds."""
    return {signal.name: HIGH for signal in build.signals if signal.name.split()[0] in kinds}


def _buttons(build):
    return [signal.name for signal in build.signals if signal.name.startswith("button ")]


def _milliamps(found, source):
    return 1000 * found[f"i(v{source.lower()})"]


def _pin_currents(build, found):
    """Return {signal: mA}, the current out of each pin of the Pico."""
    return {s.name: _milliamps(found, f"GP{s.gpio}") for s in build.signals}


def _peak(circuit, parts, analysis):
    """Return the largest current through any of the parts, in microamperes."""
    measures = (f"meas tran {part.ref} MAX i(V{part.ref})" for part in parts)
    found = run(circuit, analysis, *measures)
    return 1e6 * max(found[part.ref.lower()] for part in parts)


def _panel_currents(build, lit, **how):
    """Return the budget rows for all pins, with the pins in `lit` on and all buttons pressed, and
    everything that ngspice found."""
    found = solved(deck(build, BRIGHT, pins=lit, closed=_buttons(build), **how))
    gpio = build.signal("sounder").gpio
    edge = deck(build, BRIGHT, pins={"sounder": "PULSE(0 3.3 1u 0.1u 0.1u 1m 2m)"})
    sounder = run(edge, "tran 20n 20u 0 20n", f"meas tran peak MAX i(VGP{gpio})")
    pins = _pin_currents(build, found) | {"sounder": 1000 * sounder["peak"]}
    rows = {name: abs(value) for name, value in pins.items()}
    rows["all pins together"] = sum(value for value in pins.values() if value > 0)
    rows["3.3 V of the Pico"] = pins["sounder"] - _milliamps(found, "3V3")
    return rows, found


# The matrix


def _matrix_currents(build):
    lit = _all(build, "column", "legend", "coin")
    off = {f"row {row}": LOW for row in range(1, board.ROWS + 1)}
    rows, found = _panel_currents(build, lit | off | {"row 1": HIGH})
    for row in range(2, board.ROWS + 1):
        name = f"row {row}"
        other = solved(deck(build, BRIGHT, pins=lit | off | {name: HIGH}))
        rows[name] = _pin_currents(build, other)[name]
    pins = _pin_currents(build, found)
    columns = [value for name, value in pins.items() if name.startswith("column ")]
    rows["each row's transistor"] = sum(columns)
    rows["each lamp, while its row is on"] = max(columns)
    return rows


def _matrix_claims(build):
    lit = _all(build, "column", "legend")
    off = {f"row {row}": LOW for row in range(1, board.ROWS + 1)}
    cathodes = node(build.net_of((build.by_role("row 2")[1].ref, "C")).name)
    cases = [solved(deck(build, corner, pins=lit | off | {"row 2": HIGH})) for corner in CORNERS]
    yield "row drop", max(found[f"v({cathodes})"] for found in cases)
    one = {"column 1": HIGH} | {f"column {n}": LOW for n in range(2, board.LAMPS + 1)}
    alone = _pin_currents(build, solved(deck(build, pins=off | one | {"row 2": HIGH})))
    usual = _pin_currents(build, cases[CORNERS.index(USUAL)])
    yield "row sag", 100 * usual["column 1"] / alone["column 1"]
    mean = usual["column 1"] * _duty(build, _frame(100))
    yield "sign", 100 * usual["legend your-move"] / mean
    for brightness in (100, 5):
        yield f"ghost {brightness}", 100 * _ghost(build, _frame(brightness))
    dark = deck(build, v33="PWL(0 0 1m 0 2m 3.3)")  # no pin is driven
    yield "start", _peak(dark, build.of_kind("led"), "tran 10u 5m 0 10u")


def _frame(brightness):
    """Return a frame as [(levels of the pins, ns)], from the firmware on the simulated Pico."""
    pico = SimulatedPico(settings={"brightness": brightness})
    try:
        pico.start(*POSITION)
        return list(pico.circuit.chip.driven())
    finally:
        pico.power_off()


def _duty(build, frame):
    """Return the fraction of a frame for which row 1 is on."""
    bit = 1 << build.signal("row 1").gpio
    return sum(ns for levels, ns in frame if levels & bit) / sum(ns for _, ns in frame)


def _waves(build, frame):
    """Return {signal: a SPICE source} for the rows and columns, over two frames."""
    signals = [s for s in build.signals if s.name.split()[0] in ("row", "column")]
    waves = {}
    for signal in signals:
        now, points = 0.0, []
        for levels, ns in frame * 2:
            volts = 3.3 if levels >> signal.gpio & 1 else 0
            points += [f"{now + _EDGE:.0f}n {volts:g}", f"{now + ns:.0f}n {volts:g}"]
            now += ns
        waves[signal.name] = f"PWL({' '.join(points)})"
    return waves


def _ghost(build, frame):
    """Return the largest charge through an unlit lamp in a frame, as a share of the smallest
    charge through a lit lamp."""
    ns = sum(ns for _, ns in frame)
    lamps = {
        (row, lamp): build.by_role(f"row {row} lamp {lamp}")[0].ref
        for row in range(1, board.ROWS + 1)
        for lamp in range(1, board.LAMPS + 1)
    }
    nets = [net.name for net in build.nets if net.name.endswith(("anodes", "cathodes"))]
    cables = [f"CNET{n} {node(name)} 0 {_NET_FARADS:g}" for n, name in enumerate(nets)]
    circuit = deck(build, pins=_waves(build, frame), more="\n".join(cables))
    found = run(
        circuit,
        f"tran 50n {2 * ns:.0f}n 0 50n",
        *(
            f"meas tran {ref} INTEG i(V{ref}) from={ns:.0f}n to={2 * ns:.0f}n"
            for ref in lamps.values()
        ),
    )
    lit = {ref for (row, lamp), ref in lamps.items() if lamp <= POSITION[row - 1]}
    charge = {ref: found[ref.lower()] for ref in lamps.values()}
    ghosts = max(charge[ref] for ref in charge if ref not in lit)
    return ghosts / min(charge[ref] for ref in lit)


# The one-hour build


def _pixel_currents(build):
    rows, found = _panel_currents(build, {}, supply="5")
    (drop,), (chain,) = build.by_role("5 V to 4.3 V"), build.by_role("lamps")
    rows["USB cable"] = -_milliamps(found, "SUPPLY")
    return rows | {f"{drop.ref} {drop.value}": _milliamps(found, chain.ref)}


def _pixel_claims(build):
    (chain,) = build.by_role("lamps")
    plus, data = (f"v({node(build.net_of((chain.ref, pin)).name)})" for pin in ("+", "DIN"))
    yield "pixels 5 V", solved(deck(build, supply="4.4"))[plus]
    found = solved(deck(build, pins={"pixels": HIGH}, supply="5.25", loud=False))
    yield "pixels high", 100 * found[data] / found[plus]


# The exhibit


def _lit(build):
    return _all(build, "legend", "coin") | {"shift enable": LOW}


def _shift_currents(build):
    rows, found = _panel_currents(build, _lit(build), supply="12")
    kinds = "ULN2803A", "regulator", "solenoid", "mosfet", "fuse", "supply"
    chip, regulator, solenoid, switch, fuse, supply = (build.of_kind(kind)[0] for kind in kinds)
    (guard,) = build.by_role(GUARD)
    diode = next(part.ref for part in build.parts if part.value == "1N5817")
    lamps = {lamp.role: _milliamps(found, lamp.ref) for lamp in build.of_kind("lamp")}
    for what, kind in (
        ("each output of the registers", "row "),
        (f"{chip.ref}, each output", "legend "),
    ):
        rows[what] = max(value for role, value in lamps.items() if role.startswith(kind))
    rows[f"{switch.ref} coin"] = _milliamps(found, solenoid.ref)
    rows[f"{regulator.ref}, 5 V"] = _milliamps(found, regulator.ref)
    for part in (fuse, guard, supply):
        rows[f"{part.ref} {part.value}"] = -_milliamps(found, "SUPPLY")
    return rows | {f"{diode} into VSYS": _milliamps(found, "VSYS")}


def _shift_claims(build):
    yield from _reversed(build)
    yield from _enable(build)
    yield from _power_up(build)
    usb = solved(deck(build, pins=_all(build, "shift"), usb=True, loud=False))
    yield "USB alone", usb[f"v({node('5V')})"]
    yield from _spark(build)
    yield from _press(build)
    yield from _flyback(build)
    yield from _plugs(build)


def _reversed(build):
    """Yield the claims for a supply with plus and minus swapped, both from the start and suddenly
    with charged capacitors."""
    low = f"meas tran low MIN v({node('12V')})"
    swapped = deck(build, supply="PWL(0 0 1m -12.6)", loud=False)
    found = run(swapped, "tran 10u 20m 0 10u", low, "meas tran most MAX i(VSUPPLY)")
    at_once = deck(build, supply="PWL(0 0 1m 12.6 20m 12.6 20.1m -12.6)", loud=False)
    then = run(at_once, "tran 10u 40m 0 10u", low)
    yield "reversed rail", max(0.0, -found["low"], -then["low"])
    yield "reversed current", 1000 * found["most"]


def _plugs(build):
    """Yield the claims for plugs in each other's headers, with everything on at once."""
    cases = []
    for other in harness.exchanges(build).values():
        circuit = deck(other, pins=_lit(build), closed=_buttons(build), supply="12.6")
        cases.append(solved(circuit))
    pins = [abs(value) for found in cases for value in _pin_currents(build, found).values()]
    lamps = [abs(_milliamps(f, lamp.ref)) for f in cases for lamp in build.of_kind("lamp")]
    for key, values in (
        ("5 V", [found[f"v({node('5V')})"] for found in cases]),
        ("VSYS", [found[f"v({node('VSYS')})"] for found in cases]),
        ("pin", pins),
        ("lamp", lamps),
        ("supply", [-_milliamps(found, "SUPPLY") for found in cases]),
    ):
        yield f"exchanged {key}", max(values), len(cases)


def _enable(build):
    enable, five = node("shift enable 5 V"), node("5V")
    for key, does in (("enable dark", HIGH), ("enable lit", LOW)):
        found = solved(deck(build, spice_deck.DIM, pins={"shift enable": does}, supply="12"))
        yield key, 100 * found[f"v({enable})"] / found[f"v({five})"]
    wave = "PULSE(3.3 0 100u 10n 10n 50u 1m)"
    found = run(
        deck(build, pins={"shift enable": wave}, supply="12"),
        "tran 50n 300u 0 50n",
        f"meas tran falls WHEN v({enable})=4.25 FALL=1",
        f"meas tran rises WHEN v({enable})=4.25 RISE=1",
    )
    yield "lit time", 1e6 * (found["rises"] - found["falls"])


def _power_up(build):
    """Yield the largest current through a lamp while only one supply is on, in either order, with
    ones in all registers."""
    ways = "PWL(0 0 4m 0 5m 3.3)", "PWL(0 0 0.2m 3.3)", "PWL(0 0 4m 0 5m 3.3 10m 3.3 11m 0)"
    decks = [deck(build, supply="PWL(0 0 3m 12)", v33=v33, loud=False) for v33 in ways]
    lamps = build.of_kind("lamp")
    yield "power up", max(0.0, *(_peak(each, lamps, "tran 5u 16m 0 5u") for each in decks))


def _button(build):
    """Return the node of a button's cable, and the node of its pin."""
    button = build.of_kind("arcade")[0]
    ends = (button.ref, "1"), build.signal(button.role).node
    return (node(build.net_of(end).name) for end in ends)


def _spark(build):
    """Yield the claims for 8 kV onto a button's cable, without the diodes in the pin."""
    cable, pin = _button(build)
    seen = []
    for volts in (_ESD_VOLTS, -_ESD_VOLTS):
        more = (
            f"CCABLE {cable} 0 {_CABLE_FARADS:g}\nCESD esd 0 150p IC={volts}\n"
            f"RESD esd esd2 330\nSESD esd2 {cable} go 0 SPARK\nVGO go 0 PULSE(0 5 1u 1n 1n 1 2)\n"
            ".model SPARK SW(VT=2.5 RON=0.1 ROFF=1T)"
        )
        # start with the capacitors at 3.3 V, as before the spark
        start = f"ic v({cable})=3.3 v({pin})=3.3 v({spice_deck.V33})=3.3"
        circuit = deck(build, supply="0", more=f".{start}\n{more}", loud=False, pads=False)
        seen.append(
            run(
                circuit,
                "tran 2n 8u 0 2n uic",
                f"meas tran high MAX v({pin}) from=1u to=8u",
                f"meas tran low MIN v({pin}) from=1u to=8u",
                f"meas tran cable MAX v({cable}) from=1u to=8u",
            )
        )
    yield "spark", max(each["high"] for each in seen)
    yield "negative spark", min(each["low"] for each in seen)
    yield "spark cable", max(each["cable"] for each in seen)


def _press(build):
    """Yield the time from a press or a release until the Pico sees the level."""
    cable, pin = _button(build)
    finger = (
        f"SFINGER {cable} 0 finger 0 FINGER\nVFINGER finger 0 PULSE(0 5 5m 1u 1u 5m 1)\n"
        ".model FINGER SW(VT=2.5 RON=1.6 ROFF=1G)"
    )
    found = run(
        deck(build, supply="12", more=f"{finger}\nCCABLE {cable} 0 {_CABLE_FARADS:g}"),
        "tran 5u 20m 0 5u",
        f"meas tran press WHEN v({pin})=0.8 FALL=1",
        f"meas tran release WHEN v({pin})=2.0 RISE=LAST",
    )
    yield "press", 1000 * max(found["press"] - 5e-3, found["release"] - 10e-3)


def _flyback(build):
    (solenoid,) = build.of_kind("solenoid")
    drain = node(build.net_of((solenoid.ref, "2")).name)
    found = run(
        deck(build, pins={"coin": "PULSE(0 3.3 5m 10n 10n 60m 1)"}, supply="12"),
        "tran 20u 90m 0 20u",
        f"meas tran peak MAX v({drain})",
        f"meas tran on FIND v({drain}) AT=64m",
        f"meas tran off TRIG v({drain}) VAL=6 RISE=1 TARG i(V{solenoid.ref}) VAL=0.05 FALL=1",
    )
    yield "coil off", found["peak"]
    yield "coil on", found["on"]
    yield "coil time", 1000 * found["off"]
