"""The current budget: the worst-case current through each pin, driver and rail, and its limit.

In the worst case, the supply has its highest voltage, each part has its lowest forward voltage,
switches have no loss, and everything that can be lit at once is lit. All values are from the
netlist.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from nimatron import board
from nimatron_sim.cabinet import Circuit
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_wiring import pico
from nimatron_wiring.kinds import KINDS
from nimatron_wiring.netlist import GUARD, Build, Node, Signal

# The lowest voltage across a part after a resistor, and the source of the figure.
DROPS = {
    "led": (1.6, "red LED, the lowest in common data sheets (1.9 V is typical)"),
    "npn": (0.65, "2N3904 data sheet, VBE(sat), minimum"),
    "piezo": (0.0, "a capacitor: current flows only for an instant, at each edge"),
    "mosfet": (0.0, "its gate is a capacitor: current flows only for an instant, at each edge"),
    "tvs": (6.45, "P6KE6.8A data sheet, minimum breakdown voltage: higher than any voltage here"),
    "rail": (0.0, ""),
}
# The current into an input without a resistor, in mA.
INPUTS = {
    "74AHCT125": (0.001, "SN74AHCT125 data sheet (SCLS264), input current"),
    "ULN2803A": (1.35, "ULN2803A data sheet (SLRS049), maximum input current, at 3.85 V"),
}
# The current that a chip takes from 5 V, in mA: for each input at 3.3 V, and for the chip itself.
CHIPS = {
    "74AHCT125": (1.5, 0.04),  # SN74AHCT125 data sheet (SCLS264), maximum ΔICC and ICC
    "TPIC6B595": (0.0, 5.0),  # TPIC6B595 data sheet (SLIS032B), maximum ICC(FRQ), at 5 MHz
}
RAIL_VOLTS = {"3V3": 3.3, "5V": 5.25, "12V": 12.6}  # highest voltage of each rail

NPN_MILLIAMPS = (200.0, "2N3904 data sheet, collector current")
NPN_GAIN = 10.0  # ratio of collector to base current at which data sheets specify saturation
DRAIN_MILLIAMPS = (150.0, "TPIC6B595 data sheet (SLIS032B), continuous current per output")
DARLINGTON_MILLIAMPS = (500.0, "ULN2803A data sheet (SLRS049), current per output")
SCHOTTKY_MILLIAMPS = (1000.0, "1N5817 data sheet, average forward current")
MOSFET_MILLIAMPS = (2000.0, "IRLB8721 data sheet: 62 A at 10 V. At 3.3 V, we allow 2 A")
PIXEL_MILLIAMPS = 20.0  # for each colour of a pixel at 255 (WS2812B data sheet)
IDLE_MILLIAMPS = 50.0  # for 50 dark pixels (an estimate: 1 mA each)
AMPLIFIER_MILLIAMPS = 600.0  # for 2.5 W from 5 V, at 85 % efficiency
_UNLIMITED = 1000.0
FILL = 0.8  # the share of its rated current that a fuse or supply may carry all the time
EFFICIENCY = 0.85  # the efficiency of the 5 V regulator


@dataclass(frozen=True)
class BudgetRow:
    """One row of the budget."""

    what: str
    how: str  # the calculation, in words
    milliamps: float
    limit: float
    source: str
    sunk: bool = False  # True if the current flows into the Pico's pin

    @property
    def good(self) -> bool:
        return self.milliamps <= self.limit


def quantity(text: str, unit: str) -> float:
    """Return the amount in `unit` from a value: 0.02 for ("12 V 20 mA", "A").

    Raises ValueError if the value has no amount in this unit.
    """
    found = re.search(rf"([0-9.]+) ([mkµn]?){unit}(?![a-zA-Z])", text)
    if not found:
        raise ValueError(f"no number of {unit} in {text!r}")
    factor = {"": 1, "k": 1e3, "m": 1e-3, "µ": 1e-6, "n": 1e-9}[found[2]]
    return float(found[1]) * factor


def budget(build: Build) -> list[BudgetRow]:
    """Return the budget rows: every pin, all pins together, every driver, and every rail."""
    pins = [_pin(build, signal) for signal in build.signals]
    return [*pins, _together(pins), *_drivers(build), *_rails(build, pins)]


def problems(build: Build) -> list[str]:
    return [
        f"{build.name}: {line.what} takes {line.milliamps:.1f} mA, but only {line.limit:g} mA are "
        f"allowed ({line.source}): choose a larger resistor or another part in "
        "wiring/nimatron_wiring/circuits.py"
        for line in budget(build)
        if not line.good
    ]


# Pins


def _pin(build: Build, signal: Signal) -> BudgetRow:
    """Return the budget row for a pin. Only one of the parts on the pin is lit at a time."""
    button = signal.name.startswith("button ")
    sunk = [] if button else list(_sunk(build, signal.node))
    if button:
        how = f"internal pull-up: {pico.IO_VOLTS} V / {pico.PULL_UP_OHMS // 1000} kΩ"
        milliamps = 1000 * pico.IO_VOLTS / pico.PULL_UP_OHMS
    elif sunk:
        milliamps = sum(one for one, _ in sunk)
        how = "current into the pin: " + " + ".join(each for _, each in sunk)
    else:
        milliamps, how = max(_branches(build, signal.node))
    what, limit = f"GP{signal.gpio} {signal.name}", pico.PAD_MILLIAMPS
    return BudgetRow(what, how, milliamps, limit, pico.DRIVE_SOURCE, bool(sunk))


def ends(
    build: Build, node: Node, kinds: tuple[str, ...] = ("resistor",)
) -> list[tuple[Node, float]]:
    """Return [(pin, ohms)]: the pins that `node` leads to, directly or through parts of these
    kinds. A rail hides the other parts on it, because this pin does not hold them."""
    found, front, seen = [], [(node, 0.0)], {node}
    while front:
        start, ohms = front.pop(0)
        others = [other for other in build.neighbours(start) if other not in seen]
        others = [other for other in others if build.part(other[0]).kind == "rail"] or others
        for ref, pin in others:
            seen.add((ref, pin))
            part = build.part(ref)
            if part.kind in kinds:
                end = ref, "2" if pin == "1" else "1"
                seen.add(end)
                front.append((end, ohms + quantity(part.value, "Ω")))
            else:
                found.append(((ref, pin), ohms))
    return found


def _sunk(build: Build, node: Node) -> Iterator[tuple[float, str]]:
    """Yield (mA, arithmetic) for each resistor between a rail and a low pin. A transistor with its
    emitter at the pin may be between them."""
    starts = [(node, 0.0)]
    for ref, pin in build.neighbours(node):
        if (build.part(ref).kind, pin) == ("npn", "E"):
            starts += [((ref, "B"), DROPS["npn"][0]), ((ref, "C"), 0.0)]
    for start, drop in starts:
        for (rail, _), ohms in ends(build, start):
            if rail in RAIL_VOLTS and ohms:
                volts = f"({RAIL_VOLTS[rail]} V - {drop:g} V)" if drop else f"{RAIL_VOLTS[rail]} V"
                yield 1000 * (RAIL_VOLTS[rail] - drop) / ohms, f"{volts} / {ohms:g} Ω"


def _branches(build: Build, node: Node) -> Iterator[tuple[float, str]]:
    """Yield (mA, arithmetic) for the paths from a pin through resistors to other parts."""
    yield 0.0, "nothing flows"
    for (ref, _), ohms in ends(build, node, ("resistor", "pot")):
        kind = build.part(ref).kind
        if kind in INPUTS:
            yield INPUTS[kind][0], f"input of {ref}"
        elif kind in DROPS and ref not in RAIL_VOLTS:
            drop = min(DROPS[kind][0], pico.IO_VOLTS)
            volts = f"({pico.IO_VOLTS} V - {drop:g} V)" if drop else f"{pico.IO_VOLTS} V"
            if ohms:
                yield 1000 * (pico.IO_VOLTS - drop) / ohms, f"{volts} / {ohms:g} Ω"
            else:
                yield _UNLIMITED, f"no resistor before {ref}"


def _together(pins: list[BudgetRow]) -> BudgetRow:
    """Return the budget row for all pins together. Only one row of the matrix is on at a time."""
    rows = [line.milliamps for line in pins if " row " in line.what]
    others = [line.milliamps for line in pins if " row " not in line.what and not line.sunk]
    how = "all pins that deliver current, at the same time"
    if rows:
        how = "7 columns, 1 of the 4 rows at a time, 4 signs, coin, buzzer, 6 pull-ups"
    total = sum(others) + max(rows, default=0)
    return BudgetRow("all pins together", how, total, pico.SUM_MILLIAMPS, pico.RP2040_SOURCE)


# Drivers


def _drivers(build: Build) -> list[BudgetRow]:
    found = {
        "matrix": _transistors,
        "shift": _registers,
        "pixels": _diode,
    }[build.display](build)
    for part in build.of_kind("ULN2803A"):
        limit, source = DARLINGTON_MILLIAMPS
        lamp = _largest(build, "lamp", "legend ")
        found.append(BudgetRow(f"{part.ref}, each output", "one lamp", lamp, limit, source))
    for part in build.of_kind("mosfet"):
        limit, source = MOSFET_MILLIAMPS
        coil = _largest(build, "solenoid")
        found.append(BudgetRow(f"{part.ref} coin", "the solenoid", coil, limit, source))
    return found


@cache
def lit_milliamps() -> float:
    """Return the current through 28 lit pixels, from the firmware's colours at full brightness."""
    machine = SimulatedPico(Circuit(display="pixels"), settings={"display": "pixels"})
    try:
        machine.start(*[board.LAMPS] * board.ROWS)
        sent = [each.to_bytes(3, "big") for each in machine.circuit.display.colours]
    finally:
        machine.power_off()
    return sum(sum(each) for each in sent) / 255 * PIXEL_MILLIAMPS


def _diode(build):
    lamps, (part,) = lit_milliamps(), build.by_role("5 V to 4.3 V")
    how = f"light of 28 pixels {lamps:.0f} mA, idle current {IDLE_MILLIAMPS:g} mA"
    limit = 1000 * quantity(part.rating, "A")
    return [
        BudgetRow(f"{part.ref} {part.value}", how, lamps + IDLE_MILLIAMPS, limit, "its rating")
    ]


def _transistors(build):
    lit = _pin(build, build.signal("column 1")).milliamps
    base = _pin(build, build.signal("row 1")).milliamps
    row = sum(
        _pin(build, build.signal(f"column {lamp}")).milliamps for lamp in range(1, board.LAMPS + 1)
    )
    limit, source = NPN_MILLIAMPS
    led = quantity(build.by_role("row 1 lamp 1")[0].rating, "A") * 1000
    return [
        BudgetRow("each row's transistor", f"{board.LAMPS} x {lit:.1f} mA", row, limit, source),
        BudgetRow(
            "a row's current for its base current",
            f"saturated up to {NPN_GAIN:g} x {base:.2f} mA",
            row,
            NPN_GAIN * base,
            "2N3904 data sheet, VCE(sat) at IC / IB = 10",
        ),
        BudgetRow(
            "each lamp, while its row is on",
            f"a quarter of the time: {lit / board.ROWS:.1f} mA on average",
            lit,
            led,
            "its rating",
        ),
    ]


def _registers(build):
    limit, source = DRAIN_MILLIAMPS
    each = _largest(build, "lamp", "row ")
    return [BudgetRow("each output of the registers", "one lamp", each, limit, source)]


def _largest(build, kind, role=""):
    """Return the largest current of the parts of a kind, from their values, in mA."""
    parts = [part for part in build.of_kind(kind) if part.role.startswith(role)]
    return 1000 * max(quantity(part.value, "A") for part in parts)


# Rails


def _rails(build: Build, pins: list[BudgetRow]) -> list[BudgetRow]:
    sourced = _together(pins).milliamps
    ups = [part for part in build.of_kind("resistor") if _is_on(build, part, "3V3")]
    pulled = sum(1000 * pico.IO_VOLTS / quantity(part.value, "Ω") for part in ups)
    of_3v3 = sourced + pulled
    how = f"pins {sourced:.1f} mA" + (f", pull-ups {pulled:.1f} mA" if ups else "")
    rows = [
        BudgetRow("3.3 V of the Pico", how, of_3v3, pico.RAIL_3V3_MILLIAMPS, pico.PICO_SOURCE),
    ]
    of_pico = pico.VSYS_MILLIAMPS + of_3v3
    how_pico = f"Pico {pico.VSYS_MILLIAMPS:g} mA, its 3.3 V pin {of_3v3:.1f} mA"
    if build.display != "shift":
        lamps = lit_milliamps() + IDLE_MILLIAMPS if build.display == "pixels" else 0
        how_pico += f", pixels {lamps:.0f} mA" if lamps else ""
        usb = "USB 2.0, a configured device"
        return [*rows, BudgetRow("USB cable", how_pico, of_pico + lamps, 500.0, usb)]
    chips = _chips(build)
    limit, source = SCHOTTKY_MILLIAMPS
    diode = next(part.ref for part in build.parts if part.value == "1N5817")
    rows.append(BudgetRow(f"{diode} into VSYS", how_pico, of_pico, limit, source))
    of_5v = of_pico + AMPLIFIER_MILLIAMPS + chips
    (regulator,) = build.of_kind("regulator")
    rows.append(
        BudgetRow(
            f"{regulator.ref}, 5 V",
            f"Pico {of_pico:.0f} mA, amplifier {AMPLIFIER_MILLIAMPS:g} mA, chips {chips:.1f} mA",
            of_5v,
            1000 * quantity(regulator.rating, "A"),
            "its rating",
        )
    )
    lamps = sum(1000 * quantity(part.value, "A") for part in build.of_kind("lamp"))
    coin = _largest(build, "solenoid")
    into = of_5v * 5 / 12 / EFFICIENCY
    how = f"lamps {lamps:g} mA, coin {coin:g} mA, 5 V regulator {into:.0f} mA"
    return rows + _inlet(build, how, lamps + coin + into)


def _is_on(build, resistor, rail):
    """Return True if one end of a resistor is on a rail."""
    return any((rail, "rail") in build.neighbours((resistor.ref, pin)) for pin in ("1", "2"))


def _chips(build):
    """Return the current through the chips and the resistors on the 5 V rail, in mA."""
    nets = {node: net for net in build.nets for node in net.nodes}
    driven = {nets[signal.node] for signal in build.signals if signal.node in nets}
    found = 0.0
    for part in build.parts:
        for_input, besides = CHIPS.get(part.kind, (0.0, 0.0))
        inputs = [pin for pin in KINDS[part.kind].pins if nets.get((part.ref, pin)) in driven]
        found += for_input * len(inputs) + besides
    ups = [part for part in build.of_kind("resistor") if _is_on(build, part, "5V")]
    return found + sum(1000 * RAIL_VOLTS["5V"] / quantity(part.value, "Ω") for part in ups)


def _inlet(build, how, milliamps):
    """Return the budget rows for the first fuse, the supply, and the reverse-polarity guard."""
    fuse, supply = (build.of_kind(kind)[0] for kind in ("fuse", "supply"))
    (guard,) = build.by_role(GUARD)
    share = f"{100 * FILL:.0f} % in continuous use"
    loaded = [(fuse, fuse.value), (guard, guard.rating), (supply, supply.value)]
    return [
        BudgetRow(
            f"{part.ref} {part.value}",
            how,
            milliamps,
            1000 * FILL * quantity(rating, "A"),
            f"its rating, {share}",
        )
        for part, rating in loaded
    ]
