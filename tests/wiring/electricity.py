"""The behaviour of a build when current flows, computed from its nets alone.

A pin is high, low or open. A lamp shines if one end is fed and the other leads to ground.
"""

GROUND = ("0V", "rail")
SUPPLIES = (("12V", "rail"), ("5V", "rail"), ("3V3", "rail"))


class Electricity:
    def __init__(self, build):
        self._parts = {part.ref: part for part in build.parts}
        self._nets = {node: set(net.nodes) for net in build.nets for node in net.nodes}

    def shining(self, *high):
        """Return the roles of the parts that are on while only these GPIOs are high."""
        fed = self._spread([("PICO", f"GP{gpio}") for gpio in high])
        supplied = self._spread([rail for rail in SUPPLIES if rail in self._nets])
        ground = self._spread([GROUND])
        for part in self._parts.values():  # a conducting part joins its output to ground
            for control, output, common in _switches(part):
                if (part.ref, control) in fed and (part.ref, common) in ground:
                    ground |= self._spread([(part.ref, output)])
        on = set()
        for part in self._parts.values():
            for plus, minus in _ways(part):
                if (part.ref, plus) in fed | supplied and (part.ref, minus) in ground:
                    on.add(part.role)
        return on

    def registers(self, data, clock, latch, enable):
        """Return {output: role of its lamp} for the registers at these GPIOs, nearest first."""
        here = self._spread([("PICO", f"GP{data}")])
        chain = []
        while True:
            chips = [ref for ref, pin in here if pin == "SER_IN"]
            if not chips:
                return chain
            (chip,) = chips
            for gpio, pin in ((clock, "SRCK"), (latch, "RCK"), (enable, "G")):
                assert (chip, pin) in self._spread([("PICO", f"GP{gpio}")])
            for pin, rail in (("VCC", "5V"), ("SRCLR", "5V"), ("GND", "0V"), ("GND.2", "0V")):
                assert (rail, "rail") in self._nets[chip, pin]
            chain.append(
                {
                    output: self._lamp_at((chip, f"DRAIN{output}"))
                    for output in range(8)
                    if (chip, f"DRAIN{output}") in self._nets
                }
            )
            here = self._nets.get((chip, "SER_OUT"), set())

    def _lamp_at(self, node):
        (lamp,) = (ref for ref, pin in self._nets[node] if pin == "-" and ref[0] == "H")
        assert ("12V", "rail") in self._nets[lamp, "+"]
        return self._parts[lamp].role

    def grounded(self, *pressed):
        """Return the GPIOs with at most 1 kilo-ohm to ground while these buttons are pressed."""
        joined = self._spread([GROUND], closed=pressed)
        return {int(pin[2:]) for ref, pin in joined if ref == "PICO" and pin.startswith("GP")}

    def _spread(self, start, closed=()):
        """Return all pins that are joined to these pins by metal, resistors of up to 2.2 kilo-ohm,
        fuses, closed contacts, and buffers and transistors that are switched on. The search ends
        at rails."""
        seen, ahead = set(), list(start)
        while ahead:
            node = ahead.pop()
            if node in seen:
                continue
            seen.add(node)
            ref, pin = node
            if self._parts[ref].kind == "rail" and node not in start:
                continue
            ahead += self._beyond(node)
            for other in self._through(self._parts[ref], pin, closed):
                ahead.append((ref, other))
        return seen

    def _beyond(self, node):
        net = self._nets.get(node, ())
        rails = [other for other in net if self._parts[other[0]].kind == "rail"]
        return rails if rails and self._parts[node[0]].kind != "rail" else net

    def _through(self, part, pin, closed):
        two = {"1": "2", "2": "1"}
        if part.kind == "resistor" and part.value in ("470 Ω", "1 kΩ", "2.2 kΩ"):
            return [two[pin]]
        if part.kind in ("fuse", "switch"):
            return [two[pin]]
        if part.kind in ("tactile", "arcade") and part.role in closed:
            return [two[pin]]
        if part.kind == "npn" and pin == "E" and self._is_fed((part.ref, "B")):
            return ["C"]
        if part.kind == "74AHCT125" and pin.endswith("A"):
            on = GROUND in self._nets[part.ref, f"{pin[0]}OE"]
            return [f"{pin[0]}Y"] if on else []
        return []

    def _is_fed(self, node):
        """Return True if a resistor leads from this pin to a supply."""
        resistors = [
            (ref, pin) for ref, pin in self._nets[node] if self._parts[ref].kind == "resistor"
        ]
        far = [(ref, "2" if pin == "1" else "1") for ref, pin in resistors]
        return any(rail in self._nets[end] for end in far for rail in SUPPLIES)


def _switches(part):
    """Return (node that must be high, node then joined to ground, part that joins them)."""
    if part.kind == "npn":
        return [("B", "C", "E")]
    if part.kind == "mosfet":
        return [("G", "D", "S")]
    if part.kind == "ULN2803A":
        return [(f"{n}B", f"{n}C", "GND") for n in range(1, 9)]
    return []


def _ways(part):
    """Return (plus, minus) for each way in which current makes the part shine or pull."""
    return {
        "led": [("A", "C")],
        "lamp": [("+", "-")],
        "piezo": [("1", "2"), ("2", "1")],
        "solenoid": [("1", "2"), ("2", "1")],
    }.get(part.kind, [])
