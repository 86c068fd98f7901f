"""Moving a clock and a chip with a time of its own on together."""

import math
from collections.abc import Callable, Iterator
from typing import Protocol

from pico_testbench.clock import Clock


class Runs(Protocol):
    """What runs by itself: `run` runs until `us` since its power-up, or until something has
    changed."""

    @property
    def us(self) -> float: ...
    def run(self, us: int) -> None: ...


def moments(
    clock: Clock, powered: Callable[[], tuple[Runs | None, int]], us: int
) -> Iterator[None]:
    """Move the clock on until it shows `us`, and with it the chip that then has power. Each time
    something may have changed, it yields.

    powered: the chip that has power, or None, and when it got it.
    """
    end = clock.now - 1
    while end < us:
        chip, since = powered()
        end = min(us, clock.next_alarm())
        if chip:
            chip.run(end - since)
            end = min(end, since + math.ceil(chip.us))
        clock.pass_to(end)
        yield
