"""Other pin maps, and a part with a broken wire."""

import types

from nimatron.devices import pins
from nimatron_sim.simulated.chip import Pad


def wiring(**changes):
    """Return the pin map with some pins changed."""
    names = {name: value for name, value in vars(pins).items() if name.isupper()}
    return types.SimpleNamespace(**dict(names, **changes))


def swapped(numbers, one, other):
    """Return the numbers with two of them exchanged."""
    numbers = list(numbers)
    numbers[one], numbers[other] = numbers[other], numbers[one]
    return tuple(numbers)


def other_pins():
    """Return a pin map with another number for each signal."""
    buttons = zip(pins.BUTTONS, range(2, 8), strict=True)
    legends = zip(pins.LEGENDS, range(8, 12), strict=True)
    return wiring(
        COLUMNS=(13, 14, 15, 16, 17, 18, 19),
        ROWS=(20, 21, 22, 12),
        BUTTONS=tuple((name, gpio) for (name, _), gpio in buttons),
        LEGENDS=tuple((name, gpio) for (name, _), gpio in legends),
        SOUNDER=28,
        COIN=27,
        PIXELS=22,
        SHIFT=(("clock", 18), ("data", 19), ("latch", 16), ("enable", 17)),
    )


class Deaf(Pad):
    """The sounder's pad, with a broken wire."""

    @property
    def hertz(self):
        return 0

    @hertz.setter
    def hertz(self, value):
        raise OSError(5, "no reed")
