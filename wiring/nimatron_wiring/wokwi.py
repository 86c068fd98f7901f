"""The breadboard build for the simulator at wokwi.com, as diagram.json and wokwi.toml.

Wokwi is digital and has no transistor. Therefore, each row's transistor becomes a NOT gate, which
has the same effect without an emitter. If the row's pin is high, the gate pulls the cathodes low.
"""

import json

from nimatron import board
from nimatron_wiring.budget import quantity
from nimatron_wiring.netlist import GROUND, PICO, Build, Part

FIRMWARE = "nimatron.uf2"

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
    """Return {ref: (left, top)}, with lamps as on the panel, and other parts left and below."""
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
