"""Pin maps as a mistaken builder would solder them."""

import types

from nimatron.devices import pins


def wiring(**changes):
    """The pin map with some pins changed."""
    names = {name: value for name, value in vars(pins).items() if name.isupper()}
    return types.SimpleNamespace(**dict(names, **changes))


def swapped(numbers, one, other):
    """The numbers with two of them in each other's place."""
    numbers = list(numbers)
    numbers[one], numbers[other] = numbers[other], numbers[one]
    return tuple(numbers)
