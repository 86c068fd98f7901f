"""The block diagram of a build: its functions and their connections, derived from its steps."""

from collections.abc import Iterator

from nimatron_wiring.drawing import GREY, SMALL, Drawing
from nimatron_wiring.netlist import GUARD, PICO, Build, Part
from nimatron_wiring.steps import in_short

_PASSIVE = ("resistor", "capacitor", "electrolytic", "diode", "tvs", "pot", "stud")
SHORT = {  # short names that fit into a block
    "lamp": "12 V lamps",
    "led": "LEDs",
    "npn": "transistors",
    "mosfet": "MOSFET",
    "TPIC6B595": "shift registers",
    "74AHCT125": "level shifter",
    "ULN2803A": "switches",
    "regulator": "5 V regulator",
    "supply": "plug-in supply",
    "inlet": "DC inlet",
    "fuse": "fuse",
    "switch": "power switch",
    "amplifier": "amplifier",
    "speaker": "loudspeaker",
    "piezo": "piezo buzzer",
    "solenoid": "coin solenoid",
    "arcade": "buttons",
    "tactile": "buttons",
    "filter": "suppressors, filters",
    "guard": "against reversal",
}
_WIDE, _HIGH, _GAP = 5.4, 1.7, 1  # width and height of a block, and the gap between two blocks


def chains(build: Build) -> dict[str, list[tuple[str, str]]]:
    """Return {function: [(names of parts, kind of part)]}, in the order of the steps."""
    steps = list(dict.fromkeys(part.step for part in build.parts))
    here, buttons = steps.index("Pico"), steps.index("buttons")
    functions = {"power": steps[:here], "lamps": steps[here + 1 : buttons]}
    functions |= {name: [name] for name in steps[buttons:]}
    found = {}
    for name, its in functions.items():
        parts = [part for part in build.parts if part.step in its]
        found[name] = list(_blocks(parts))
    return {name: blocks for name, blocks in found.items() if blocks}


def _blocks(parts: list[Part]) -> Iterator[tuple[str, str]]:
    groups: dict[str, list[str]] = {}
    for part in parts:
        kind = _kind(part)
        if kind:
            groups.setdefault(kind, []).append(part.ref)
    for kind, refs in groups.items():
        refs.sort(key=lambda ref: ref.rstrip("0123456789"))
        yield in_short(refs), SHORT[kind]


def _kind(part):
    """Return the kind of block for a part, or "" for a part in no block."""
    if part.role == GUARD:
        return "guard"
    if part.kind in _PASSIVE:
        return "filter" if part.step == "buttons" and part.kind != "capacitor" else ""
    if part.step == "level shifter":
        return "74AHCT125"
    return "" if part.kind in ("rail", "pico") else part.kind


def _gpios(build, name):
    """Return the names of a function's Pico pins, or their number if the names do not fit."""
    others = ("button", "legend", "sounder", "coin")
    first = {"buttons": "button", "signs": "legend"}.get(name, name)
    first = "sounder" if name in ("buzzer", "loudspeaker") else first
    pins = [
        s.node[1]
        for s in build.signals
        if s.name.split()[0] == first or (name == "lamps" and not s.name.startswith(others))
    ]
    told = in_short(pins)
    return told if len(told) < 22 else f"{len(pins)} pins"


def diagram(build: Build) -> Drawing:
    """Draw the power supply above the Pico, the buttons at its left, and the rest at its right."""
    told = chains(build)
    rows = [name for name in told if name not in ("power", "buttons")]
    left = _x(len(told["buttons"]))
    what = f"Nimatron {build.title.lower()}: block diagram"
    sheet = Drawing(what, f"Blocks of parts, joined by arrows: {', '.join(told)}.", -1)
    top = 1.6 + 3 * len(rows)
    pico = (left + 2.2, left + 7.4)
    middle = (1.2 + top) / 2 - 1.5  # halfway between two rows
    sheet.box((pico[0], 1.2), (pico[1], top))
    sheet.text((sum(pico) / 2, top - 0.6), build.part(PICO).value, "middle")
    for n, name in enumerate(rows):
        y = top - 1.7 - 3 * n
        _arrow(sheet, (pico[1], y), (pico[1] + 2.2, y))
        sheet.text((pico[1] + 0.2, y + 0.2), name, size=SMALL, colour=GREY)
        sheet.text((pico[1] - 0.2, y - 0.12), _gpios(build, name), "end", SMALL)
        _chain(sheet, told[name], pico[1] + 2.2, y)
    _chain(sheet, told["buttons"], pico[0] - 2.2 - _x(len(told["buttons"])) + _GAP, middle)
    _arrow(sheet, (pico[0] - 2.2, middle), (pico[0], middle))
    sheet.text((pico[0] + 0.2, middle - 0.12), _gpios(build, "buttons"), size=SMALL)
    if "power" in told:
        y = top + 2
        _chain(sheet, told["power"], 1.5, y)
        last, middle = 1.5 + _x(len(told["power"])) - _GAP - _WIDE / 2, sum(pico) / 2
        bend = top + 0.6
        sheet.line((last, y - _HIGH / 2), (last, bend))
        sheet.line((last, bend), (middle, bend))
        _arrow(sheet, (middle, bend), (middle, top))
        sheet.text((middle - 0.2, top + 0.2), "VSYS, 0 V", "end", SMALL, GREY)
    return sheet


def _x(count):
    return count * (_WIDE + _GAP)


def _chain(sheet, blocks, x, y):
    """Draw blocks from left to right, with an arrow from each block to the next."""
    for n, (refs, what) in enumerate(blocks):
        if n:
            _arrow(sheet, (x - _GAP, y), (x, y))
        sheet.box((x, y - _HIGH / 2), (x + _WIDE, y + _HIGH / 2))
        sheet.text((x + _WIDE / 2, y + 0.15), what, "middle", SMALL)
        sheet.text((x + _WIDE / 2, y - 0.4), refs, "middle", SMALL, GREY)
        x += _WIDE + _GAP


def _arrow(sheet, start, tip):
    bx, by = tip
    sheet.line(start, tip)
    across, along = (0, 0.25) if start[0] == bx else (0.25, 0)
    for side in (-0.15, 0.15):
        back = (bx - across + side * (along > 0), by + along + side * (across > 0))
        sheet.line(tip, back)
