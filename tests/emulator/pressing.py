"""How a person presses the rows of any emulated Pico, and how long each lamp takes to go out."""

import random
from collections.abc import Callable

from nimatron.devices.pins import COLUMNS, ROWS
from nimatron_sim.pico import Pico

IN_A_ROW = len(COLUMNS)  # presses of one button: all its lamps

WentOut = Callable[[Pico, int, int, str], float]


def press(pico: Pico, number: int, went_out_after: WentOut) -> float:
    """Make the press with this number, from 0, row after row. Return the ms until its lamp is out.

    went_out_after(pico, row, column, button) presses the button, and returns the same.
    """
    row, picked = number // IN_A_ROW % len(ROWS), number % IN_A_ROW
    button = f"row{row + 1}"
    took = went_out_after(pico, row, IN_A_ROW - 1 - picked, button)
    pico.release(button)
    return took


def presses(pico: Pico, count: int, went_out_after: WentOut) -> list[float]:
    """Press row after row, all lamps of each, at all phases of a millisecond. Return the ms until
    each lamp was out, sorted."""
    dice = random.Random(4)
    pico.start(7, 7, 7, 7)
    took = []
    for number in range(count):
        pico.run(130 + 7 * dice.random())
        took.append(press(pico, number, went_out_after))
    pico.run(120)
    return sorted(took)
