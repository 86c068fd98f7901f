"""Results from ngspice for each build: the currents in the budget, and other claims on the pages.

`nimatron wiring --simulate` stores the results in simulated.json, so that a computer without
ngspice writes the same pages. Each result is stored with the revision of its netlist. If the
netlist has changed since then, the page is refused.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from nimatron import board
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_wiring import harness, pico, spice
from nimatron_wiring.budget import GUARD
from nimatron_wiring.netlist import PICO, Build
from nimatron_wiring.spice import BRIGHT, CORNERS, HIGH, LOW, USUAL, deck, node, run

FILE = Path(__file__).with_name("simulated.json")
POSITION = (7, 3, 1, 5)  # a position in which neighbouring rows differ
_EDGE = 10  # ns: the duration of a pin's edge
_NET_FARADS = 100e-12  # the stray capacitance of each net on a breadboard (an estimate)
_CABLE_FARADS = 1e-9  # the capacitance of 10 metres of cable
_ESD_VOLTS = 8000  # contact discharge, IEC 61000-4-2 level 4: 150 pF through 330 ohm


@dataclass(frozen=True)
class Claim:
    """A claim on the pages, with the value from ngspice and its limit."""

    what: str
    value: float
    unit: str
    limit: float
    why: str  # the reason for the limit
    at_least: bool = False

    @property
    def good(self) -> bool:
        return self.value >= self.limit if self.at_least else self.value <= self.limit


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
    """Simulate the builds, and write simulated.json. Raise TierUnavailable or OSError."""
    found = {build.name: asdict(simulate(build)) for build in builds}
    FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def problems(build: Build) -> Iterator[str]:
    """Yield the problems of a build: an outdated simulation, or claims that fail."""
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
                f"{build.name}: {claim.what}: {claim.value:.3g} {claim.unit}, but the limit is "
                f"{claim.limit:g} {claim.unit} ({claim.why}): change the circuit "
                "in wiring/nimatron_wiring/circuits.py"
            )


def simulate(build: Build) -> Simulated:
    """Simulate a build and return the results. Raise TierUnavailable without ngspice."""
    currents, claims = {
        "matrix": (_matrix_currents, _matrix_claims),
        "pixels": (_pixel_currents, _pixel_claims),
        "shift": (_shift_currents, _shift_claims),
    }[build.display]
    found = {name: _rounded(value) for name, value in currents(build).items()}
    told = []
    for what, value, unit, limit, why, *at_least in claims(build):
        told.append(Claim(what, _rounded(value), unit, limit, why, bool(at_least)))
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


def _pin_currents(build, found):
    """Return {signal: mA}, the current out of each pin of the Pico."""
    return {s.name: 1000 * found[f"i(vgp{s.gpio})"] for s in build.signals}


def _print_pins(build):
    return [f"print i(VGP{signal.gpio})" for signal in build.signals]


def _sounder_peak(build):
    """Return the peak current out of the sounder's pin at an edge, in mA."""
    gpio = build.signal("sounder").gpio
    circuit = deck(build, BRIGHT, pins={"sounder": "PULSE(0 3.3 1u 0.1u 0.1u 1m 2m)"})
    found = run(circuit, "tran 20n 20u 0 20n", f"meas tran peak MAX i(VGP{gpio})")
    return 1000 * found["peak"]


def _panel_currents(build, lit, **how):
    """Return the budget rows for all pins, with the pins in `lit` on and all buttons pressed."""
    circuit = deck(build, BRIGHT, pins=lit, closed=_buttons(build), **how)
    found = run(circuit, "op", *_print_pins(build), "print i(V3V3)")
    pins = _pin_currents(build, found)
    pins["sounder"] = _sounder_peak(build)
    out = sum(value for value in pins.values() if value > 0)
    rows = {name: abs(value) for name, value in pins.items()}
    rows["all pins together"] = out
    rows["3.3 V of the Pico"] = pins["sounder"] - 1000 * found["i(v3v3)"]
    return rows, pins


# The matrix


def _matrix_currents(build):
    lit = _all(build, "column", "legend", "coin")
    off = {f"row {row}": LOW for row in range(1, board.ROWS + 1)}
    rows, pins = _panel_currents(build, lit | off | {"row 1": HIGH})
    for row in range(2, board.ROWS + 1):
        name = f"row {row}"
        other = run(deck(build, BRIGHT, pins=lit | off | {name: HIGH}), "op", *_print_pins(build))
        rows[name] = _pin_currents(build, other)[name]
    columns = [value for name, value in pins.items() if name.startswith("column ")]
    rows["each row's transistor"] = sum(columns)
    rows["each lamp, while its row is on"] = max(columns)
    return rows


def _matrix_claims(build):
    lit = _all(build, "column", "legend")
    off = {f"row {row}": LOW for row in range(1, board.ROWS + 1)}
    cathodes = node(build.net_of((build.by_role("row 2")[1].ref, "C")).name)
    drops, sevens, legends = [], [], []
    legend = build.signal("legend your-move").gpio
    column = build.signal("column 1").gpio
    for corner in CORNERS:
        circuit = deck(build, corner, pins=lit | off | {"row 2": HIGH})
        what = f"print v({cathodes}) i(VGP{column}) i(VGP{legend})"
        found = run(circuit, "op", what)
        drops.append(found[f"v({cathodes})"])
        sevens.append(found[f"i(vgp{column})"])
        legends.append(found[f"i(vgp{legend})"])
    yield (
        "voltage across a row's transistor with seven lamps lit, worst case",
        max(drops),
        "V",
        0.2,
        "2N3904 data sheet, VCE(sat) at 10 mA and 1 mA",
    )
    one = {"column 1": HIGH} | {f"column {n}": LOW for n in range(2, board.LAMPS + 1)}
    found = run(deck(build, pins=off | one | {"row 2": HIGH}), "op", f"print i(VGP{column})")
    seven = sevens[CORNERS.index(USUAL)]
    yield (
        "current through a lamp with six others lit, as a share of its current when lit alone",
        100 * seven / found[f"i(vgp{column})"],
        "%",
        90,
        "a smaller drop is not visible",
        True,
    )
    frame = _frame(100)
    duty = _duty(build, frame)
    yield (
        "current through a sign, as a share of the average current through a lamp",
        100 * legends[CORNERS.index(USUAL)] / (seven * duty),
        "%",
        150,
        "with more, a sign looks brighter than a lamp",
    )
    for brightness in (100, 5):
        yield (
            f"charge through an unlit lamp at {brightness} % brightness, as a share of the charge "
            "through a lit lamp",
            100 * _ghost(build, _frame(brightness)),
            "%",
            1,
            "less is not visible, even in the dark",
        )
    yield (
        "current through any lamp while the Pico gets its power",
        1e6 * max(_start(build)),
        "µA",
        1,
        "with less, a lamp is dark",
    )


def _frame(brightness):
    """Return a frame as [(levels of the pins, ns)], from the firmware on the simulated Pico."""
    pico = SimulatedPico(settings={"brightness": brightness})
    try:
        pico.start(*POSITION)
        return list(pico.circuit.chip.driven())
    finally:
        pico.power_off()


def _duty(build, frame):
    """Return the share of a frame in which row 1 is on."""
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


def _start(build):
    """Return the peak current through each LED in amperes, as 3.3 V rises and no pin is driven."""
    leds = [part.ref for part in build.parts if part.kind == "led"]
    circuit = deck(build, v33="PWL(0 0 1m 0 2m 3.3)")
    found = run(circuit, "tran 10u 5m 0 10u", *(f"meas tran {ref} MAX i(V{ref})" for ref in leds))
    return [found[ref.lower()] for ref in leds]


# The builds with a supply


def _of_supply(build, found):
    """Return the budget rows for the supply."""
    (guard,) = build.by_role(GUARD)
    fuse, supply = (
        next(part for part in build.parts if part.kind == kind) for kind in ("fuse", "supply")
    )
    diode = next(part.ref for part in build.parts if part.value == "1N5817")
    loaded = [f"{part.ref} {part.value}" for part in (fuse, guard, supply)]
    rows = dict.fromkeys(loaded, -1000 * found["i(vsupply)"])
    return rows | {f"{diode} into VSYS": 1000 * found["i(vvsys)"]}


def _reversed(build, volts, rail):
    """Yield the claims for a supply with plus and minus swapped: from the start, and suddenly,
    with the capacitors charged."""
    low = f"meas tran low MIN v({node(rail)})"
    swapped = deck(build, supply=f"PWL(0 0 1m -{volts})", loud=False)
    found = run(swapped, "tran 10u 20m 0 10u", low, "meas tran most MAX i(VSUPPLY)")
    at_once = f"PWL(0 0 1m {volts} 20m {volts} 20.1m -{volts})"
    then = run(deck(build, supply=at_once, loud=False), "tran 10u 40m 0 10u", low)
    yield (
        f"undershoot of the {rail} rail below 0 V, with plus and minus of the supply swapped",
        max(0.0, -found["low"], -then["low"]),
        "V",
        0.3,
        "a diode in a chip needs more to conduct",
    )
    yield (
        "current from a supply with plus and minus swapped",
        1000 * found["most"],
        "mA",
        5,
        "with less, nothing gets warm",
    )


def _pixel_currents(build):
    rows, _ = _panel_currents(build, {}, supply="5")
    (drop,), (chain,) = build.by_role("5 V to 4.3 V"), build.by_role("lamps")
    circuit = deck(build, BRIGHT, closed=_buttons(build), supply="5")
    there = run(circuit, "op", f"print i(VSUPPLY) i(V{chain.ref})")
    rows["USB cable"] = -1000 * there["i(vsupply)"]
    return rows | {f"{drop.ref} {drop.value}": 1000 * there[f"i(v{chain.ref.lower()})"]}


def _pixel_claims(build):
    (chain,) = build.by_role("lamps")
    plus, data = (node(build.net_of((chain.ref, pin)).name) for pin in ("+", "DIN"))
    found = run(deck(build, supply="4.4"), "op", f"print v({plus})")
    yield (
        "voltage at the pixels, all lit, with 4.4 V from a weak USB port",
        found[f"v({plus})"],
        "V",
        3.5,
        "WS2812B data sheet, minimum supply voltage",
        True,
    )
    dark = deck(build, pins={"pixels": HIGH}, supply="5.25", loud=False)
    found = run(dark, "op", f"print v({plus}) v({data})")
    yield (
        "high level of the data, as a share of the pixels' supply, all dark, with 5.25 V from USB",
        100 * found[f"v({data})"] / found[f"v({plus})"],
        "%",
        70,
        "WS2812B data sheet, minimum VIH",
        True,
    )


# The exhibit


def _shift_currents(build):
    lit = _all(build, "legend", "coin") | {"shift enable": LOW}
    rows, _ = _panel_currents(build, lit, supply="12")
    chip = next(part for part in build.parts if part.kind == "ULN2803A").ref
    regulator = next(part.ref for part in build.parts if part.kind == "regulator")
    lamps = [part for part in build.parts if part.kind == "lamp"]
    solenoid = next(part.ref for part in build.parts if part.kind == "solenoid")
    switch = next(part.ref for part in build.parts if part.kind == "mosfet")
    there = run(
        deck(build, BRIGHT, pins=lit, closed=_buttons(build), supply="12"),
        "op",
        "print i(VSUPPLY)",
        f"print i(V{regulator}) i(V{solenoid}) i(VVSYS)",
        *(f"print i(V{lamp.ref})" for lamp in lamps),
    )
    of_lamps = {lamp.role: 1000 * there[f"i(v{lamp.ref.lower()})"] for lamp in lamps}
    rows["each output of the registers"] = max(
        value for role, value in of_lamps.items() if role.startswith("row ")
    )
    rows[f"{chip}, each output"] = max(
        value for role, value in of_lamps.items() if role.startswith("legend ")
    )
    rows[f"{switch} coin"] = 1000 * there[f"i(v{solenoid.lower()})"]
    rows[f"{regulator}, 5 V"] = 1000 * there[f"i(v{regulator.lower()})"]
    return rows | _of_supply(build, there)


def _shift_claims(build):
    yield from _reversed(build, 12.6, "12V")
    yield from _enable(build)
    yield from _power_up(build)
    yield from _usb_alone(build)
    yield from _spark(build)
    yield from _press(build)
    yield from _flyback(build)
    yield from _plugs(build)


def _plugs(build):
    """Yield the claims for plugs in each other's headers, with all that is on at once."""
    found = [_worst(other) for other in harness.exchanges(build).values()]
    for what, limit, unit, why in (
        ("voltage of the 5 V rail", 5.25, "V", "its tolerance: the chips bear 5.5 V"),
        ("voltage at VSYS", 5.25, "V", "Raspberry Pi Pico Datasheet: 5.5 V at most"),
        ("current through a pin of the Pico", 4, "mA", pico.DRIVE_SOURCE),
        ("current through a lamp", 25, "mA", "its rating of 20 mA, and a quarter"),
        ("current from the supply", 2000, "mA", "80 % of F1"),
    ):
        worst = max(each[what] for each in found)
        yield (f"{what}, in the worst of {len(found)} exchanges of plugs", worst, unit, limit, why)


def _worst(build):
    lit = _all(build, "legend", "coin") | {"shift enable": LOW}
    lamps = [part.ref for part in build.parts if part.kind == "lamp"]
    five, vsys = (node(name) for name in ("5V", "VSYS"))
    circuit = deck(build, pins=lit, closed=_buttons(build), supply="12.6")
    found = run(
        *(circuit, "op", f"print v({five}) v({vsys}) i(VSUPPLY)", *_print_pins(build)),
        *(f"print i(V{ref})" for ref in lamps),
    )
    return {
        "voltage of the 5 V rail": found[f"v({five})"],
        "voltage at VSYS": found[f"v({vsys})"],
        "current through a pin of the Pico": max(map(abs, _pin_currents(build, found).values())),
        "current through a lamp": max(1000 * abs(found[f"i(v{r.lower()})"]) for r in lamps),
        "current from the supply": -1000 * found["i(vsupply)"],
    }


def _enable(build):
    enable, five = node("shift enable 5 V"), node("5V")
    levels = []
    for does in (HIGH, LOW):
        circuit = deck(build, spice.DIM, pins={"shift enable": does}, supply="12")
        found = run(circuit, "op", f"print v({enable}) v({five})")
        levels.append(100 * found[f"v({enable})"] / found[f"v({five})"])
    why = "TPIC6B595 data sheet (SLIS032B), "
    yield (
        "enable at the registers, lamps dark",
        levels[0],
        "% of 5 V",
        85,
        why + "minimum VIH",
        True,
    )
    yield "enable at the registers, lamps lit", levels[1], "% of 5 V", 15, why + "maximum VIL"
    wave = "PULSE(3.3 0 100u 10n 10n 50u 1m)"
    found = run(
        deck(build, pins={"shift enable": wave}, supply="12"),
        "tran 50n 300u 0 50n",
        f"meas tran falls WHEN v({enable})=4.25 FALL=1",
        f"meas tran rises WHEN v({enable})=4.25 RISE=1",
    )
    yield (
        "lit time at 5 % brightness",
        1e6 * (found["rises"] - found["falls"]),
        "µs",
        55,
        "50 µs and 10 %: a smaller difference is not visible",
    )


def _power_up(build):
    """Yield the largest current through a lamp while only one supply is on, in either order, with
    ones in all registers."""
    lamps = [part.ref for part in build.parts if part.kind == "lamp"]
    worst = 0.0
    for v33 in ("PWL(0 0 4m 0 5m 3.3)", "PWL(0 0 0.2m 3.3)", "PWL(0 0 4m 0 5m 3.3 10m 3.3 11m 0)"):
        circuit = deck(build, supply="PWL(0 0 3m 12)", v33=v33, loud=False)
        found = run(
            circuit, "tran 5u 16m 0 5u", *(f"meas tran {ref} MAX i(V{ref})" for ref in lamps)
        )
        worst = max(worst, *(found[ref.lower()] for ref in lamps))
    yield (
        "current through any lamp while power comes and goes, with ones in all registers",
        1e6 * worst,
        "µA",
        100,
        "less is not visible",
    )


def _usb_alone(build):
    circuit = deck(build, pins=_all(build, "shift"), usb=True, loud=False)
    found = run(circuit, "op", f"print v({node('5V')})")
    yield (
        "the 5 V rail with a USB cable and no supply, all pins high",
        found[f"v({node('5V')})"],
        "V",
        1,
        "at this voltage, no chip works",
    )


def _spark(build):
    """Yield the claims for 8 kV onto a button's cable, without the diodes in the pin."""
    button = next(part for part in build.parts if part.kind == "arcade")
    cable = node(build.net_of((button.ref, "1")).name)
    signal = build.signal(button.role)
    pin = node(build.net_of((PICO, f"GP{signal.gpio}")).name)
    seen = []
    for volts in (_ESD_VOLTS, -_ESD_VOLTS):
        more = (
            f"CCABLE {cable} 0 {_CABLE_FARADS:g}\nCESD esd 0 150p IC={volts}\n"
            f"RESD esd esd2 330\nSESD esd2 {cable} go 0 SPARK\nVGO go 0 PULSE(0 5 1u 1n 1n 1 2)\n"
            ".model SPARK SW(VT=2.5 RON=0.1 ROFF=1T)"
        )
        # start with the capacitors at 3.3 V, as before the spark
        start = f"ic v({cable})=3.3 v({pin})=3.3 v({spice.V33})=3.3"
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
    why = "RP2040 Datasheet, absolute maximum: IOVDD + 0.5 V and -0.5 V"
    yield (
        "voltage at a button's pin with 8 kV on its cable",
        max(s["high"] for s in seen),
        "V",
        3.8,
        why,
    )
    yield (
        "voltage at a button's pin with -8 kV on its cable",
        min(s["low"] for s in seen),
        "V",
        -0.5,
        why,
        True,
    )
    yield (
        "voltage on the cable itself in these cases",
        max(s["cable"] for s in seen),
        "V",
        20,
        "a 0.25 W resistor withstands this",
    )


def _press(build):
    """Yield the time from a press or a release until the Pico sees the level."""
    button = next(part for part in build.parts if part.kind == "arcade")
    cable = node(build.net_of((button.ref, "1")).name)
    pin = node(build.net_of((PICO, f"GP{build.signal(button.role).gpio}")).name)
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
    slow = max(found["press"] - 5e-3, found["release"] - 10e-3)
    yield (
        "delay of a press or release from the contact to the pin",
        1000 * slow,
        "ms",
        1,
        "a shorter delay is not noticeable",
    )


def _flyback(build):
    solenoid = next(part for part in build.parts if part.kind == "solenoid")
    drain = node(build.net_of((solenoid.ref, "2")).name)
    found = run(
        deck(build, pins={"coin": "PULSE(0 3.3 5m 10n 10n 60m 1)"}, supply="12"),
        "tran 20u 90m 0 20u",
        f"meas tran peak MAX v({drain})",
        f"meas tran on FIND v({drain}) AT=64m",
        f"meas tran off TRIG v({drain}) VAL=6 RISE=1 TARG i(V{solenoid.ref}) VAL=0.05 FALL=1",
    )
    why = "IRLB8721 data sheet, drain-source voltage"
    yield "drain voltage when the solenoid is switched off", found["peak"], "V", 30, why
    yield (
        "drain voltage while the solenoid is on",
        found["on"],
        "V",
        0.1,
        "with less, the transistor stays cold",
    )
    yield (
        "time until the solenoid lets go",
        1000 * found["off"],
        "ms",
        20,
        "the chute closes in time",
    )
