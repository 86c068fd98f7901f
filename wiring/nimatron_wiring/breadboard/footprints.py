"""The legs and the body of each kind of part, in pitches from its first leg.

Along a board: x to the right, y down. Only kinds that fit a breadboard are here.
"""

from dataclasses import dataclass

from nimatron_wiring import pico

Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class Footprint:
    legs: tuple[tuple[str, float, float], ...]  # pin, x, y. Two legs of a pin are joined inside
    body: Box  # keeps out other bodies
    covers: Box | None = None  # no wire can be plugged in below. By default nowhere
    turns: bool = False  # its two pins may change places


def _pico():
    """Pin 1 at the left below, counter-clockwise, with the USB socket to the left."""
    legs = []
    for name, number in pico.NUMBERS.items():
        legs.append((name, number - 1, 0) if number <= 20 else (name, 40 - number, -7))
    return Footprint(tuple(legs), (-0.54, -7.63, 19.54, 0.63))


_LED = 1.14  # radius, with its rim

FOOTPRINTS = {
    "pico": _pico(),
    "resistor": Footprint((("1", 0, 0), ("2", 4, 0)), (0.6, -0.45, 3.4, 0.45), turns=True),
    # standing across the gap, between lines e and g
    "resistor across": Footprint((("1", 0, 0), ("2", 0, 4)), (-0.45, 0.6, 0.45, 3.4), turns=True),
    "led": Footprint(
        (("C", 0, 0), ("A", 1, 0)),
        (0.5 - _LED, -_LED, 0.5 + _LED, _LED),
        (0.5 - _LED, -_LED, 0.5 + _LED, _LED),
    ),
    "led turned": Footprint(
        (("A", 0, 0), ("C", 1, 0)),
        (0.5 - _LED, -_LED, 0.5 + _LED, _LED),
        (0.5 - _LED, -_LED, 0.5 + _LED, _LED),
    ),
    # TO-92, flat side down, legs bent to 2.54 mm
    "npn": Footprint((("E", 0, 0), ("B", 1, 0), ("C", 2, 0)), (0.05, -1.0, 1.95, 0.55)),
    # 6 mm. The legs of a pin are 6.5 mm apart, the pins 4.5 mm
    "tactile": Footprint(
        (("1", 0, 0), ("1", 0, 3), ("2", 2, 0), ("2", 2, 3)),
        (-0.2, 0.3, 2.2, 2.7),
        (-0.2, -0.2, 2.2, 3.2),
        turns=True,
    ),
    # 17 mm, its pins 10 mm apart (TDK, PS series, type PS1720P02), or a disc on two wires
    "piezo": Footprint((("2", 0, 0), ("1", 4, 0)), (-1.35, -3.35, 5.35, 3.35), turns=True),
}
