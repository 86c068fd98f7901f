"""The legs and the body of each kind of part that fits a breadboard.

Lengths are in pitches from the first leg, with x to the right along the board and y down. The
colour rings on a resistor follow from its value and its tolerance (IEC 60062).
"""

import re
from dataclasses import dataclass

from nimatron_wiring import pico

Box = tuple[float, float, float, float]  # left, top, right, bottom

COLOURS = ("black", "brown", "red", "orange", "yellow", "green", "blue", "violet", "grey", "white")
_TOLERANCES = {"1 %": "brown", "2 %": "red", "5 %": "gold", "10 %": "silver"}
_FACTORS = {"": 1, "k": 1_000, "M": 1_000_000}


@dataclass(frozen=True)
class Footprint:
    legs: tuple[
        tuple[str, float, float], ...
    ]  # pin, x, y. Legs with the same pin are joined inside
    body: Box  # no other body and no wire may be here
    turns: bool = False  # True if its two pins may be swapped


def _pico():
    """Return the footprint of the Pico, with USB at the left and pin 1 at the lower left."""
    legs = []
    for name, number in pico.NUMBERS.items():
        legs.append((name, number - 1, 0) if number <= 20 else (name, 40 - number, -7))
    return Footprint(tuple(legs), (-0.54, -7.63, 19.54, 0.63))


_RADIUS = 1.14  # of an LED, with its rim
_LED = 0.5 - _RADIUS, -_RADIUS, 0.5 + _RADIUS, _RADIUS

FOOTPRINTS = {
    "pico": _pico(),
    "resistor": Footprint((("1", 0, 0), ("2", 4, 0)), (0.6, -0.45, 3.4, 0.45), turns=True),
    # upright, across the gap, with its legs in lines g and e
    "resistor across": Footprint((("1", 0, 0), ("2", 0, 4)), (-0.45, 0.6, 0.45, 3.4), turns=True),
    "led": Footprint((("C", 0, 0), ("A", 1, 0)), _LED),
    "led turned": Footprint((("A", 0, 0), ("C", 1, 0)), _LED),
    # A TO-92 transistor, with its flat side down and its legs bent to 2.54 mm
    "npn": Footprint((("E", 0, 0), ("B", 1, 0), ("C", 2, 0)), (0.05, -1.0, 1.95, 0.55)),
    # A 6 mm button. The legs of a pin are 6.5 mm apart. The pins are 4.5 mm apart
    "tactile": Footprint(
        (("1", 0, 0), ("1", 0, 3), ("2", 2, 0), ("2", 2, 3)),
        (-0.2, 0.3, 2.2, 2.7),
        turns=True,
    ),
    # A 12 mm button across the gap. The legs of a pin are 12.5 mm apart. The pins are 5 mm apart
    "tactile 12 mm": Footprint(
        (("2", 0, 0), ("2", 0, 5), ("1", 2, 0), ("1", 2, 5)),
        (-1.36, 0.14, 3.36, 4.86),
    ),
    "diode": Footprint((("A", 0, 0), ("K", 4, 0)), (0.9, -0.5, 3.1, 0.5)),
    # The plug of a chain of pixels, above the board
    "chain": Footprint((("+", 0, 0), ("DIN", 1, 0), ("-", 2, 0)), (-0.8, -0.6, 2.8, 0.6)),
    # A 17 mm buzzer with pins 10 mm apart (TDK, PS series, PS1720P02), or a disc on two wires
    "piezo": Footprint((("2", 0, 0), ("1", 4, 0)), (-1.35, -3.35, 5.35, 3.35), turns=True),
}


def rings(value: str, rating: str) -> list[str]:
    """Return the rings on a resistor: yellow, violet, red, gold for ("4.7 kΩ", "0.25 W, 5 %"). The
    rings show three digits for 1 % and 2 %, otherwise two. Raises ValueError for other values."""
    found = re.fullmatch(r"([0-9.]+) ([kM]?)Ω", value)
    tolerance = re.search(r"\b(\d+ %)", rating)
    if not found or not tolerance or tolerance[1] not in _TOLERANCES:
        raise ValueError(f"no rings are known for a resistor of {value}, {rating}")
    ohms = round(float(found[1]) * _FACTORS[found[2]])
    digits = 3 if tolerance[1] in ("1 %", "2 %") else 2
    zeros = len(str(ohms)) - digits
    if zeros < 0 or ohms % 10**zeros:
        raise ValueError(f"a resistor of {value} cannot have {digits} digits and a multiplier")
    figures = [COLOURS[int(digit)] for digit in str(ohms)[:digits]]
    return [*figures, COLOURS[zeros], _TOLERANCES[tolerance[1]]]
