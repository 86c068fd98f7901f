"""A reader of diagram.json that is independent of its generator. It shows the lamps of a Wokwi
diagram at given levels of the pins, and pins that do not exist in Wokwi."""

from pathlib import Path

FILE = Path(__file__).parents[1] / "wiring" / "diagram.json"

# {type: (width and height in pixels, pin names)}. The values are from Wokwi's reference pages
# (docs.wokwi.com/parts) and the source of its parts (wokwi-elements, src/*-element.ts). The gate
# has no page, so its size and pins are from diagrams that Wokwi saved.
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


class Wokwi:
    def __init__(self, diagram):
        self.parts = {part["id"]: part for part in diagram["parts"]}
        joints = [connection[:2] for connection in diagram["connections"]]
        joints += [
            (f"{ref}:1", f"{ref}:2")
            for ref, part in self.parts.items()
            if part["type"] == "wokwi-resistor"
        ]
        self._nets = {}
        for one, other in joints:
            together = self._nets.get(one, {one}) | self._nets.get(other, {other})
            self._nets.update(dict.fromkeys(together, together))

    def gpio(self, end):
        """Return the number of the GPIO that this pin of a part leads to, or None."""
        pins = [e.partition(":GP")[2] for e in self._nets.get(end, ()) if ":GP" in e]
        return int(pins[0]) if pins else None

    def is_grounded(self, end):
        return any(":GND" in other for other in self._nets.get(end, ()))

    def lit(self, levels):
        """Return the LEDs that are lit while the pins have these levels, as a mask."""
        return {
            ref
            for ref, part in self.parts.items()
            if part["type"] == "wokwi-led"
            and self._is_high(f"{ref}:A", levels)
            and not self._is_high(f"{ref}:C", levels)
        }

    def _is_high(self, end, levels):
        gpio = self.gpio(end)
        if gpio is not None:
            return bool(levels >> gpio & 1)
        for other in self._nets.get(end, ()):
            ref, _, pin = other.partition(":")
            if self.parts[ref]["type"] == "wokwi-gate-not" and pin == "OUT":
                return not self._is_high(f"{ref}:IN", levels)
        return False

    def unknown(self):
        """Return the ends of wires that are not a pin of a part in Wokwi."""
        known = {
            f"{ref}:{pin}" for ref, part in self.parts.items() for pin in TYPES[part["type"]][2]
        }
        return set(self._nets) - known
