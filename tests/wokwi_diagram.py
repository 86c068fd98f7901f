"""A reader of diagram.json that is independent of its generator. It shows the lamps of a Wokwi
diagram at given levels of the pins."""

from pathlib import Path

FILE = Path(__file__).parents[1] / "wiring" / "diagram.json"


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
        """The number of the GPIO that this pin of a part leads to, None if to none."""
        pins = [e.partition(":GP")[2] for e in self._nets.get(end, ()) if ":GP" in e]
        return int(pins[0]) if pins else None

    def is_grounded(self, end):
        return any(":GND" in other for other in self._nets.get(end, ()))

    def lit(self, levels):
        """The LEDs that are lit while the pins have these levels, as a mask."""
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
