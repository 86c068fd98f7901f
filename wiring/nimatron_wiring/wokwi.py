"""diagram.json and wokwi.toml: the breadboard build for the simulator at wokwi.com.

Wokwi is digital and has no transistor. So each row's transistor becomes a NOT gate, which has the
same effect without an emitter: if the row's pin is high, the gate pulls the cathodes low.
"""

import json

from nimatron import board
from nimatron_wiring.budget import quantity
from nimatron_wiring.netlist import GROUND, PICO, Build, Part

FIRMWARE = "nimatron.uf2"

# {type: (width and height in pixels, pin names)}. The values are from Wokwi's reference pages
# (docs.wokwi.com/parts) and the source of its parts (wokwi-elements, src/*-element.ts). The gate
# has no page: its size and pins are from diagrams that Wokwi saved.
TYPES = {
    "wokwi-pi-pico": (
        88,
        210,
        [f"GP{n}" for n in (*range(23), 26, 27, 28)]
        + [f"GND.{n}" for n in range(1, 9)]
        + ["VSYS", "VBUS", "3V3", "TP4", "TP5"],
    ),
    "wokwi-led": (40, 50, ["A", "C"]),
    "wokwi-resistor": (59, 12, ["1", "2"]),
    "wokwi-pushbutton": (67, 45, ["1.l", "1.r", "2.l", "2.r"]),
    "wokwi-buzzer": (64, 84, ["1", "2"]),
    "wokwi-gate-not": (72, 48, ["IN", "OUT"]),
}

# Wokwi's type and pin names for each of our kinds. The emitter is ground inside the gate.
_AS = {
    "pico": ("wokwi-pi-pico", {}),
    "led": ("wokwi-led", {"A": "A", "C": "C"}),
    "resistor": ("wokwi-resistor", {"1": "1", "2": "2"}),
    "tactile": ("wokwi-pushbutton", {"1": "1.l", "2": "2.r"}),
    "piezo": ("wokwi-buzzer", {"1": "1", "2": "2"}),
    "npn": ("wokwi-gate-not", {"B": "IN", "C": "OUT"}),
}
_GROUND_PIN = "GND.8"

_KEYS = {row: row[-1] for row in board.ROW_BUTTONS} | {board.GO: "g", board.NEW: "n"}
_PITCH_X, _PITCH_Y = 80, 70
_LEFT, _TOP = 400, 60  # the position of the first lamp


def files(build: Build) -> dict[str, bytes]:
    return {
        "diagram.json": (json.dumps(diagram(build), indent=1, ensure_ascii=False) + "\n").encode(),
        "wokwi.toml": f"[wokwi]\nversion = 1\nfirmware = '{FIRMWARE}'\n".encode(),
    }


def diagram(build: Build) -> dict:
    parts = [part for part in build.parts if part.kind != "rail"]
    places = _places(build)
    return {
        "version": 1,
        "author": "nimatron wiring",
        "editor": "wokwi",
        "parts": [
            {
                "type": _AS[part.kind][0],
                "id": _id(part.ref),
                "left": places[part.ref][0],
                "top": places[part.ref][1],
                "attrs": _attributes(part),
            }
            for part in parts
        ],
        "connections": _connections(build),
        "serialMonitor": {"display": "terminal"},
    }


# The keys and types of a diagram and of its parts, as in
# https://docs.wokwi.com/diagram-format. A connection has two ends, a colour or "", and the path
# of the wire.
_DIAGRAM = {
    "version": int,
    "author": str,
    "editor": str,
    "parts": list,
    "connections": list,
    "serialMonitor": dict,
}
_PART = {
    "id": str,
    "type": str,
    "left": (int, float),
    "top": (int, float),
    "attrs": dict,
    "rotate": (int, float),
    "hide": bool,
}
_WHERE = "fix it in wiring/nimatron_wiring/wokwi.py"


def _misshapen(diagram):
    """Yield the deviations from the published format."""
    yield from _fields("the diagram", diagram, _DIAGRAM, ("version", "parts", "connections"))
    if diagram.get("version") != 1:
        yield f"diagram.json: its version is {diagram.get('version')}, not 1: {_WHERE}"
    for part in diagram.get("parts", ()):
        yield from _fields(f"part {part.get('id')}", part, _PART, ("id", "type"))
        for name, value in part.get("attrs", {}).items():
            if not isinstance(value, str):
                yield f"diagram.json: {name} of {part.get('id')} is not a string: {_WHERE}"
    ids = [part.get("id") for part in diagram.get("parts", ())]
    for ref in {ref for ref in ids if ids.count(ref) > 1}:
        yield f"diagram.json: {ids.count(ref)} parts are called {ref}: {_WHERE}"
    for joint in diagram.get("connections", ()):
        texts = joint[:3]
        good = len(joint) == 4 and all(isinstance(text, str) for text in texts)
        if not (good and isinstance(joint[3], list)):
            yield f"diagram.json: {joint} is not a connection (two ends, colour, path): {_WHERE}"


def _fields(what, there, allowed, needed):
    for name in needed:
        if name not in there:
            yield f"diagram.json: {what} has no {name}: {_WHERE}"
    for name, value in there.items():
        if name not in allowed:
            yield f"diagram.json: {what} has {name}, which is unknown to Wokwi: {_WHERE}"
        elif not isinstance(value, allowed[name]):
            yield f"diagram.json: {name} of {what} is {value!r}, which is the wrong type: {_WHERE}"


def problems(diagram: dict) -> list[str]:
    """Return the deviations from the published format, and the types and pins unknown to Wokwi."""
    misshapen = list(_misshapen(diagram))
    if misshapen:
        return misshapen
    where = _WHERE
    types = {part["id"]: part["type"] for part in diagram["parts"]}
    found = [
        f"diagram.json: Wokwi has no part {kind} ({ref}): {where}"
        for ref, kind in types.items()
        if kind not in TYPES
    ]
    for connection in diagram["connections"]:
        for end in connection[:2]:
            ref, _, pin = end.partition(":")
            kind = types.get(ref)
            if kind is None:
                found.append(f"diagram.json: a wire goes to {ref}, which is not a part: {where}")
            elif kind in TYPES and pin not in TYPES[kind][2]:
                found.append(f"diagram.json: {kind} has no pin {pin} ({end}): {where}")
    return found


def _id(ref):
    return ref.lower()


def _connections(build):
    found = []
    for net in build.nets:
        ends = [end for node in net.nodes if (end := _end(build, node))]
        ends = list(dict.fromkeys(ends))
        # If the Pico is on the net, all wires start at the Pico.
        ends.sort(key=lambda end: not end.startswith(f"{_id(PICO)}:"))
        found += [[ends[0], end, net.colour, []] for end in ends[1:]]
    return found


def _end(build, node):
    ref, pin = node
    if ref == GROUND or pin.startswith("GND"):
        return f"{_id(PICO)}:{_GROUND_PIN}"
    if ref == PICO:
        return f"{_id(PICO)}:{pin}"
    pin = _AS[build.part(ref).kind][1].get(pin)
    return pin and f"{_id(ref)}:{pin}"


def _attributes(part: Part):
    if part.kind == "resistor":
        return {"value": f"{quantity(part.value, 'Ω'):g}"}
    if part.kind == "led":
        attributes = {"color": "red" if part.role.startswith("row ") else "yellow"}
        if not part.role.startswith("row "):
            attributes["label"] = part.role.removeprefix("legend ")
        return attributes
    if part.kind == "tactile":
        name = part.role.removeprefix("button ")
        return {"label": name, "key": _KEYS[name]}
    return {}


def _places(build):
    """Return {ref: (left, top)}: lamps as on the panel, other parts at their left and below."""
    places = {PICO: (0, _TOP)}
    below = _TOP + board.ROWS * _PITCH_Y
    beside = list(dict.fromkeys(part.role for part in build.parts if part.kind == "tactile"))
    under = [signal.name for signal in build.signals if signal.name not in beside]
    under = [name for name in under if name.split(" ")[0] not in ("row", "column")]
    for part in build.parts:
        words = part.role.split(" ")
        if part.kind in ("pico", "rail"):
            continue
        if "lamp" in words:
            row, lamp = int(words[1]), int(words[3])
            place = _LEFT + (lamp - 1) * _PITCH_X, _TOP + (row - 1) * _PITCH_Y
        elif words[0] == "column":
            place = _LEFT + (int(words[1]) - 1) * _PITCH_X, _TOP - 40
        elif words[0] == "row":
            across = _LEFT - (100 if part.kind == "npn" else 200)
            place = across, _TOP + (int(words[1]) - 1) * _PITCH_Y
        elif part.kind == "tactile":
            place = _LEFT + beside.index(part.role) * _PITCH_X, below + 2 * _PITCH_Y
        else:
            down = below if part.kind == "resistor" else below + 30
            place = _LEFT + under.index(part.role) * _PITCH_X, down
        places[part.ref] = place
    return places
