"""An electrical model of the matrix: the level at a pad of the Pico when the chip drives or
releases the pad.

A circuit is a list of parts between nets. When a net is released, two things happen. Within
nanoseconds, each conducting path pulls the net to the limit set by its diodes. Then, within
microseconds, the pull-down drains the remaining charge. Both are computed from the conducting
paths, not in time steps. tests/wiring/test_single_faults.py compares the result with ngspice.
"""

import math

GROUND, SUPPLY = "0V", "3V3"
VOLTS = 3.3
_PAD_OHMS = 50  # the resistance of an output
_DIODE_OHMS = 10
_SATURATED = 0.02  # volts from collector to emitter, at microamperes
_JUNCTION = 0.7  # the volts across a silicon junction
_CONDUCTS = 0.55  # the volts at a base from which a transistor conducts
_SOFT = 0.045  # volts: an LED's emission coefficient times kT/q
_DOWN, _UP = -1, 1


class Wires:
    """A circuit of parts and pads.

    parts: ("resistor", net, net, ohms), ("led", anode, cathode), ("npn", collector, base,
        emitter).
    pads: {GPIO number: net}.

    knee: the voltage across an LED at a few microamperes, or {(anode, cathode): volts}.
    falling: the voltage below which a pad reads 0.
    hysteresis: how many volts more make the pad read 1.
    pull_ohms: the resistance of a pull-down, or None for an RP2350 of stepping A2, whose
        pull-downs are too weak for an input that was high (erratum E9).
    farads: the capacitance from a net to ground, or {net: farads}.
    """

    def __init__(
        self,
        parts,
        pads,
        knee=1.58,
        falling=1.3,
        hysteresis=0.3,
        pull_ohms=65_000,
        farads=40e-12,
    ):
        self.pads = pads
        self.measured = {}  # the results of measurements by chips, see rp2.py
        self._back = {}  # GPIO number: whether the pad reads back both levels
        self._knee, self._falling, self._rising = knee, falling, falling + hysteresis
        self._pull_ohms, self._farads = pull_ohms, farads
        self._at = {}  # net: the parts connected to it
        for part in parts:
            for net in set(part[1 : 3 if part[0] == "resistor" else None]):
                self._at.setdefault(net, []).append(part)

    def falls(self, gpio, before, driven):
        """Return the time in ns until a released pad reads 0. Return 0 if it never read 1, and
        None if it never reads 0. The chip drives {GPIO: level}: `before` until the release, and
        `driven` after it."""
        net = self.pads[gpio]
        sources = self._sources(before)
        volts = self._volts(net, sources, 0.0)
        if volts < self._falling:
            return 0
        sources = self._sources(driven)
        rest = self._volts(net, sources, volts)
        ceiling = self._bound(net, sources, _DOWN)
        farads = self._farads_of(net, sources, [])
        ns = 0.0
        if rest < self._falling:
            end, ohms = ceiling
            return 1e9 * ohms * farads * math.log((volts - end) / (self._falling - end))
        floor = self._bound(net, sources, _UP)
        if not self._pull_ohms or (floor and floor[0] >= self._falling):
            return None
        if ceiling:
            ns = 1e9 * ceiling[1] * farads
        return ns + 1e9 * self._pull_ohms * farads * math.log(rest / self._falling)

    def reads_back(self, gpio):
        """Return True if a pad reads back both levels when the chip drives them."""
        if gpio not in self._back:
            self._back[gpio] = not self.reads(gpio, 0) and self.reads(gpio, 1)
        return self._back[gpio]

    def reads(self, gpio, level):
        """Return True if a pad reads 1 while driven to `level`, with all other pads low."""
        if gpio not in self.pads:
            return level
        driven = {pad: level * (pad == gpio) for pad in self.pads}
        return self._volts(self.pads[gpio], self._sources(driven), 0.0) > self._rising

    def _sources(self, driven):
        """Return {net: [(volts, ohms)]} for everything that holds a net at a voltage."""
        sources = {GROUND: [(0.0, 0)], SUPPLY: [(VOLTS, 0)]}
        for gpio, level in driven.items():
            if gpio in self.pads:
                of_net = sources.setdefault(self.pads[gpio], [])
                of_net.append((VOLTS * level, _PAD_OHMS))
        return sources

    def _volts(self, net, sources, before, used=()):
        """Return the voltage of a net that was at `before` volts."""
        floor = self._bound(net, sources, _UP, used)
        ceiling = self._bound(net, sources, _DOWN, used)
        if floor and ceiling and floor[0] > ceiling[0]:
            ohms = floor[1] + ceiling[1]
            return (floor[0] * ceiling[1] + ceiling[0] * floor[1]) / ohms if ohms else ceiling[0]
        if floor and before < floor[0]:
            return floor[0]
        if ceiling and before > ceiling[0]:
            return ceiling[0]
        return before

    def _bound(self, net, sources, way, used=()):
        """Return the limit to which conducting parts pull a net _DOWN or _UP, as (volts, ohms), or
        None. The path so far contains the parts in `used`."""
        here = sources.get(net, ())
        for source in here:
            if not source[1]:
                return source
        found, soft = list(here), []
        for part in self._at.get(net, ()):
            if part not in used:
                for other, drop, ohms in self._conducting(part, net, sources, way, used):
                    end = self._bound(other, sources, way, used + (part,))
                    if end:
                        (soft if part[0] == "led" else found).append(
                            (end[0] - way * drop, end[1] + ohms)
                        )
        if soft:  # each of two LEDs keeps less voltage than a single LED
            best = min(soft) if way == _DOWN else max(soft)
            shares = [math.exp(-abs(volts - best[0]) / _SOFT) for volts, _ in soft]
            found.append((best[0] + way * _SOFT * math.log(sum(shares)), best[1]))
        if not found:
            return None
        return min(found) if way == _DOWN else max(found)

    def _conducting(self, part, net, sources, way, used):
        """Return [(net, volts, ohms)]: the nets to which a part conducts, if its first net is
        pulled this way."""
        if part[0] == "resistor":
            return [(part[2] if net == part[1] else part[1], 0.0, part[3])]
        if part[0] == "led":
            start, end = part[1:] if way == _DOWN else (part[2], part[1])
            knee = self._knee.get(part[1:], 1.58) if isinstance(self._knee, dict) else self._knee
            return [(end, knee, _DIODE_OHMS)] if net == start else []
        collector, base, emitter = part[1:]
        found = []
        junctions = [(base, emitter), (base, collector)]
        if net in (collector, emitter):
            at_base = self._volts(base, sources, 0.0, used + (part,))
            if at_base > _CONDUCTS:
                found = [((collector, emitter), _SATURATED)]
        found += [(pair, _JUNCTION) for pair in junctions]
        ends = [(pair if way == _DOWN else (pair[1], pair[0]), drop) for pair, drop in found]
        return [(end, drop, _DIODE_OHMS) for (start, end), drop in ends if net == start != end]

    def _farads_of(self, net, sources, seen):
        """Return the capacitance of a net and of all nets that resistors connect to it."""
        seen.append(net)
        farads = self._farads
        total = farads.get(net, 40e-12) if isinstance(farads, dict) else farads
        for part in self._at.get(net, ()):
            if part[0] == "resistor":
                other = part[2] if net == part[1] else part[1]
                if other not in seen and other not in sources:
                    total += self._farads_of(other, sources, seen)
        return total


def matrix(rows, columns):
    """Return the parts and pads of a matrix at these GPIOs, as in wiring/breadboard.md."""
    parts, pads = [], {}
    for column in columns:
        pads[column] = "column %d" % column
        parts.append(("resistor", pads[column], "anodes %d" % column, 470))
    for row in rows:
        pads[row] = "row %d" % row
        base, cathodes = "base %d" % row, "cathodes %d" % row
        parts.append(("resistor", pads[row], base, 1000))
        parts.append(("npn", cathodes, base, GROUND))
        parts += [("led", "anodes %d" % column, cathodes) for column in columns]
    return parts, pads
