"""Ratios of two programs that took turns in one run, and how certain they are."""

import math
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

_SURE = 2.58  # deviations: 99 % of a normal distribution


class Ratio(NamedTuple):
    """A median, and the range in which it lies with 99 % certainty."""

    median: float
    least: float
    most: float

    def keeps_to(self, limit: float) -> bool | None:
        """Whether it is at most the limit, or None if another run might say the opposite."""
        if self.least <= limit <= self.most and self.least < self.most:
            return None
        return self.median <= limit

    def minus(self, other: "Ratio") -> "Ratio":
        """The difference from another one that was measured separately."""
        return Ratio(self.median - other.median, self.least - other.most, self.most - other.least)


def exact(value: float) -> Ratio:
    """A figure that is the same in every run, such as an emulated time."""
    return Ratio(value, value, value)


def ratio(values: list[float]) -> Ratio:
    return percentile(values, 50)


def percentile(values: list[float], percent: int) -> Ratio:
    """A percentile with its range. How many of n values lie below it is binomial."""
    ranked = sorted(values)
    share = percent / 100
    middle = (len(ranked) - 1) * share
    sure = _SURE * (len(ranked) * share * (1 - share)) ** 0.5
    least, most = max(math.floor(middle - sure), 0), math.ceil(middle + sure)
    found = statistics.quantiles(ranked, n=100, method="inclusive")[percent - 1]
    return Ratio(found, ranked[least], ranked[min(most, len(ranked) - 1)])


def in_turns(
    one: Callable[[], float], other: Callable[[], float], rounds: int
) -> list[tuple[float, float]]:
    """The sums of each round A B B A, so that a computer that slows down in it slows both. The
    first round, which warms both up, does not count."""

    def round():
        before, first = one(), other()
        second, after = other(), one()
        return before + after, first + second

    return [round() for _ in range(rounds + 1)][1:]


def cpu(do: Callable[[], object]) -> float:
    """Seconds of CPU time that do() takes in this process."""
    begin = time.process_time()
    do()
    return time.process_time() - begin
