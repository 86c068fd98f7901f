"""The colour rings on a resistor, from its value and its tolerance (IEC 60062)."""

import re

COLOURS = ("black", "brown", "red", "orange", "yellow", "green", "blue", "violet", "grey", "white")
_TOLERANCES = {"1 %": "brown", "2 %": "red", "5 %": "gold", "10 %": "silver"}
_FACTORS = {"": 1, "k": 1_000, "M": 1_000_000}


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
