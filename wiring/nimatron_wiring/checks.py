"""Checks that must pass before anything is written. A problem is one line with its remedy."""

from types import ModuleType

from nimatron import board
from nimatron_wiring import bom, current_budget, pico
from nimatron_wiring.netlist import GROUND, Build

_PINS = "firmware/nimatron/devices/pins.py"
_BUILDS = "wiring/nimatron_wiring/circuits.py"
_SHIFT = ["clock", "data", "latch", "enable"]
_USABLE = "GP0 to GP22 and GP26 to GP28"

CAPACITY_TOLERANCE = 1.2  # an electrolytic capacitor can have 20 % more than its value
IN_THE_AMPLIFIER = 10e-6  # farads on the amplifier module (an estimate)
REGULATOR_FARADS = 470e-6  # the most capacitance that the regulator can start
REGULATOR_SOURCE = "TSR 1 data sheet, Output Specifications, “Capacitive Load”"


def of_pin_map(pin_map: ModuleType) -> list[str]:
    """Return the problems in the pin map, which must be fixed before a build can be made."""
    found = []
    for name, wanted in (("ROWS", board.ROWS), ("COLUMNS", board.LAMPS)):
        there = len(getattr(pin_map, name))
        if there != wanted:
            found.append(f"{name} has {there} pins, but the board has {wanted}: fix it in {_PINS}")
    names = [name for name, _ in pin_map.SHIFT]
    if names != _SHIFT:
        found.append(
            f"SHIFT names {', '.join(names)}: it must name {', '.join(_SHIFT)} in {_PINS}"
        )
        return found
    matrix = [*pin_map.ROWS, *pin_map.COLUMNS]
    if matrix != list(range(matrix[0], matrix[0] + len(matrix))):
        found.append(
            f"ROWS and COLUMNS are {', '.join(map(str, matrix))}: the PIO program needs them "
            f"consecutive and in order, for example 2 to {len(matrix) + 1}, in {_PINS}"
        )
    for name, allowed in (("clock", pico.SPI0_SCK), ("data", pico.SPI0_TX)):
        gpio = dict(pin_map.SHIFT)[name]
        if gpio not in allowed:
            choice = ", ".join(f"GP{number}" for number in allowed)
            found.append(
                f"shift {name} is on GP{gpio}, which SPI 0 cannot use: choose {choice} in {_PINS}"
            )
    return found


def of_build(build: Build) -> list[str]:
    """Return the problems in a build."""
    wrong = list(_signals(build))
    # on a wrong pin, currents and voltages mean nothing
    found = wrong or [*_pulls(build), *_guards(build), *_cables(build), *_capacity(build)]
    told = [f"{build.name}: {why}" for why in found]
    if wrong:
        return told
    weaker = current_budget.problems(bom.substituted(build))
    return [
        *told,
        *current_budget.problems(build),
        *(f"with substitutes: {why}" for why in weaker),
    ]


def _guards(build):
    """Yield the supplies without a fuse, or without a guard against reversed polarity."""
    for part in build.of_kind("inlet"):
        fuses = [ref for ref, _ in build.neighbours((part.ref, "+"))]
        if [build.part(ref).kind for ref in fuses] != ["fuse"]:
            yield (
                f"+ of {part.ref} leads to {' and '.join(fuses)}: put a fuse there, and nothing "
                f"else, in {_BUILDS}"
            )
        elif not _is_guarded(build, (fuses[0], "2")):
            yield (f"nothing behind {fuses[0]} blocks a reversed supply: add a diode in {_BUILDS}")


def _is_guarded(build, node):
    """Return True if `node` leads only to a diode that blocks a reversed supply."""
    others = build.neighbours(node)
    if len(others) != 1:
        return False
    ((ref, pin),) = others
    kind = build.part(ref).kind
    if kind == "switch":
        return _is_guarded(build, (ref, "2" if pin == "1" else "1"))
    return kind == "diode" and pin == "A"


def _cables(build):
    """Yield buttons on long cables without a suppressor, and coils without a flyback diode."""
    for part in build.of_kind("arcade"):
        cable = build.net_of((part.ref, "1"))
        if ("tvs", "K") not in {(build.part(ref).kind, pin) for ref, pin in cable.nodes}:
            yield (
                f"nothing suppresses sparks on the cable of {part.ref}: add a suppressor diode to "
                f"0 V in {_BUILDS}"
            )
    for part in build.of_kind("solenoid"):
        plus, minus = (build.net_of((part.ref, pin)).nodes for pin in ("1", "2"))
        if not any((ref, "A") in minus for ref, pin in plus if pin == "K"):
            yield f"{part.ref} has no flyback diode, K at its plus: add one in {_BUILDS}"


def _capacity(build):
    """Yield the regulators with more capacitance at their output than they can start."""
    for part in build.of_kind("regulator"):
        there = [build.part(ref) for ref, _ in build.net_of((part.ref, "VOUT")).nodes]
        there = [other for other in there if other.kind in ("capacitor", "electrolytic")]
        farads = sum(current_budget.quantity(other.value, "F") for other in there)
        most = CAPACITY_TOLERANCE * farads + IN_THE_AMPLIFIER
        if most > REGULATOR_FARADS:
            yield (
                f"{part.ref} must charge {most * 1e6:.0f} µF, but it can start only "
                f"{REGULATOR_FARADS * 1e6:g} µF ({REGULATOR_SOURCE}): choose smaller capacitors "
                f"in {_BUILDS}"
            )


def _signals(build):
    users: dict[int, list[str]] = {}
    for signal in build.signals:
        users.setdefault(signal.gpio, []).append(signal.name)
        if signal.node[1] not in pico.NUMBERS:
            there = pico.ON_BOARD.get(signal.gpio)
            why = f"is {there}" if there else "does not exist"
            yield (
                f"{signal.name} is on GP{signal.gpio}, which {why}: "
                f"choose one of {_USABLE} in {_PINS}"
            )
    for gpio, names in users.items():
        if len(names) > 1:
            yield (
                f"GP{gpio} is used by {' and by '.join(names)}: give each its own pin in {_PINS}"
            )


def _pulls(build):
    """Yield the pull resistors that are too weak, on one of the two chips, to hold a pin while the
    firmware does not drive it. Also yield coin chute switches without a pull resistor."""
    for signal in build.signals:
        ends = current_budget.ends(build, signal.node)
        down = min((ohms for end, ohms in ends if end == (GROUND, "rail")), default=None)
        up = min((ohms for end, ohms in ends if end == ("3V3", "rail")), default=None)
        name = f"the resistor that pulls {signal.name}"
        if down and down > pico.PULL_DOWN_OHMS:
            yield (
                f"{name} down has {down:g} Ω, but an RP2350 needs {pico.PULL_DOWN_OHMS} Ω or less "
                f"({pico.E9_SOURCE}): choose a smaller one in {_BUILDS}"
            )
        if up and pico.IO_VOLTS * pico.PULL_UP_OHMS / (pico.PULL_UP_OHMS + up) < pico.HIGH_VOLTS:
            yield (
                f"{name} up has {up:g} Ω, too high for the pull-down that each pin has after "
                f"reset ({pico.RP2040_SOURCE}): choose a smaller one in {_BUILDS}"
            )
        if down is None and any(build.part(ref).kind == "mosfet" for (ref, _), _ in ends):
            yield (
                f"nothing pulls {signal.name} down, so its transistor can conduct "
                f"before the firmware has started: add a resistor of {pico.PULL_DOWN_OHMS} Ω or "
                f"less to 0 V in {_BUILDS}"
            )
